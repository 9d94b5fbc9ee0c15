/** The ways to cheat about what stands in a final block, A1 to A20 of the list in `docs/inclusion.md`, one test each or more. */
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/core/base/errors.ts';
import { parseSingleRoot } from '../../../src/core/cells/boc.ts';
import { recutFact } from '../../../src/core/certificate/build-fact.ts';
import type { FactParts } from '../../../src/core/certificate/fact-parts.ts';
import { judgeFact } from '../../../src/core/certificate/judge-fact.ts';
import { checkpointFromZerostate } from '../../../src/core/chain/checkpoint.ts';
import { verifyBlockProof } from '../../../src/core/chain/walk.ts';
import { parseAccountId } from '../../../src/core/facts/account-id.ts';
import { verifyAccount } from '../../../src/core/facts/account-state.ts';
import { verifyBlockTransactions } from '../../../src/core/facts/block-list.ts';
import { verifyConfig } from '../../../src/core/facts/config-param.ts';
import { blockOfCheckpoint, blockOfWalk } from '../../../src/core/facts/final-block.ts';
import { verifyHistory } from '../../../src/core/facts/history.ts';
import { verifyLibrary } from '../../../src/core/facts/library.ts';
import { messagesOf } from '../../../src/core/facts/messages.ts';
import { assumeFinal, factsOf, type ProvenBlock } from '../../../src/core/facts/proven-block.ts';
import { verifyShardBlock, verifyShardTop } from '../../../src/core/facts/shard-top.ts';
import { requireSuccess, verifyTransaction } from '../../../src/core/facts/transaction.ts';
import { parseLiteAnswer } from '../../../src/net/lite-api/read-answers.ts';
import { beginCell, bocOf, CoreCell, merkleProof, merkleUpdate, prune, prunedBranch } from '../../helpers/cells.ts';
import {
  bagOf,
  blockFrom,
  cellAt,
  coreCell,
  coreRoots,
  cutOut,
  replaceAt,
  writeBits,
} from '../../helpers/cut-proofs.ts';
import { accountsWith, totalsWith } from '../../helpers/dictionaries.ts';
import {
  accountOf,
  blockId,
  bytesOf,
  caseNamed,
  casesOf,
  LIVE,
  liveAnswer,
  liveBytes,
} from '../../helpers/inclusion.ts';
import {
  committee,
  configCell,
  GLOBAL_ID,
  headerOf,
  makeBlock,
  makeState,
  proofShowing,
  wholeProof,
} from '../../helpers/make-chain.ts';
import {
  LEFT,
  leafOf,
  makeShardBlock as madeShard,
  master,
  prevProof,
  RIGHT,
  answer as shardAnswer,
  WHOLE,
} from '../../helpers/make-shards.ts';
import { readVectorBytes } from '../../helpers/vectors.ts';

const refused = (run: () => unknown, expected: string) => {
  let code = 'taken';
  try {
    run();
  } catch (error) {
    code = (error as { code?: string }).code ?? String(error);
  }
  expect(code).toBe(expected);
};

const JETTON = caseNamed('transaction/mainnet-2026-05-jetton-notification-1');
const OTHER = caseNamed('transaction/mainnet-2026-05-jetton-notification-2');
const request = (entry: typeof JETTON) => ({
  account: accountOf(entry.request!.account!),
  lt: BigInt(entry.request!.lt!),
});
const answer = (entry: typeof JETTON) => ({
  proof: bytesOf(entry, 'proof'),
  transaction: bytesOf(entry, 'transaction'),
});
const blockOfCase = (entry: typeof JETTON) => assumeFinal(blockId(entry.trusted));

const NEIGHBOURS = casesOf('account-state').filter(({ id }) => id.includes('mainnet-2025-06'));
const state = (entry: typeof JETTON) => ({
  proof: bytesOf(entry, 'proof'),
  shardProof: bytesOf(entry, 'shardProof'),
  state: bytesOf(entry, 'state'),
  shardBlock: blockId(entry.shardBlock!),
});
const holder = accountOf(NEIGHBOURS[0]!.account!);

const zerostate = checkpointFromZerostate(readVectorBytes('live/answers/zerostate.boc'), LIVE.zerostate);
const walk = verifyBlockProof(liveBytes('proof-zerostate-to-block.tl'), zerostate, { expect: LIVE.block });
const live = blockOfWalk(walk);

/** A shard block with one transaction, whole. */
const SINGLE = caseNamed('shard-block-proof/mainnet-1459996-sixteen-shards-with-transactions');
const single = coreCell(bytesOf(SINGLE, 'block'));
const singleId = blockId(SINGLE.request!.block!);
const singleAccount = accountOf(SINGLE.expect.transactions[0].account);
const singleLt = BigInt(SINGLE.expect.transactions[0].lt);
/** block -> extra -> account_blocks -> the one account. */
const LEAF = [3, 2, 0];

describe('A1: a transaction of one block under the finality of another', () => {
  it('is refused, whichever of the two is swapped', () => {
    refused(
      () =>
        verifyTransaction(answer(JETTON), blockOfCase(caseNamed('transaction/2025-07-external-out')), request(JETTON)),
      'trust/wrong-shard',
    );
    refused(
      () =>
        verifyTransaction(
          answer(JETTON),
          assumeFinal({ ...blockId(JETTON.trusted), rootHash: new Uint8Array(32) }),
          request(JETTON),
        ),
      'trust/root-hash',
    );
  });

  it('has no block to stand on that was not proven here', () => {
    const block = blockOfCase(JETTON);
    const forged = [
      blockId(JETTON.trusted),
      { ...block },
      structuredClone(block),
      Object.create(block),
      null,
      5,
    ] as unknown as ProvenBlock[];
    for (const one of forged)
      refused(() => verifyTransaction(answer(JETTON), one, request(JETTON)), 'trust/unproven-block');
    refused(() => blockOfWalk({ ...walk }), 'trust/unproven-block');
  });

  it('gains nothing by writing over the bytes of a proven block', () => {
    const block = blockOfCase(JETTON);
    const id = blockId(JETTON.trusted);
    const other = assumeFinal(id);
    block.id.rootHash.fill(0);
    block.path[0]!.block.rootHash.fill(0);
    id.rootHash.fill(0);
    for (const one of [block, other]) expect(verifyTransaction(answer(JETTON), one, request(JETTON)).found).toBe(true);
  });
});

