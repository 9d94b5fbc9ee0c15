/** Laws of facts below a block and of their certificates. */

import { Address, beginCell as coreCellOf, Dictionary, loadTransaction } from '@ton/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeHex } from '../../src/core/base/bytes.ts';
import { parseSingleRoot } from '../../src/core/cells/boc.ts';
import { buildMerkleProof } from '../../src/core/cells/build-proof.ts';
import { lookup } from '../../src/core/cells/dictionary.ts';
import { CellBuilder, type NewCell } from '../../src/core/cells/new-cell.ts';
import { Slice } from '../../src/core/cells/slice.ts';
import { isCanonical, writeBoc } from '../../src/core/cells/write-boc.ts';
import { buildDictionary } from '../../src/core/cells/write-dictionary.ts';
import { formatAccountId, parseAccountId } from '../../src/core/facts/account-id.ts';
import { verifyBlockTransactions } from '../../src/core/facts/block-list.ts';
import { messagesOf } from '../../src/core/facts/messages.ts';
import { assumeFinal, factsOf } from '../../src/core/facts/proven-block.ts';
import { checkTransaction, verifyTransaction } from '../../src/core/facts/transaction.ts';
import { coreCell } from '../helpers/cut-proofs.ts';
import { blockId, bytesOf, caseNamed } from '../helpers/inclusion.ts';
import { share } from '../helpers/share.ts';

const whole = caseNamed('whole-blocks/mainnet-2026-07-81372691');
const boc = bytesOf(whole, 'shardBlock');
const block = assumeFinal(blockId(whole.shardBlock!));
const all = verifyBlockTransactions({ proof: boc }, block).entries;

describe('a proof cut from a block', () => {
  it('proves of every transaction what the whole block says, and is as small as the reading', () => {
    for (const { account, lt, hash } of all) {
      const root = parseSingleRoot(boc);
      checkTransaction({ block: root, transaction: undefined, onlyHash: true }, factsOf(block), account, lt);
      const proof = buildMerkleProof(root);
      expect(proof.length).toBeLessThan(2000);
      expect(verifyTransaction({ proof }, block, { account, lt })).toMatchObject({ found: true, hash });
    }
  });

  it('says that a transaction is absent exactly where the block has none', () => {
    const held = new Set(all.map(({ account, lt }) => `${encodeHex(account.address)}:${lt}`));
    const [first] = all;
    const accounts = fc.oneof(
      fc.constantFrom(...all.map(({ account }) => account)),
      fc.uint8Array({ minLength: 32, maxLength: 32 }).map((address) => ({ workchain: 0, address })),
    );
    const times = fc.oneof(fc.constantFrom(...all.map(({ lt }) => lt)), fc.bigInt(first!.lt - 100n, first!.lt + 100n));
    fc.assert(
      fc.property(accounts, times, (account, lt) => {
        const { found } = verifyTransaction({ proof: boc }, block, { account, lt });
        expect(found).toBe(held.has(`${encodeHex(account.address)}:${lt}`));
      }),
      { numRuns: share(80, 300) },
    );
  });
});

describe('a transaction', () => {
  it('says what @ton/core reads in it', () => {
    const root = coreCell(boc);
    const byHash = new Map<string, ReturnType<typeof coreCell>>();
    const visit = (cell: ReturnType<typeof coreCell>): void => {
      byHash.set(cell.hash().toString('hex'), cell);
      for (const ref of cell.refs) visit(ref);
    };
    visit(root);
    for (const fact of all) {
      const theirs = loadTransaction(byHash.get(encodeHex(fact.hash))!.beginParse());
      const ours = fact.transaction!;
      expect(ours.now).toBe(theirs.now);
      expect(ours.prevTransLt).toBe(theirs.prevTransactionLt);
      expect(ours.origStatus.slice(0, 6)).toBe(
        { uninitialized: 'uninit', frozen: 'frozen', active: 'active', 'non-existing': 'nonexi' }[theirs.oldStatus],
      );
      expect(ours.totalFees.grams).toBe(theirs.totalFees.coins);
      if (theirs.description.type === 'generic') {
        expect(ours.outcome.aborted).toBe(theirs.description.aborted);
        expect(ours.outcome.destroyed).toBe(theirs.description.destroyed);
        const { computePhase } = theirs.description;
        const { compute } = ours.outcome;
        expect(compute?.skipped).toBe(computePhase.type === 'skipped');
        if (computePhase.type === 'vm' && compute?.skipped === false) {
          expect([compute.exitCode, compute.gasUsed]).toEqual([computePhase.exitCode, computePhase.gasUsed]);
        }
      }
      const messages = messagesOf(fact).filter(({ direction }) => direction === 'out');
      expect(messages.map(({ bodyHash }) => encodeHex(bodyHash))).toEqual(
        theirs.outMessages.values().map(({ body }) => body.hash().toString('hex')),
      );
    }
  });
});

