/** Checks of single facts that the listed attacks pass by: what is read of their parts, and what the judge refuses alone. */
import { describe, expect, it } from 'vitest';
import { parseSingleRoot } from '../../../src/core/cells/boc.ts';
import { Cell } from '../../../src/core/cells/cell.ts';
import { writeBoc } from '../../../src/core/cells/write-boc.ts';
import { type FactInput, factPartsOf, recutFact } from '../../../src/core/certificate/build-fact.ts';
import { FACT_LAYOUTS, type FactParts, IN_MESSAGE } from '../../../src/core/certificate/fact-parts.ts';
import { judgeFact } from '../../../src/core/certificate/judge-fact.ts';
import { certificateToBoc, parseCertificate, partsOf } from '../../../src/core/certificate/parse.ts';
import { certificateCell } from '../../../src/core/certificate/parts.ts';
import type { AccountFact } from '../../../src/core/facts/account-state.ts';
import { messagesOf } from '../../../src/core/facts/messages.ts';
import { assumeFinal, factsOf, type ProvenBlock } from '../../../src/core/facts/proven-block.ts';
import { verifyTransaction } from '../../../src/core/facts/transaction.ts';
import { beginCell, bocOf, CoreCell, merkleProof } from '../../helpers/cells.ts';
import { liveCertificate } from '../../helpers/certificates.ts';
import { bagOf, coreCell, replaceAt } from '../../helpers/cut-proofs.ts';
import { accountBlocksWith } from '../../helpers/dictionaries.ts';
import { accountOf, blockId, bytesOf, caseNamed, casesOf, LIVE } from '../../helpers/inclusion.ts';
import { committee, configCell, configProof, makeBlock, makeState } from '../../helpers/make-chain.ts';
import { makeShardBlock, WHOLE } from '../../helpers/make-shards.ts';

const refused = (run: () => unknown, code: string, more: object = {}) =>
  expect(run).toThrow(expect.objectContaining({ code, ...more }));
const own = (cell: CoreCell) => parseSingleRoot(bocOf(cell));

const live = liveCertificate();
const under = assumeFinal(LIVE.block);
const facts = partsOf(live).parts.facts;
const factOf = <K extends FactParts['kind']>(kind: K) =>
  facts.find((fact) => fact.kind === kind) as FactParts & { readonly kind: K };
const cutFor = (input: FactInput, block: ProvenBlock) => {
  const below = factsOf(block);
  return recutFact(factPartsOf(input, below, 'fact'), below, 'fact');
};
const judged = (part: FactParts, block: ProvenBlock = under) => judgeFact(part, factsOf(block), 'fact');
/** Written into a certificate and read again. */
function reread(part: FactParts): FactParts {
  const { parts } = partsOf(live);
  return partsOf(parseCertificate(writeBoc(certificateCell({ ...parts, facts: [part] })))).parts.facts[0]!;
}

describe('the parts of a fact', () => {
  const links = casesOf('shard-block-proof').map((entry): [FactParts, ProvenBlock] => {
    const trusted = assumeFinal(blockId(entry.trusted));
    const answer: unknown = JSON.parse(Buffer.from(bytesOf(entry, 'answer')).toString('utf8'));
    const block = blockId(entry.request!.block!);
    return [cutFor({ kind: 'shard-block', block, way: { links: answer } }, trusted), trusted];
  });
  const setters = committee('parts');
  const keyBlock = makeBlock({
    seqno: 6,
    signedBy: setters,
    prevKeyBlockSeqno: 0,
    config: configCell({ elected: setters }),
  });
  const fromKeyBlock = (proof = configProof(keyBlock)) =>
    cutFor({ kind: 'config', param: 34, answer: { configProof: proof, mode: 0x8000 } }, assumeFinal(keyBlock.id));

  it('are read as they were written: the same members, and the same outcome', () => {
    const all: [FactParts, ProvenBlock][] = [
      ...facts.map((fact): [FactParts, ProvenBlock] => [fact, under]),
      ...links,
      [fromKeyBlock(), assumeFinal(keyBlock.id)],
    ];
    const shape = (part: FactParts) =>
      Object.entries(part).map(([name, value]) => [name, typeof value, value === undefined]);
    for (const [part, block] of all) {
      const read = reread(part);
      expect(new Set(shape(read).map(String))).toEqual(new Set(shape(part).map(String)));
      const [before, after] = [judged(part, block), judged(read, block)];
      expect([after.kind, after.block, after.path, after.masterchain]).toEqual([
        before.kind,
        before.block,
        before.path,
        before.masterchain,
      ]);
    }
    expect(
      links.some(([part]) => part.kind === 'shard-block' && part.way?.by === 'links' && part.way.proofs.length > 1),
    ).toBe(true);
  });

  it('have a Merkle proof in the place of each proof', () => {
    const plain = own(beginCell().storeUint(5, 8).endCell());
    const transaction = factOf('transaction');
    refused(() => reread({ ...transaction, block: plain }), 'decode/boc', {
      path: 'facts[0]',
      message: expect.stringMatching(/expected a Merkle proof, got a cell that is ordinary/),
    });
    const config = factOf('config');
    const { proof } = config;
    if (proof instanceof Cell) throw new Error('expected a parameter by state');
    refused(() => reread({ ...config, proof: { ...proof, state: plain } }), 'decode/boc', {
      path: 'facts[0].state',
    });
  });

  it('are of a kind that is known', () => {
    const root = coreCell(certificateToBoc(live));
    // The last reference of the root is the first fact; its kind stands first.
    const place = [root.refs.length - 1];
    const kinds = new Set<number>(Object.values(FACT_LAYOUTS).map(({ number }) => number));
    for (const number of [0, 1, 10, 255]) {
      expect(kinds).not.toContain(number);
      const changed = replaceAt(root, place, (cell) => {
        const rest = cell.beginParse();
        rest.loadUint(8);
        return beginCell().storeUint(number, 8).storeSlice(rest).endCell();
      });
      refused(() => parseCertificate(writeBoc(own(changed))), 'decode/boc', {
        path: 'facts[0]',
        message: expect.stringMatching(new RegExp(`a known kind of fact, got ${number}$`)),
      });
    }
  });

  it('show a parameter of the configuration whole', () => {
    const fact = judged(fromKeyBlock(), assumeFinal(keyBlock.id));
    if (fact.kind !== 'config' || !fact.found) throw new Error('expected a parameter');
    const hash = Buffer.from(fact.cell.ref(0).hash(0)); // the list of validators
    refused(() => fromKeyBlock(configProof(keyBlock, (cell) => cell.hash().equals(hash))), 'trust/pruned', {
      path: 'fact',
    });
  });
});