describe('A2: the header of one block with the state of another', () => {
  it('is refused for all twenty pairs of five neighbouring blocks', () => {
    let pairs = 0;
    for (const a of NEIGHBOURS) {
      for (const b of NEIGHBOURS) {
        if (a === b) continue;
        pairs++;
        const mixed = bagOf(coreRoots(bytesOf(a, 'proof'))[0]!, coreRoots(bytesOf(b, 'proof'))[1]!);
        refused(() => verifyAccount({ ...state(a), proof: mixed }, blockOfCase(a), holder), 'trust/state-hash');
        const mixedTop = bagOf(coreRoots(bytesOf(a, 'shardProof'))[0]!, coreRoots(bytesOf(b, 'shardProof'))[1]!);
        refused(() => verifyAccount({ ...state(a), shardProof: mixedTop }, blockOfCase(a), holder), 'trust/state-hash');
      }
    }
    expect(pairs).toBe(20);
  });

  it('is refused when the proof of the shard is that of another masterchain block', () => {
    const [a, b] = NEIGHBOURS;
    refused(
      () => verifyAccount({ ...state(a!), shardProof: bytesOf(b!, 'shardProof') }, blockOfCase(a!), holder),
      'trust/root-hash',
    );
    refused(
      () => verifyAccount({ ...state(b!), shardProof: bytesOf(a!, 'shardProof') }, blockOfCase(a!), holder),
      'trust/not-listed',
    );
  });
});

describe('A3: a branch that was cut off', () => {
  it('is never an absence: of any cell of a transaction proof', () => {
    const proof = coreCell(bytesOf(JETTON, 'proof'));
    const hashes = new Set<string>();
    const collect = (cell: CoreCell): void => {
      if (!cell.isExotic) hashes.add(cell.hash(0).toString('hex'));
      for (const ref of cell.refs) collect(ref);
    };
    collect(proof.refs[0]!);
    let pruned = 0;
    for (const hash of hashes) {
      const cut = bocOf(cutOut(proof, hash));
      try {
        const fact = verifyTransaction({ ...answer(JETTON), proof: cut }, blockOfCase(JETTON), request(JETTON));
        expect(fact.found).toBe(true); // a cell that nobody reads
      } catch (error) {
        expect((error as { code: string }).code).toBe('trust/pruned');
        pruned++;
      }
    }
    expect(pruned).toBeGreaterThan(4);
  });

  it('is never an absence: of any cell of a proof that an account is absent', () => {
    const entry = caseNamed('account-state/mainnet-2026-07-absent');
    const [header, proof] = coreRoots(bytesOf(entry, 'proof'));
    const hashes = new Set<string>();
    const collect = (cell: CoreCell): void => {
      if (!cell.isExotic) hashes.add(cell.hash(0).toString('hex'));
      for (const ref of cell.refs) collect(ref);
    };
    collect(proof!.refs[0]!);
    const counts = { pruned: 0, unread: 0 };
    for (const hash of hashes) {
      const cut = { proof: bagOf(header!, cutOut(proof!, hash)), shardProof: bytesOf(entry, 'shardProof') };
      try {
        expect(verifyAccount(cut, blockOfCase(entry), accountOf(entry.account!)).found).toBe(false);
        counts.unread++;
      } catch (error) {
        expect((error as { code: string }).code).toBe('trust/pruned');
        counts.pruned++;
      }
    }
    // State, accounts, and every node on the way to where the account would be.
    expect(counts.pruned).toBeGreaterThan(5);
  });
});

describe('A4, A5: an account of another workchain or shard', () => {
  it('cannot stand in the block', () => {
    const { account, lt } = request(JETTON);
    refused(
      () => verifyTransaction(answer(JETTON), blockOfCase(JETTON), { lt, account: { ...account, workchain: -1 } }),
      'trust/wrong-shard',
    );
    const block = verifyShardTop(state(NEIGHBOURS[0]!), blockOfCase(NEIGHBOURS[0]!), holder);
    const elsewhere = Uint8Array.from(holder.address);
    elsewhere[0]! ^= 0x80;
    refused(
      () => verifyAccount({ proof: bytesOf(NEIGHBOURS[0]!, 'proof') }, block, { workchain: 0, address: elsewhere }),
      'trust/wrong-shard',
    );
    const other = { workchain: 0, address: elsewhere };
    const { shardBlock: _named, ...unnamed } = state(NEIGHBOURS[0]!);
    for (const prove of [verifyAccount, verifyShardTop]) {
      refused(() => prove(state(NEIGHBOURS[0]!), blockOfCase(NEIGHBOURS[0]!), other), 'trust/wrong-shard');
      // Of whom the answer is nobody says here: what is seen is that the way to the account is cut off.
      refused(() => prove(unnamed, blockOfCase(NEIGHBOURS[0]!), other), 'trust/pruned');
    }
    refused(
      () => verifyAccount(state(NEIGHBOURS[0]!), blockOfCase(NEIGHBOURS[0]!), { ...holder, workchain: -1 }),
      'trust/contradiction',
    );
  });
});

