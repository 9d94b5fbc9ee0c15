/** A certificate has one form: each proof of a fact shows what is read through it, though another proof shows the same cell. */
import { expect, it } from 'vitest';
import { parseSingleRoot } from '../../../src/core/cells/boc.ts';
import { writeBoc } from '../../../src/core/cells/write-boc.ts';
import { parseCertificate, partsOf } from '../../../src/core/certificate/parse.ts';
import { certificateCell } from '../../../src/core/certificate/parts.ts';
import { verifyCertificate } from '../../../src/core/certificate/verify.ts';
import {
  beginCell,
  bocOf,
  CoreCell,
  merkleProof,
  merkleUpdate,
  prunedBelowUpdate,
  prunedBranch,
} from '../../helpers/cells.ts';
import { certificateUnder } from '../../helpers/certificates.ts';
import { bagOf } from '../../helpers/cut-proofs.ts';
import { accountCell } from '../../helpers/deposits.ts';
import { accountsWith } from '../../helpers/dictionaries.ts';
import { everyCell, a as setters, zero } from '../../helpers/make-back-link.ts';
import {
  configCell,
  headerProof,
  infoOf,
  makeBlock,
  makeState,
  proofShowing,
  sha256,
} from '../../helpers/make-chain.ts';
import { leafOf, makeShardBlock, shardHashes, WHOLE } from '../../helpers/make-shards.ts';
import { startOf } from '../../helpers/networks.ts';

it('a cell that one proof of a fact shows is hidden in another that does not need it', () => {
  const top = makeShardBlock(12, WHOLE);
  const list = shardHashes(leafOf(top.id));
  const state = makeState({ seqno: 1, config: configCell({ elected: setters }), shardHashes: list });
  const block = makeBlock({ seqno: 1, signedBy: setters, prevKeyBlockSeqno: 0, state });
  const [masterRef, previous] = [infoOf(top).refs[0]!, infoOf(block).refs[0]!];
  expect(masterRef.equals(previous)).toBe(true); // the block that both name
  const shardProof = bagOf(merkleProof(block.root), merkleProof(state));
  const certificate = certificateUnder(startOf({ zerostate: zero }), block, {
    facts: [
      {
        kind: 'transaction',
        account: { workchain: 0, address: new Uint8Array(32) },
        lt: 99n,
        answer: { proof: headerProof(top) },
        way: { shardProof },
      },
    ],
  });
  const verified = (one: typeof certificate) => verifyCertificate(one, { anchor: zero.id });
  expect(verified(certificate)).toMatchObject({
    verdict: { status: 'final' },
    facts: [{ found: false, reason: 'lt-outside-block' }],
  });
  const { parts } = partsOf(certificate);
  const [fact] = parts.facts;
  if (fact?.kind !== 'absent-transaction') throw new Error('expected an absent transaction');
  const shown = parseSingleRoot(proofShowing(top.root, everyCell(infoOf(top))));
  const other = parseCertificate(writeBoc(certificateCell({ ...parts, facts: [{ ...fact, block: shown }] })));
  expect(other.id).not.toEqual(certificate.id);
  expect(() => verified(other)).toThrow(expect.objectContaining({ code: 'cert/unused-cells', path: 'facts[0]' }));
});

it('a state that a state update contains whole is cut off in one way', () => {
  const account = { workchain: -1, address: new Uint8Array(32).fill(0x11) };
  const cell = accountCell({ account });
  const state = makeState({
    seqno: 1,
    config: configCell({ elected: setters }),
    accounts: accountsWith([{ account, cell }]),
  });
  const made = makeBlock({ seqno: 1, signedBy: setters, prevKeyBlockSeqno: 0, state });
  const withUpdate = (update: CoreCell, rest = (one: CoreCell) => one) => {
    const refs = made.root.refs.map((one, k) => (k === 2 ? update : k === 0 ? one : rest(one)));
    return new CoreCell({ bits: made.root.bits, refs });
  };
  const update = merkleUpdate(beginCell().storeUint(5, 8).endCell(), state);
  const root = withUpdate(update);
  const boc = bocOf(root);
  const id = { ...made.id, rootHash: Uint8Array.from(root.hash()), fileHash: sha256(boc) };
  const longer = withUpdate(
    new CoreCell({ exotic: true, bits: update.bits, refs: update.refs.map(prunedBelowUpdate) }),
    prunedBranch,
  );
  const certified = (proven: CoreCell) =>
    certificateUnder(
      startOf({ zerostate: zero }),
      { ...made, root, boc, id },
      {
        facts: [
          {
            kind: 'account',
            account,
            answer: { proof: bagOf(merkleProof(proven), merkleProof(state)), state: bocOf(cell) },
          },
        ],
      },
    );
  const certificate = certified(root);
  expect(certified(longer).id).toEqual(certificate.id);
  const { parts } = partsOf(certificate);
  const [fact] = parts.facts;
  if (fact?.kind !== 'account' || fact.state === undefined) throw new Error('expected an account');
  const block = parseSingleRoot(bocOf(merkleProof(longer)));
  const facts = [{ ...fact, state: { ...fact.state, block } }];
  const other = parseCertificate(writeBoc(certificateCell({ ...parts, facts })));
  expect(other.id).not.toEqual(certificate.id);
  expect(() => verifyCertificate(other, { anchor: zero.id })).toThrow(
    expect.objectContaining({ code: 'cert/unused-cells', path: 'facts[0]' }),
  );
});