describe('an account in a certificate', () => {
  const account = factOf('account');

  it('has the contents that stand beside its proofs, and none where nothing stands there', () => {
    const hash = account.contents!.hash(0);
    expect(judged(account)).toMatchObject({ kind: 'account', found: true, accountHash: hash });
    expect((judged(account) as AccountFact).cell?.hash(0)).toEqual(hash);
    const bare = judged({ ...account, contents: undefined });
    expect(bare).toMatchObject({ kind: 'account', found: true, accountHash: hash });
    expect(bare).not.toHaveProperty('cell');
  });

  it('has no contents of another account, nor any other cell', () => {
    const other = own(beginCell().storeUint(1, 1).endCell());
    for (const contents of [other, factOf('transaction').transaction!]) {
      refused(() => judged({ ...account, contents }), 'trust/account-hash');
    }
  });
});

describe('a fact that something is absent', () => {
  it('brings no contents, of a transaction as little as of an account', () => {
    const contents = own(beginCell().storeUint(1, 1).endCell());
    const transaction = factOf('absent-transaction');
    expect(judged(transaction)).toMatchObject({ found: false });
    refused(() => judged({ ...transaction, transaction: contents }), 'cert/claim', { path: 'fact' });
    for (const fact of facts) {
      if (fact.kind !== 'absent-account' || fact.state === undefined) continue;
      expect(judged(fact)).toMatchObject({ found: false });
      refused(() => judged({ ...fact, contents }), 'cert/claim', { path: 'fact' });
    }
  });

  it('has a way that leads to a shard, where it names a state of one', () => {
    const entry = casesOf('account-state').find(({ id }) => id.includes('mainnet-2025-06'))!;
    const trusted = assumeFinal(blockId(entry.trusted));
    const account = { workchain: 7, address: accountOf(entry.account!).address };
    const answer = { shardProof: bytesOf(entry, 'shardProof'), proof: new Uint8Array(0) };
    const part = cutFor({ kind: 'account', account, answer }, trusted);
    if (part.kind !== 'absent-account' || part.way?.by !== 'state') throw new Error('expected a way by state');
    const { block, state } = part.way;
    refused(() => judged({ ...part, state: { block, state } }, trusted), 'trust/not-listed');
  });
});

describe('a way by links', () => {
  it('is refused by the place of the link that does not hold', () => {
    for (const entry of casesOf('shard-block-proof')) {
      const trusted = assumeFinal(blockId(entry.trusted));
      const answer: unknown = JSON.parse(Buffer.from(bytesOf(entry, 'answer')).toString('utf8'));
      const block = blockId(entry.request!.block!);
      const part = cutFor({ kind: 'shard-block', block, way: { links: answer } }, trusted);
      if (part.kind !== 'shard-block' || part.way?.by !== 'links') throw new Error('expected links');
      const { proofs } = part.way;
      if (proofs.length < 2) continue;
      const [first, second] = proofs;
      const twice = [first!, second!, second!, ...proofs.slice(2)];
      refused(() => judged({ ...part, way: { by: 'links', proofs: twice } }, trusted), 'trust/root-hash', {
        path: expect.stringMatching(/^fact\.links\[2\]/),
      });
    }
  });
});