describe('A6: a shard block under another name', () => {
  const entry = NEIGHBOURS[2]!;
  it.each([
    ['seqno', 'trust/header', (id: typeof live.id) => ({ ...id, seqno: id.seqno + 1 })],
    // A proof is of the root hash: that of the file is bound by whoever proved the block.
    ['file hash', 'taken', (id: typeof live.id) => ({ ...id, fileHash: new Uint8Array(32) })],
    ['root hash', 'trust/root-hash', (id: typeof live.id) => ({ ...id, rootHash: new Uint8Array(32) })],
    ['a shard twice as wide', 'trust/header', (id: typeof live.id) => ({ ...id, shard: 1n << 62n })],
    ['a shard half as wide', 'trust/wrong-shard', (id: typeof live.id) => ({ ...id, shard: id.shard - (1n << 59n) })],
  ])('is not the one that is listed: %s', (_, code, change) => {
    const named = change(blockId(entry.shardBlock!));
    refused(
      () => verifyAccount({ ...state(entry), shardBlock: named }, blockOfCase(entry), holder),
      code === 'trust/wrong-shard' ? code : 'trust/not-listed', // that half does not hold the account
    );
    const json = JSON.parse(
      Buffer.from(bytesOf(caseNamed(entry.id.replace('account-state', 'shard-block-proof')), 'answer')).toString(),
    );
    refused(() => verifyShardBlock(json, blockOfCase(entry), named), 'trust/incomplete');
    refused(
      () =>
        verifyAccount({ proof: bytesOf(entry, 'proof'), state: bytesOf(entry, 'state') }, assumeFinal(named), holder),
      code,
    );
  });

  /** WHOLE, made of LEFT and RIGHT, listed by a masterchain block. */
  const [left, right] = [madeShard(12, LEFT), madeShard(13, RIGHT)];
  const merged = madeShard(14, WHOLE, { previous: [left.id, right.id], afterMerge: true });
  const joined = master(leafOf(merged.id));
  const wayTo = (id: typeof live.id) =>
    shardAnswer(joined.block, [
      { id: merged.id, proof: joined.proof },
      { id, proof: prevProof(merged) },
    ]);

  it('is a parent of a merge under its own name, whichever of the two', () => {
    for (const { id } of [left, right]) {
      expect(verifyShardBlock(wayTo(id), assumeFinal(joined.block.id), id).id).toEqual(id);
    }
  });

  it('is not the parent of a merge under the name of the other, nor any block beside the two', () => {
    const block = assumeFinal(joined.block.id);
    expect(() => verifyShardBlock(wayTo(left.id), block, right.id)).toThrow(
      expect.objectContaining({ code: 'trust/incomplete', path: 'links' }) as Error,
    );
    for (const named of [
      { ...left.id, shard: right.id.shard },
      { ...left.id, seqno: right.id.seqno },
      { ...left.id, fileHash: right.id.fileHash },
      { ...left.id, shard: merged.id.shard },
      madeShard(12, LEFT, { genUtime: 1_500_001 }).id,
      merged.id,
    ]) {
      refused(() => verifyShardBlock(wayTo(named), block), 'trust/not-listed');
      refused(() => verifyShardBlock(wayTo(named), block, named), 'trust/not-listed');
    }
  });

  it('is not the other parent of a merge: in a certificate the account says which of the two is meant', () => {
    const key = (top: number) => ({ workchain: 0, address: new Uint8Array(32).fill(top, 0, 1) });
    const parts = (account: ReturnType<typeof key>, id: typeof live.id): FactParts => ({
      kind: 'shard-block',
      key: new DataView(account.address.buffer).getBigUint64(0),
      workchain: 0,
      shard: id.shard,
      seqno: id.seqno,
      way: { by: 'links', proofs: [joined.proof, prevProof(merged)].map((proof) => parseSingleRoot(proof)) },
    });
    const facts = factsOf(assumeFinal(joined.block.id));
    const judged = (part: FactParts) => judgeFact(recutFact(part, facts, 'fact'), facts, 'fact');
    expect(judged(parts(key(0x40), left.id)).block).toEqual(left.id);
    expect(judged(parts(key(0xc0), right.id)).block).toEqual(right.id);
    refused(() => judged(parts(key(0x40), right.id)), 'cert/claim');
    refused(() => judged(parts(key(0xc0), left.id)), 'cert/claim');
  });

  it('is not the parent after a split: the account stands in the half that holds it', () => {
    const parent = madeShard(10, WHOLE);
    const half = madeShard(11, RIGHT, { previous: [parent.id], afterSplit: true });
    const inLeft = { workchain: 0, address: new Uint8Array(32) };
    const proof = proofShowing(half.root, headerOf(half));
    refused(() => verifyTransaction({ proof }, assumeFinal(half.id), { account: inLeft, lt: 1n }), 'trust/wrong-shard');
    const renamed = assumeFinal({ ...half.id, shard: parent.id.shard });
    refused(() => verifyTransaction({ proof }, renamed, { account: inLeft, lt: 1n }), 'trust/header');
  });
});

