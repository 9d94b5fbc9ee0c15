/** A bag of cells given as a `Cell` of `@ton/core`, wherever a bag with one root is asked for, and the objects that are neither. */
import { Cell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { openBlock } from '../../../src/core/chain/block-header.ts';
import * as facts from '../../../src/facts.ts';
import { headerProof, wholeProof } from '../../helpers/make-chain.ts';
import { CALLS, ENTRIES, PARTS } from '../../helpers/public-calls.ts';

type Bags = Readonly<Record<string, Uint8Array>>;
const cellOf = (boc: Uint8Array) => Cell.fromBoc(Buffer.from(boc))[0]!;
const { key100 } = PARTS;
const proof = headerProof(key100);

/** The same call with a Cell in the place of a bag: an argument, or a member of one. */
function withCells(args: readonly unknown[], at: number, members?: readonly string[]): unknown[] {
  return args.map((arg, k) => {
    if (k !== at) return arg;
    if (members === undefined) return cellOf(arg as Uint8Array);
    const bags = arg as Bags;
    return { ...bags, ...Object.fromEntries(members.map((name) => [name, cellOf(bags[name]!)])) };
  });
}

describe('a public function with a Cell of @ton/core', () => {
  it.each([
    ['./chain', 'verifyHeader', 0, undefined],
    ['./chain', 'parseValidatorConfig', 0, undefined],
    ['./chain', 'verifyStoredProof', 0, undefined],
    ['./facts', 'verifyTransaction', 0, ['transaction']],
    ['./facts', 'verifyAccount', 0, ['state']],
    ['./facts', 'verifyConfig', 0, ['stateProof', 'configProof']],
    ['./facts', 'verifyLibrary', 0, ['stateProof', 'dataProof']],
    ['./facts', 'verifyShardTop', 0, ['proof', 'data']],
    ['./facts', 'verifyBlockTransactions', 0, ['proof']],
    ['./facts', 'buildCertificate', 0, ['headerProof']],
  ] as const)('%s %s returns what it returns for the bytes', (entry, name, at, members) => {
    const { args } = CALLS[entry]![name]!;
    const call = ENTRIES[entry]![name as keyof object] as (...given: unknown[]) => unknown;
    expect(call(...withCells(args, at, members))).toEqual(call(...args));
  });

  it('a key block pinned by a proof, and a step to the next one', () => {
    const { checkpointFromKeyBlock, advanceCheckpoint } = ENTRIES['./chain'] as typeof import('../../../src/chain.ts');
    const shown = wholeProof(key100.root);
    expect(checkpointFromKeyBlock(cellOf(shown), key100.id)).toEqual(checkpointFromKeyBlock(shown, key100.id));
    const [step, checkpoint] = CALLS['./chain']!.advanceCheckpoint!.args as Parameters<typeof advanceCheckpoint>;
    const block = cellOf(step.block as Uint8Array);
    expect(advanceCheckpoint({ ...step, block }, checkpoint)).toEqual(advanceCheckpoint(step, checkpoint));
  });

  it('a whole block as a Cell is no file, so its file hash differs and says so', () => {
    const { verifyHeader: header } = ENTRIES['./chain'] as typeof import('../../../src/chain.ts');
    const file = key100.boc;
    const cell = cellOf(file);
    expect(header(file, key100.id).seqno).toBe(100);
    const other = { toBoc: () => cell.toBoc({ idx: true, crc32: true }) };
    expect(() => header(other, key100.id)).toThrow(expect.objectContaining({ code: 'trust/file-hash' }));
  });
});

describe('a Cell is read once, and what it returns is copied', () => {
  it('toBoc is called once, without arguments, with the cell as its object', () => {
    const calls: unknown[][] = [];
    class Counted {
      readonly own = cellOf(proof);
      toBoc(...given: unknown[]): Uint8Array {
        calls.push([this instanceof Counted, ...given]);
        return this.own.toBoc();
      }
    }
    expect(openBlock(new Counted(), 'block').root.hash()).toEqual(openBlock(proof, 'block').root.hash());
    expect(calls).toEqual([[true]]);
  });

  it('a Buffer that changes later changes nothing', () => {
    const given = Buffer.from(proof);
    const { file, root } = openBlock({ toBoc: () => given }, 'block');
    const hash = root.hash();
    given.fill(0);
    expect(file).toEqual(Uint8Array.from(proof));
    expect(root.hash()).toEqual(hash);
  });
});

describe('what is no bag of cells', () => {
  const inherited = Object.create(Object.create({ toBoc: () => proof }));
  const boom = new Error('boom');
  it('a Cell of a class that extends another is one', () => {
    expect(openBlock(inherited, 'block').root.hash()).toEqual(openBlock(proof, 'block').root.hash());
  });

  it.each([
    ['an object without toBoc', {}, 'block', 'expected a Uint8Array or a Cell, got an object'],
    ['a toBoc that is no function', { toBoc: proof }, 'block', 'expected a Uint8Array or a Cell, got an object'],
    ['nothing', undefined, 'block', 'expected a Uint8Array, got nothing'],
    ['a list of Cells, as fromBoc returns', [cellOf(proof)], 'block', 'expected a Uint8Array, got an array of 1'],
    ['text', Buffer.from(proof).toString('base64'), 'block', `got a string of`],
    ['a function', Object.assign(() => proof, { toBoc: () => proof }), 'block', 'got a function'],
    ['a toBoc that returns text', { toBoc: () => 'te6cc' }, 'block.toBoc()', 'got a string of 5 characters'],
    ['a toBoc that returns a Cell', { toBoc: () => cellOf(proof) }, 'block.toBoc()', 'got an object'],
    ['a toBoc that returns a promise', { toBoc: async () => proof }, 'block.toBoc()', 'got a promise'],
    [
      'a toBoc that throws',
      {
        toBoc() {
          throw boom;
        },
      },
      'block',
      'toBoc threw',
    ],
    [
      'a getter that throws',
      {
        get toBoc() {
          throw boom;
        },
      },
      'block',
      'toBoc threw',
    ],
  ])('%s', (_, given, path, message) => {
    expect(() => openBlock(given as never, 'block')).toThrow(
      expect.objectContaining({ code: 'usage/bad-option', path, message: expect.stringContaining(message) }),
    );
  });

  it('an error of toBoc is the cause, whatever its class', () => {
    const own = new facts.DepositError('deposit/recipient', 'mine', { retryable: false } as never);
    for (const thrown of [boom, own]) {
      const given = {
        toBoc(): Uint8Array {
          throw thrown;
        },
      };
      expect(() => openBlock(given, 'block')).toThrow(
        expect.objectContaining({ code: 'usage/bad-option', cause: thrown }),
      );
    }
  });

  it('what is on the prototype of all objects is of no cell', () => {
    Object.defineProperty(Object.prototype, 'toBoc', { value: () => proof, configurable: true });
    try {
      expect(() => openBlock({} as never, 'block')).toThrow(expect.objectContaining({ code: 'usage/bad-option' }));
    } finally {
      Reflect.deleteProperty(Object.prototype, 'toBoc');
    }
  });
});

describe('what only looks like a cell of this library', () => {
  const { cellToBoc, factToJson, jettonNotificationOf } = facts;
  const fact = CALLS['./facts']!.messagesOf!.args[0] as facts.TransactionFact;
  const { body } = facts.messagesOf(fact)[0]!;
  const message = { bodyHash: body.hash(), kind: 'internal', direction: 'in', bounced: false, opcode: 0x7362d09c };

  it.each([
    ['an object of its class', Object.create(Object.getPrototypeOf(body) as object) as facts.Cell],
    ['a proxy of one', new Proxy(body, {})],
    ['its members', { kind: 'ordinary', bitLength: 8, refCount: 0 } as facts.Cell],
    ['nothing', undefined as never],
  ])('%s, is refused where a cell is needed', (_, fake) => {
    const refused = expect.objectContaining({ code: 'usage/bad-option' });
    expect(() => cellToBoc(fake)).toThrow(refused);
    expect(() => jettonNotificationOf({ ...message, body: fake } as never)).toThrow(refused);
    const given = { kind: 'x', masterchain: fact.masterchain, balance: { grams: 1n, other: fake } };
    expect(factToJson(given as never)).not.toHaveProperty('otherCurrencies');
  });

  it('is no entry of a list', () => {
    const list = { ...fact, kind: 'block-transactions', entries: [fact, null] };
    expect(() => factToJson(list as never)).toThrow(
      expect.objectContaining({ code: 'usage/bad-option', path: 'fact.entries[1]' }),
    );
  });
});