describe('an account', () => {
  it('has the text that @ton/core gives it, and is read from every form', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(0, -1),
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.boolean(),
        fc.boolean(),
        (workchain, address, bounceable, testOnly) => {
          const theirs = new Address(workchain, Buffer.from(address));
          const user = theirs.toString({ bounceable, testOnly });
          expect(formatAccountId({ workchain, address }, { form: 'user-friendly', bounceable, testOnly })).toBe(user);
          expect(formatAccountId({ workchain, address })).toBe(theirs.toRawString());
          for (const text of [user, theirs.toString({ bounceable, testOnly, urlSafe: false }), theirs.toRawString()]) {
            expect(parseAccountId(text)).toMatchObject({ workchain, address });
          }
          expect(parseAccountId(user)).toMatchObject({ form: 'user-friendly', bounceable, testOnly });
        },
      ),
      { numRuns: share(40, 100) },
    );
  });

  it('with any character changed is refused, or is another spelling of nothing', () => {
    const text = formatAccountId({ workchain: 0, address: new Uint8Array(32).fill(7) }, { form: 'user-friendly' });
    for (let k = 0; k < text.length; k++) {
      for (const letter of 'Ab9-_') {
        if (text[k] === letter) continue;
        expect(() => parseAccountId(text.slice(0, k) + letter + text.slice(k + 1))).toThrow(
          expect.objectContaining({ code: 'decode/shape' }),
        );
      }
    }
    for (const odd of ['', '0:12', `0:${'g'.repeat(64)}`, `9999999999:${'0'.repeat(64)}`, `${text}=`]) {
      expect(() => parseAccountId(odd)).toThrow(expect.objectContaining({ code: 'decode/shape' }));
    }
  });
});

describe('bags of cells', () => {
  /** Each cell refers to some of those made before it, so trees share cells and stay small. */
  const trees = fc
    .array(
      fc.record({
        data: fc.uint8Array({ maxLength: 20 }),
        odd: fc.nat(7),
        refs: fc.array(fc.nat(30), { maxLength: 4 }),
      }),
      {
        minLength: 1,
        maxLength: 30,
      },
    )
    .map((shapes) => {
      const made: NewCell[] = [];
      for (const { data, odd, refs } of shapes) {
        const builder = new CellBuilder().bytes(data).uint(odd, 3);
        for (const ref of refs) if (made.length > 0) builder.ref(made[ref % made.length]!);
        made.push(builder.build());
      }
      return made.at(-1)!;
    });

  it('are written in one form, which reads back to the same tree', () => {
    fc.assert(
      fc.property(trees, (tree) => {
        const bytes = writeBoc(tree);
        const root = parseSingleRoot(bytes);
        expect(root.hash()).toEqual(tree.hash());
        expect(isCanonical(bytes, root)).toBe(true);
        expect(writeBoc(root)).toEqual(bytes);
        const theirs = coreCell(bytes);
        expect(Uint8Array.from(theirs.hash())).toEqual(tree.hash());
        const other = Uint8Array.from(theirs.toBoc({ idx: false, crc32: false }));
        expect(isCanonical(other, parseSingleRoot(other))).toBe(Buffer.from(other).equals(Buffer.from(bytes)));
      }),
      { numRuns: share(60, 200) },
    );
  });

  it('hold dictionaries as @ton/core writes them', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(65535), { minLength: 1, maxLength: 40 }), (keys) => {
        const sorted = [...keys].sort((a, b) => a - b);
        const ours = buildDictionary(
          sorted.map((key) => [key, (builder) => builder.uint(key, 32)]),
          16,
        );
        const theirs = Dictionary.empty(Dictionary.Keys.Uint(16), Dictionary.Values.Uint(32));
        for (const key of keys) theirs.set(key, key);
        expect(encodeHex(ours.hash())).toBe(coreCellOf().storeDictDirect(theirs).endCell().hash().toString('hex'));
        const root = parseSingleRoot(writeBoc(ours));
        for (const key of sorted) expect(lookup(new Slice(root, 'd'), 16, key)?.uint(32)).toBe(key);
      }),
      { numRuns: share(40, 100) },
    );
  });
});