describe('A8: a transaction that stands elsewhere in the block', () => {
  it('is not one of the account, wherever its cell is buried', () => {
    const transaction = cellAt(single, LEAF).refs.find(
      (ref) => ref.hash().toString('hex') === SINGLE.expect.transactions[0].hash,
    )!;
    // The list of accounts is emptied; the transaction moves below the random seed's neighbour, in_msg_descr.
    const emptied = replaceAt(
      replaceAt(single, [3, 2], () => beginCell().storeUint(0, 6).endCell()),
      [3, 0],
      () => transaction,
    );
    const { boc, block } = blockFrom(emptied, singleId);
    const asked = { account: singleAccount, lt: singleLt };
    expect(verifyTransaction({ proof: boc }, block, asked)).toMatchObject({
      found: false,
      reason: 'account-not-in-block',
    });
    refused(
      () => verifyTransaction({ proof: boc, transaction: bocOf(transaction) }, block, asked),
      'trust/contradiction',
    );
    expect(verifyBlockTransactions({ proof: boc }, block).entries).toEqual([]);
  });
});

describe('A9: cells that pretend', () => {
  it('a data cell with the bits of a pruned branch is read as data', () => {
    const looks = beginCell().storeUint(0x0101, 16).storeBuffer(Buffer.alloc(34)).endCell();
    const { boc, block } = blockFrom(
      replaceAt(single, [3, 2], () => looks),
      singleId,
    );
    refused(() => verifyTransaction({ proof: boc }, block, { account: singleAccount, lt: singleLt }), 'decode/boc');
  });

  it('a transaction with a pruned branch, or inside a proof, is none', () => {
    const whole = coreCell(bytesOf(JETTON, 'transaction'));
    const cut = prune(whole, (cell) => cell !== whole);
    for (const transaction of [bocOf(merkleProof(whole)), bocOf(cut)]) {
      refused(
        () => verifyTransaction({ ...answer(JETTON), transaction }, blockOfCase(JETTON), request(JETTON)),
        'trust/transaction-hash',
      );
    }
  });

  it('a proof in a proof, and one that is short of a level, is none', () => {
    const proof = coreCell(bytesOf(JETTON, 'proof'));
    for (const forged of [merkleProof(proof), merkleUpdate(proof.refs[0]!, proof.refs[0]!)]) {
      refused(
        () => verifyTransaction({ ...answer(JETTON), proof: bocOf(forged) }, blockOfCase(JETTON), request(JETTON)),
        'trust/root-hash',
      );
    }
  });
});

describe('A10: a logical time or a place of another account', () => {
  it('is not the one that is asked for', () => {
    const asked = { account: request(JETTON).account, lt: request(OTHER).lt };
    expect(() => verifyTransaction(answer(JETTON), blockOfCase(JETTON), asked)).toThrow(
      expect.objectContaining({ code: 'trust/contradiction' }),
    );
    expect(verifyTransaction({ proof: bytesOf(JETTON, 'proof') }, blockOfCase(JETTON), asked)).toMatchObject({
      found: false,
      reason: 'lt-not-in-account',
    });
    expect(
      verifyTransaction({ proof: bytesOf(JETTON, 'proof') }, blockOfCase(JETTON), { ...asked, lt: 5n }),
    ).toMatchObject({ found: false, reason: 'lt-outside-block' });
    // Who asks for success, or names a hash, asks for a transaction that is there.
    for (const [more, code] of [
      [{ requireSuccess: true }, 'trust/aborted'],
      [{ hash: new Uint8Array(32) }, 'trust/transaction-hash'],
    ] as const) {
      for (const lt of [asked.lt, 5n]) {
        refused(
          () => verifyTransaction({ proof: bytesOf(JETTON, 'proof') }, blockOfCase(JETTON), { ...asked, lt, ...more }),
          code,
        );
      }
    }
    refused(
      () =>
        verifyTransaction(
          { ...answer(JETTON), transaction: bytesOf(OTHER, 'transaction') },
          blockOfCase(JETTON),
          request(JETTON),
        ),
      'trust/transaction-hash',
    );
    refused(
      () => verifyTransaction(answer(JETTON), blockOfCase(JETTON), { ...request(JETTON), hash: new Uint8Array(32) }),
      'trust/transaction-hash',
    );
  });

  it('stands under a key that is not its own', () => {
    const leaf = cellAt(single, LEAF);
    // Label of 2 + 9 + 256 bits, no currency (5 bits of zero or more), tag 5, then the address.
    const slice = leaf.beginParse();
    slice.skip(267);
    const grams = slice.loadUint(4);
    const at = 267 + 4 + 8 * grams + 1 + 4;
    const { boc, block } = blockFrom(
      replaceAt(single, LEAF, () => writeBits(leaf, at, leaf.bits.at(at) ? '0' : '1')),
      singleId,
    );
    refused(() => verifyTransaction({ proof: boc }, block, { account: singleAccount, lt: singleLt }), 'decode/boc');
    refused(() => verifyBlockTransactions({ proof: boc }, block), 'decode/boc');
  });

  it('stands in a transaction that names another account or time', () => {
    const leaf = cellAt(single, LEAF);
    const k = leaf.refs.findIndex((ref) => ref.hash().toString('hex') === SINGLE.expect.transactions[0].hash);
    for (const bit of [4, 4 + 256 + 63]) {
      const { boc, block } = blockFrom(
        replaceAt(single, [...LEAF, k], (cell) => writeBits(cell, bit, cell.bits.at(bit) ? '0' : '1')),
        singleId,
      );
      refused(
        () => verifyTransaction({ proof: boc }, block, { account: singleAccount, lt: singleLt }),
        'trust/transaction-hash',
      );
      refused(() => verifyBlockTransactions({ proof: boc }, block), 'trust/block-list');
    }
  });
});