describe('a message', () => {
  const entry = caseNamed('transaction/mainnet-2026-05-jetton-notification-1');
  const account = accountOf(entry.request!.account!);
  const lt = BigInt(entry.request!.lt!);
  const recorded = coreCell(bytesOf(entry, 'transaction'));

  /** A block of one transaction. */
  function blockWith(transaction: CoreCell) {
    const accountBlocks = accountBlocksWith([{ account, transactions: [{ lt, cell: transaction }] }]);
    return makeShardBlock(12, WHOLE, { accountBlocks, ltRange: [lt - 1n, lt + 1n] });
  }
  const certified = (transaction: CoreCell, message: number | 'in') => {
    const block = blockWith(transaction);
    const answer = { proof: bocOf(block.root), transaction: bocOf(transaction) };
    const below = assumeFinal(block.id);
    return judged(cutFor({ kind: 'transaction', account, lt, message, answer }, below), below);
  };

  it('that went out is the one of its place', () => {
    const block = blockWith(recorded);
    const fact = verifyTransaction({ proof: bocOf(block.root) }, assumeFinal(block.id), { account, lt });
    if (!fact.found) throw new Error('expected a transaction');
    const sent = messagesOf(fact).filter(({ direction }) => direction === 'out');
    expect(sent.length).toBeGreaterThan(1);
    for (const { index, hash } of sent) {
      expect(certified(recorded, index!)).toMatchObject({
        kind: 'message',
        message: { direction: 'out', index, hash },
      });
    }
    refused(() => certified(recorded, sent.length), 'cert/claim');
    expect(certified(recorded, 'in')).toMatchObject({ message: { direction: 'in' } });
  });

  it('that came in is not the first that went out, where none came in', () => {
    const silent = replaceAt(recorded, [0], (cell) => {
      const rest = cell.beginParse();
      expect(rest.loadBit()).toBe(true);
      rest.loadRef();
      return beginCell().storeBit(false).storeSlice(rest).endCell();
    });
    expect(certified(silent, 0)).toMatchObject({ message: { direction: 'out', index: 0 } });
    refused(() => certified(silent, 'in'), 'cert/claim');
    expect(IN_MESSAGE).toBe(0xffff);
  });
});

describe('an account', () => {
  const address = new Uint8Array(32).fill(7);
  // account$1 of an account without code: one cell.
  const nobody = beginCell()
    .storeUint(0b1, 1)
    .storeUint(0b100, 3)
    .storeInt(-1, 8)
    .storeBuffer(Buffer.from(address))
    .storeUint(0, 6 + 6 + 3 + 32 + 1)
    .storeUint(9, 64)
    .storeUint(0, 5)
    .storeUint(0, 2)
    .endCell();

  /** The account as a fact under a block of its own. */
  function certified(splitDepth: number) {
    const entry = beginCell()
      .storeUint(0b10, 2)
      .storeUint(256, 9)
      .storeBuffer(Buffer.from(address))
      .storeUint(splitDepth, 5)
      .storeUint(0, 5)
      .storeRef(nobody)
      .storeUint(3, 256)
      .storeUint(4, 64)
      .endCell();
    const accounts = beginCell().storeBit(true).storeRef(entry).storeUint(0, 10).endCell();
    const by = committee('c');
    const state = makeState({ seqno: 6, config: configCell({ elected: by }), accounts });
    const block = makeBlock({ seqno: 6, signedBy: by, prevKeyBlockSeqno: 0, state });
    const below = assumeFinal(block.id);
    const proof = bagOf(merkleProof(block.root), merkleProof(state));
    const account = { workchain: -1, address };
    const part = cutFor({ kind: 'account', account, answer: { proof, state: bocOf(nobody) } }, below);
    if (part.kind !== 'account') throw new Error('expected an account');
    return { part, below };
  }

  it('is shown by its proof as a hash alone, though its contents are read beside it', () => {
    const { part, below } = certified(0);
    expect(judged(reread(part), below)).toMatchObject({ kind: 'account', found: true });
    const whole = (cell: CoreCell): CoreCell =>
      cell.isExotic && cell.hash(0).equals(nobody.hash())
        ? nobody
        : new CoreCell({ bits: cell.bits, refs: cell.refs.map(whole), exotic: cell.isExotic });
    const [shown] = coreCell(writeBoc(part.state!.state)).refs;
    const twice = { ...part, state: { ...part.state!, state: own(merkleProof(whole(shown!))) } };
    refused(() => judged(reread(twice), below), 'cert/unused-cells', { path: 'fact' });
  });

  it('is split at a depth of 30 at most', () => {
    const { part, below } = certified(30);
    expect(judged(part, below)).toMatchObject({ found: true });
    refused(() => certified(31), 'decode/boc', { message: expect.stringMatching(/a split depth above 30/) });
  });
});
