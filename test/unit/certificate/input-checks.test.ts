/** What a server sends for a certificate, or its maker puts together, that no certificate can hold: told by name, never a raw error. */
import { describe, expect, it } from 'vitest';
import { buildCertificate } from '../../../src/core/certificate/build.ts';
import type { FactInput } from '../../../src/core/certificate/build-fact.ts';
import { beginCell, bocOf, type CoreCell, merkleProof, prune, prunedBranch } from '../../helpers/cells.ts';
import { liveFacts, liveInput } from '../../helpers/certificates.ts';
import { coreCell } from '../../helpers/cut-proofs.ts';
import { chainOf, inputOf } from '../../helpers/dear-certificates.ts';
import {
  blockSignaturesCell,
  committee,
  configCell,
  headerProof,
  makeBlock,
  makeState,
  signBlock,
  storedProof,
  wholeProof,
} from '../../helpers/make-chain.ts';
import { networkOf } from '../../helpers/networks.ts';

const refused = (code: string, path: string) => expect.objectContaining({ code, path });
const [transaction] = liveFacts() as readonly Extract<FactInput, { kind: 'transaction' }>[];
const account = liveFacts().find(({ kind }) => kind === 'account') as Extract<FactInput, { kind: 'account' }>;
const ofFact = (fact: FactInput) => () => buildCertificate(liveInput([fact]));
const withFirstCut = (cell: CoreCell) => prune(cell, (other) => other.hash().equals(cell.refs[0]!.hash()));

describe('contents of a fact', () => {
  it('are whole: a transaction, a state or a library that is cut off somewhere is refused', () => {
    const whole = coreCell(transaction!.answer.transaction as Uint8Array);
    for (const cut of [withFirstCut(whole), prunedBranch(whole)]) {
      const answer = { ...transaction!.answer, transaction: bocOf(cut) };
      expect(ofFact({ ...transaction!, answer })).toThrow(refused('decode/boc', 'transaction'));
    }
    const state = bocOf(withFirstCut(coreCell(account.answer.state as Uint8Array)));
    expect(ofFact({ ...account, answer: { ...account.answer, state } })).toThrow(
      refused('trust/account-hash', 'state'),
    );
  });

  it('come with their proofs', () => {
    const answer = { transaction: transaction!.answer.transaction } as never;
    expect(ofFact({ ...transaction!, answer })).toThrow(refused('usage/bad-option', 'proof'));
    const shardProof = { ...account.answer, shardProof: null } as never;
    expect(ofFact({ ...account, answer: shardProof })).toThrow(refused('usage/bad-option', 'shardProof'));
  });

  it('are no deeper than cells may be, below all other facts', () => {
    const params = Array<CoreCell>(24).fill(chainOf(1000));
    expect(buildCertificate(inputOf({ params: params.slice(0, 2) }).input).anchor.seqno).toBe(0);
    expect(() => buildCertificate(inputOf({ params }).input)).toThrow(
      expect.objectContaining({ code: 'decode/too-large' }),
    );
  });
});

const setters = committee('setters');
const { checkpoint } = networkOf(setters);

describe('a library', () => {
  const totals = beginCell().storeUint(0, 128).storeUint(0, 10).storeBit(false).storeBit(false).endCell();
  const state = makeState({ seqno: 1, config: configCell({ elected: setters }), totals });
  const block = makeBlock({ seqno: 1, signedBy: setters, prevKeyBlockSeqno: 0, state });
  const input = { checkpoint, signatures: signBlock(block), headerProof: headerProof(block) };
  const answer = { stateProof: wholeProof(block.root), dataProof: wholeProof(state) };
  const library = beginCell().storeRef(beginCell().storeUint(5, 8).endCell()).endCell();

  it('is named by a hash of 32 bytes', () => {
    for (const hash of [new Uint8Array(31), new Uint8Array(33), Array<number>(32).fill(0), undefined]) {
      const run = () => buildCertificate({ ...input, facts: [{ kind: 'library', hash: hash as never, answer }] });
      expect(run).toThrow(expect.objectContaining({ code: 'usage/bad-option' }));
    }
  });

  it('is whole', () => {
    const cut = withFirstCut(library);
    const given = { ...answer, libraries: [{ hash: Uint8Array.from(cut.hash(0)), data: bocOf(cut) }] } as never;
    const fact = { kind: 'library', hash: Uint8Array.from(library.hash()), answer: given } as const;
    expect(() => buildCertificate({ ...input, facts: [fact] })).toThrow(refused('decode/boc', 'library'));
  });
});

describe('a key block on the way', () => {
  const block = makeBlock({
    seqno: 1,
    signedBy: setters,
    prevKeyBlockSeqno: 0,
    config: configCell({ elected: setters }),
  });
  const signatures = signBlock(block);
  const stored = storedProof(block, blockSignaturesCell(block, signatures, 40n));

  it('is made final by its signatures or by a stored proof, not by both', () => {
    const build = (step: object) => () =>
      buildCertificate({ checkpoint, proofs: [{ block: block.boc, ...step } as never] });
    expect(build({ signatures })().anchor.seqno).toBe(0);
    expect(build({ storedProof: stored })().anchor.seqno).toBe(0);
    expect(build({ signatures, storedProof: stored })).toThrow(refused('usage/bad-option', 'proofs[0]'));
  });

  it('is no merkle proof of something else', () => {
    const other = { block: bocOf(merkleProof(beginCell().storeUint(1, 8).endCell())), signatures };
    expect(() => buildCertificate({ checkpoint, proofs: [other] })).toThrow(
      expect.objectContaining({ name: expect.stringMatching(/DecodeError|TrustError/) }),
    );
  });
});