describe('A11: the state of another account', () => {
  it('is refused by its hash, and by the address in it', () => {
    const entry = NEIGHBOURS[0]!;
    const other = bytesOf(caseNamed('account-state/mainnet-2026-07-basechain'), 'state');
    refused(() => verifyAccount({ ...state(entry), state: other }, blockOfCase(entry), holder), 'trust/account-hash');
    // A state in which the entry of one account holds the cell of another.
    const account = coreCell(other);
    const accounts = accountsWith([{ account: holder, cell: account }]);
    const config = configCell({ elected: committee('a') });
    const stateCell = makeState({ seqno: 5, config, accounts });
    const made = makeBlock({ seqno: 5, signedBy: committee('a'), prevKeyBlockSeqno: 0, state: stateCell });
    const proof = bagOf(merkleProof(made.root), merkleProof(stateCell));
    const id = { ...holder, workchain: -1 };
    refused(() => verifyAccount({ proof, state: other }, assumeFinal(made.id), id), 'trust/account-hash');
    refused(() => verifyAccount({ proof }, assumeFinal(made.id), id), 'trust/state-missing');
    refused(() => verifyAccount({ proof }, assumeFinal(made.id), id, { bag: 'optional' }), 'trust/account-hash');
  });

  it('is neither withheld nor invented', () => {
    const entry = NEIGHBOURS[0]!;
    const { state: given, ...withheld } = state(entry);
    refused(() => verifyAccount(withheld, blockOfCase(entry), holder), 'trust/state-missing');
    expect(verifyAccount(withheld, blockOfCase(entry), holder, { bag: 'optional' })).toMatchObject({
      found: true,
    });
    const absent = caseNamed('account-state/mainnet-2026-07-absent');
    const invented = { proof: bytesOf(absent, 'proof'), shardProof: bytesOf(absent, 'shardProof'), state: given };
    refused(() => verifyAccount(invented, blockOfCase(absent), accountOf(absent.account!)), 'trust/contradiction');
  });
});

describe('A12: roots that do not belong', () => {
  it('are refused: one more, one less, swapped', () => {
    const entry = NEIGHBOURS[0]!;
    const [header, stateProof] = coreRoots(bytesOf(entry, 'proof'));
    const more = bagOf(header!, stateProof!, beginCell().storeUint(1, 8).endCell());
    refused(() => verifyAccount({ ...state(entry), proof: more }, blockOfCase(entry), holder), 'decode/boc');
    refused(() => verifyAccount({ ...state(entry), proof: bagOf(header!) }, blockOfCase(entry), holder), 'decode/boc');
    refused(
      () => verifyAccount({ ...state(entry), proof: bagOf(stateProof!, header!) }, blockOfCase(entry), holder),
      'trust/root-hash',
    );
    const two = bagOf(coreCell(bytesOf(JETTON, 'proof')), coreCell(bytesOf(JETTON, 'transaction')));
    refused(() => verifyTransaction({ proof: two }, blockOfCase(JETTON), request(JETTON)), 'decode/boc');
  });
});

describe('A13: messages that their transaction cannot have', () => {
  const transaction = coreCell(bytesOf(JETTON, 'transaction'));
  const messages = (changed: CoreCell) => {
    const { account, lt } = request(JETTON);
    const from = { account, lt, hash: Uint8Array.from(changed.hash()) };
    return messagesOf(verifyHistory([{ transactions: bocOf(changed) }], from)[0]!);
  };
  const inMessage = cellAt(transaction, [0, 0]);

  it('are all there as recorded', () => expect(messages(transaction)).toHaveLength(3));

  it('what came in is not what went out', () => {
    const outLeaf = (cell: CoreCell): CoreCell =>
      cell.refs.length === 1
        ? new CoreCell({ bits: cell.bits, refs: [inMessage] })
        : new CoreCell({ bits: cell.bits, refs: cell.refs.map(outLeaf) });
    refused(() => messages(replaceAt(transaction, [0, 1], outLeaf)), 'trust/message');
    const out = cellAt(transaction, [0, 1]);
    const first = out.refs[0]!.refs[0]!;
    refused(() => messages(replaceAt(transaction, [0, 0], () => first)), 'trust/message');
  });

  it('none is left out', () => {
    const none = beginCell().storeBit(true).storeRef(inMessage).storeBit(false).endCell();
    refused(() => messages(replaceAt(transaction, [0], () => none)), 'trust/message');
  });

  it('a source is forged only outside the chain', () => {
    const forged = beginCell()
      .storeUint(0b10, 2)
      .store((builder) => builder.storeUint(0b100, 3).storeInt(0, 8).storeUint(7, 256));
    const external = forged
      .store((builder) =>
        builder
          .storeUint(0b100, 3)
          .storeInt(0, 8)
          .storeBuffer(Buffer.from(request(JETTON).account.address)),
      )
      .storeUint(0, 4)
      .storeUint(0, 2)
      .endCell();
    refused(() => messages(replaceAt(transaction, [0, 0], () => external)), 'decode/boc');
  });
});

describe('A14: a transaction that failed', () => {
  const entry = caseNamed('whole-blocks/mainnet-2026-07-81372691');
  const block = assumeFinal(blockId(entry.shardBlock!));
  const list = verifyBlockTransactions({ proof: bytesOf(entry, 'shardBlock') }, block).entries;

  it('is no payment when success is asked for', () => {
    const failed = list.filter(({ transaction }) => !transaction!.outcome.success);
    const aborted = entry.expect.transactions.filter(({ aborted }: { aborted: boolean }) => aborted);
    expect(failed.length).toBeGreaterThanOrEqual(aborted.length);
    for (const fact of list) {
      const { account, lt } = fact;
      const asked = { account, lt, requireSuccess: true };
      const run = () => verifyTransaction({ proof: bytesOf(entry, 'shardBlock') }, block, asked);
      if (failed.includes(fact)) refused(run, 'trust/aborted');
      else expect(run().found).toBe(true);
    }
  });

  it('says so also when only its hash was proven: nothing is assumed', () => {
    const fact = verifyTransaction({ proof: bytesOf(JETTON, 'proof') }, blockOfCase(JETTON), request(JETTON));
    if (!fact.found) throw new Error('expected a transaction');
    refused(() => requireSuccess(fact), 'trust/state-missing');
    refused(() => messagesOf(fact), 'trust/state-missing');
    refused(() => messagesOf({ ...list[0]! }), 'trust/unproven-block');
  });
});

describe('A15: configuration of another key block', () => {
  it('is refused, and a parameter that is cut off is not absent', () => {
    const fromKeyBlock = parseLiteAnswer(liveBytes('config-from-key-block.tl'), 'config');
    const { id, ...unnamed } = fromKeyBlock;
    refused(() => verifyConfig(unnamed, live, 34), 'trust/root-hash');
    refused(() => verifyConfig(fromKeyBlock, blockOfCheckpoint(zerostate), 34), 'trust/not-connected');
    expect(id).toEqual(LIVE.keyBlock);
    refused(() => verifyConfig(fromKeyBlock, blockOfCheckpoint(walk.checkpoint), 30), 'trust/pruned');
    const fromState = parseLiteAnswer(liveBytes('config-from-state.tl'), 'config');
    refused(() => verifyConfig({ ...fromState, stateProof: new Uint8Array(0) }, live, 28), 'trust/state-hash');
    refused(() => verifyConfig(fromState, live, 29), 'trust/pruned');
  });
});

describe('A16: a library', () => {
  const library = beginCell().storeUint(0xbeef, 16).storeRef(beginCell().storeUint(1, 8).endCell()).endCell();
  const hash = Uint8Array.from(library.hash());
  const made = (under: Uint8Array, stored: CoreCell) => {
    const totals = totalsWith(stored, under);
    const stateCell = makeState({ seqno: 6, config: configCell({ elected: committee('l') }), totals });
    const block = makeBlock({ seqno: 6, signedBy: committee('l'), prevKeyBlockSeqno: 0, state: stateCell });
    return { block: assumeFinal(block.id), stateProof: wholeProof(block.root), dataProof: wholeProof(stateCell) };
  };

  it('is proven under its hash, and shown to be absent under another', () => {
    const { block, ...proofs } = made(hash, library);
    expect(verifyLibrary({ ...proofs, libraries: [{ hash, data: bocOf(library) }] }, block, hash)).toMatchObject({
      found: true,
    });
    expect(verifyLibrary(proofs, block, new Uint8Array(32))).toMatchObject({ found: false, reason: 'not-in-state' });
  });

  it('is shown where the proof or the answer shows it whole', () => {
    const { block, stateProof, dataProof } = made(hash, library);
    const shown = verifyLibrary({ stateProof, dataProof }, block, hash);
    expect(shown).toMatchObject({ kind: 'library', found: true, hash, block: block.id, genUtime: 1_500_000 });
    if (!shown.found) throw new Error('expected a library');
    expect(shown.cell!.hash(0)).toEqual(hash);
    const cut = (target: CoreCell) =>
      bocOf(merkleProof(prune(coreCell(dataProof).refs[0]!, (cell) => cell.hash(0).equals(target.hash()))));
    for (const target of [library, library.refs[0]!]) {
      const hidden = verifyLibrary({ stateProof, dataProof: cut(target) }, block, hash);
      expect(hidden).toMatchObject({ found: true });
      expect(hidden).not.toHaveProperty('cell');
      const libraries = [{ hash, data: bocOf(library) }];
      expect(verifyLibrary({ stateProof, dataProof: cut(target), libraries }, block, hash)).toHaveProperty('cell');
    }
    const part = prune(library, (cell) => cell.hash().equals(library.refs[0]!.hash()));
    refused(
      () => verifyLibrary({ stateProof, dataProof, libraries: [{ hash, data: bocOf(part) }] }, block, hash),
      'trust/library-hash',
    );
  });

  it('is absent where the state has no libraries at all', () => {
    const totals = beginCell().storeUint(0, 128).storeUint(0, 10).storeBit(false).storeBit(false).endCell();
    const stateCell = makeState({ seqno: 6, config: configCell({ elected: committee('l') }), totals });
    const block = makeBlock({ seqno: 6, signedBy: committee('l'), prevKeyBlockSeqno: 0, state: stateCell });
    const proofs = { stateProof: wholeProof(block.root), dataProof: wholeProof(stateCell) };
    expect(verifyLibrary(proofs, assumeFinal(block.id), hash)).toMatchObject({ found: false, reason: 'not-in-state' });
  });

  it('is refused when key, cell and data are not one', () => {
    const other = beginCell().storeUint(7, 8).endCell();
    const { block, ...proofs } = made(hash, library);
    refused(
      () => verifyLibrary({ ...proofs, libraries: [{ hash, data: bocOf(other) }] }, block, hash),
      'trust/library-hash',
    );
    const invented = { hash: new Uint8Array(32), data: bocOf(other) };
    refused(() => verifyLibrary({ ...proofs, libraries: [invented] }, block, invented.hash), 'trust/contradiction');
    const wrong = made(hash, other);
    refused(
      () => verifyLibrary({ stateProof: wrong.stateProof, dataProof: wrong.dataProof }, wrong.block, hash),
      'trust/library-hash',
    );
  });
});

describe('A17: a list of endless length out of few cells', () => {
  it('ends at its cap', () => {
    const leaf = cellAt(single, LEAF);
    const k = leaf.refs.findIndex((ref) => ref.hash().toString('hex') === SINGLE.expect.transactions[0].hash);
    const update = leaf.refs[leaf.refs.length - 1]!;
    let node = beginCell().storeUint(0b110, 3).storeUint(44, 6).storeUint(0, 5).storeRef(leaf.refs[k]!).endCell();
    for (let depth = 0; depth < 19; depth++)
      node = beginCell().storeUint(0, 2).storeUint(0, 5).storeRef(node).storeRef(node).endCell();
    const label = beginCell()
      .storeUint(0b10, 2)
      .storeUint(256, 9)
      .storeBuffer(Buffer.from(singleAccount.address))
      .storeUint(0, 5);
    const account = label
      .storeUint(5, 4)
      .storeBuffer(Buffer.from(singleAccount.address))
      .storeUint(0, 2)
      .storeUint(0, 5)
      .storeRef(node)
      .storeRef(node)
      .storeRef(update)
      .endCell();
    const { boc, block } = blockFrom(
      replaceAt(single, LEAF, () => account),
      singleId,
    );
    refused(() => verifyBlockTransactions({ proof: cutTransactions(boc, leaf.refs[k]!) }, block), 'decode/boc');
  });

  it('ends at its cap over all accounts together', () => {
    const leaf = cellAt(single, LEAF);
    const k = leaf.refs.findIndex((ref) => ref.hash().toString('hex') === SINGLE.expect.transactions[0].hash);
    const update = leaf.refs[leaf.refs.length - 1]!;
    /** 2^depth transactions of the account whose address begins with this bit, the rest of it zeros. */
    const account = (bit: 0 | 1, depth: number) => {
      let node = beginCell()
        .storeUint(0b110, 3)
        .storeUint(64 - depth, 6)
        .storeUint(0, 5)
        .storeRef(leaf.refs[k]!)
        .endCell();
      for (let level = 1; level < depth; level++)
        node = beginCell().storeUint(0, 2).storeUint(0, 5).storeRef(node).storeRef(node).endCell();
      return beginCell()
        .storeUint(0b110, 3)
        .storeUint(255, 8)
        .storeUint(0, 5)
        .storeUint(5, 4)
        .storeBit(bit)
        .storeUint(0, 255)
        .storeUint(0, 2)
        .storeRef(node)
        .storeRef(node)
        .storeUint(0, 5)
        .storeRef(update)
        .endCell();
    };
    const listed = (first: number, second: number) => {
      const both = beginCell().storeUint(0, 2).storeRef(account(0, first)).storeRef(account(1, second)).storeUint(0, 5);
      const { boc, block } = blockFrom(
        replaceAt(single, LEAF, () => both.endCell()),
        singleId,
      );
      return verifyBlockTransactions({ proof: cutTransactions(boc, leaf.refs[k]!) }, block);
    };
    expect(listed(15, 15).entries).toHaveLength(65_536);
    refused(() => listed(15, 16), 'decode/boc');
  });

  /** The same block as a proof in which the transaction itself is cut off, so that no entry is looked at. */
  function cutTransactions(boc: Uint8Array, transaction: CoreCell): Uint8Array {
    const hash = transaction.hash().toString('hex');
    const seen = new Map<string, CoreCell>();
    const cut = (cell: CoreCell): CoreCell => {
      const key = cell.hash().toString('hex');
      const known = seen.get(key);
      if (known !== undefined) return known;
      const made =
        key === hash
          ? prunedBranch(cell)
          : new CoreCell({ bits: cell.bits, refs: cell.refs.map(cut), exotic: cell.isExotic });
      seen.set(key, made);
      return made;
    };
    return bocOf(merkleProof(cut(coreCell(boc))));
  }
});

describe('A18: another network', () => {
  it('is told by the number in every block and state', () => {
    const config = configCell({ elected: committee('n') });
    const stateCell = makeState({
      seqno: 7,
      config,
      globalId: GLOBAL_ID - 1,
      accounts: beginCell().storeUint(0, 11).endCell(),
    });
    const made = makeBlock({ seqno: 7, signedBy: committee('n'), prevKeyBlockSeqno: 0, state: stateCell });
    const proof = bagOf(merkleProof(made.root), merkleProof(stateCell));
    const account = parseAccountId(`-1:${'00'.repeat(32)}`);
    refused(() => verifyAccount({ proof }, assumeFinal(made.id), account), 'trust/wrong-network');
  });
});

describe('A19: an old fact shown anew', () => {
  it('carries its block and time, which are the caller’s to look at', () => {
    const entry = NEIGHBOURS[0]!;
    const fact = verifyAccount(state(entry), blockOfCase(entry), holder);
    expect(fact.masterchain.seqno).toBe(entry.trusted.seqno);
    expect(fact.genUtime).toBe(entry.expect.shardBlockGenUtime);
    expect(fact.provenance).toEqual({ kind: 'assumed' });
  });
});

describe('A20: the hash of a cell that was cut off', () => {
  it('is that of what it stands for', () => {
    const fact = verifyTransaction({ proof: bytesOf(JETTON, 'proof') }, blockOfCase(JETTON), request(JETTON));
    expect(fact).toMatchObject({
      found: true,
      hash: Uint8Array.from(Buffer.from(JETTON.expect.transaction.hash, 'hex')),
    });
  });
});

describe('a list of transactions', () => {
  const list = parseLiteAnswer(liveBytes('list-transactions.tl'), 'block-transactions');

  it('is refused when it leaves one out, adds one, or swaps two', () => {
    const ids = list.ids!;
    for (const forged of [ids.slice(1), ids.slice(0, -1), [...ids, ids[0]!], [ids[1]!, ids[0]!, ...ids.slice(2)]]) {
      refused(() => verifyBlockTransactions({ ...list, ids: forged }, live), 'trust/block-list');
    }
  });

  it('is not all of the block when the server has more', () => {
    expect(verifyBlockTransactions({ ...list, ids: list.ids!.slice(0, 3), incomplete: true }, live)).toMatchObject({
      complete: false,
    });
    expect(verifyBlockTransactions({ ...list, incomplete: true }, live).complete).toBe(false);
  });

  it('is all of the block in pages, where each goes on behind the one before it and the last came to the end', () => {
    const all = verifyBlockTransactions(list, live).entries;
    const page = (from: number, to: number, incomplete: boolean) => {
      const last = all[from - 1];
      const after = last === undefined ? {} : { after: { address: last.account.address, lt: last.lt } };
      return verifyBlockTransactions({ ...list, ids: list.ids!.slice(from, to), incomplete }, live, after);
    };
    const pages = [page(0, 2, true), page(2, 4, true), page(4, all.length, false)];
    expect(pages.map(({ reachedEnd }) => reachedEnd)).toEqual([false, false, true]);
    expect(pages.map(({ complete }) => complete)).toEqual([false, false, false]);
    expect(pages.flatMap(({ entries }) => entries.map(({ hash }) => hash))).toEqual(all.map(({ hash }) => hash));
    // The server says that there is more, though the proof shows the end.
    expect(page(4, all.length, true).reachedEnd).toBe(false);
    expect(verifyBlockTransactions(list, live)).toMatchObject({ complete: true, reachedEnd: true });
  });

  it('is never said to be all of them where the request changes while it is looked at', () => {
    const last = verifyBlockTransactions({ proof: list.proof }, live).entries.at(-1)!;
    const behindAll = { address: last.account.address, lt: last.lt };
    for (let bits = 0; bits < 2 ** 4; bits++) {
      let reads = 0;
      const request = {
        get after() {
          return ((bits >> reads++) & 1) === 1 ? behindAll : (undefined as never);
        },
      };
      let found: { readonly complete: boolean; readonly entries: readonly unknown[] } | undefined;
      try {
        found = verifyBlockTransactions({ proof: list.proof }, live, request);
      } catch (error) {
        expect(error).toBeInstanceOf(UsageError);
      }
      if (found !== undefined) expect(found.complete).toBe(found.entries.length > 0);
    }
  });

  it('goes on behind any of its entries, in either order', () => {
    const all = verifyBlockTransactions({ proof: list.proof }, live).entries;
    const back = verifyBlockTransactions({ proof: list.proof }, live, { reverse: true }).entries;
    expect(back.map(({ hash }) => hash)).toEqual([...all].reverse().map(({ hash }) => hash));
    all.forEach(({ account, lt }, k) => {
      const after = { address: account.address, lt };
      const rest = verifyBlockTransactions({ proof: list.proof }, live, { after });
      expect(rest.entries.map(({ hash }) => hash)).toEqual(all.slice(k + 1).map(({ hash }) => hash));
      expect(rest.complete).toBe(false);
      const before = verifyBlockTransactions({ proof: list.proof }, live, { after, reverse: true });
      expect(before.entries.map(({ hash }) => hash)).toEqual(
        all
          .slice(0, k)
          .reverse()
          .map(({ hash }) => hash),
      );
    });
  });
});

describe('the history of an account', () => {
  const account = parseAccountId(liveAnswer('history.tl').account!);
  const list = parseLiteAnswer(liveBytes('history.tl'), 'transaction-list');
  const fact = verifyAccount(parseLiteAnswer(liveBytes('account-config.tl'), 'account-state'), live, account);

  it('breaks where a transaction is left out, repeated, or of another account', () => {
    if (!fact.found) throw new Error('expected an account');
    const roots = coreRoots(list.transactions);
    const bag = (...cells: CoreCell[]) => [{ transactions: bagOf(...cells) }];
    expect(roots.length).toBeGreaterThan(2);
    refused(() => verifyHistory(bag(...roots.slice(1)), fact), 'trust/history');
    refused(() => verifyHistory(bag(roots[0]!, ...roots.slice(2)), fact), 'trust/history');
    refused(() => verifyHistory([...bag(roots[0]!), ...bag(roots[0]!)], fact), 'trust/history');
    refused(() => verifyHistory(bag(...roots), fact, { limit: 1 }), 'trust/history');
    refused(() => verifyHistory(bag(...roots), { ...fact } as never), 'usage/bad-option');
    const elsewhere = {
      account: { ...account, address: new Uint8Array(32) },
      lt: fact.lastTransLt,
      hash: fact.lastTransHash,
    };
    refused(() => verifyHistory(bag(...roots), elsewhere), 'trust/history');
  });

  it('never comes to a transaction that says it follows itself, or a later one', () => {
    if (!fact.found) throw new Error('expected an account');
    const [newest] = coreRoots(list.transactions);
    const lt = fact.lastTransLt;
    // transaction$0111 account_addr:bits256 lt:uint64 prev_trans_hash:bits256 prev_trans_lt:uint64
    const preceded = (previous: bigint) => {
      const changed = writeBits(newest!, 4 + 256 + 64 + 256, previous.toString(2).padStart(64, '0'));
      const from = { account, lt, hash: Uint8Array.from(changed.hash()) };
      return verifyHistory([{ transactions: bocOf(changed) }], from);
    };
    expect(preceded(lt - 1n)).toHaveLength(1);
    for (const later of [lt, lt + 1n]) refused(() => preceded(later), 'trust/history');
  });
});
