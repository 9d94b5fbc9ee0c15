import type { Builder } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { checkpointFromKeyBlock, verifyStoredProof } from '../../../src/chain.ts';
import { FinalityError } from '../../../src/core/base/errors.ts';
import { parseSingleRoot } from '../../../src/core/cells/boc.ts';
import { readBlockSignatures, readCandidate, readTlSignatureSet } from '../../../src/core/chain/block-signatures.ts';
import { TlReader } from '../../../src/core/tl/reader.ts';
import { beginCell, bocOf, CoreCell } from '../../helpers/cells.ts';
import { a, key100 } from '../../helpers/make-back-link.ts';
import { makeBlockId } from '../../helpers/make-block.ts';
import { blockSignaturesCell, makeBlock, signBlock, storedProof } from '../../helpers/make-chain.ts';
import { tlBytes } from '../../helpers/tl-answers.ts';

function errorOf(run: () => unknown): string {
  try {
    run();
    return 'accepted';
  } catch (error) {
    if (error instanceof FinalityError) return `${error.code} ${error.message}`;
    throw error;
  }
}

const id = makeBlockId(7);

describe('signatures in cells', () => {
  /** A dictionary of one entry under key 0. */
  const oneEntry = (value: (builder: Builder) => Builder) =>
    beginCell()
      .storeUint(0x11, 8)
      .storeUint(1, 32)
      .storeUint(2, 32)
      .storeUint(1, 32)
      .storeUint(3, 64)
      .storeBit(1)
      .storeRef(value(beginCell().storeUint(0b10, 2).storeUint(16, 5).storeUint(0, 16)).endCell());
  const entry = (tag: number) => (builder: Builder) =>
    builder.storeUint(9, 256).storeUint(tag, 4).storeUint(1, 256).storeUint(2, 256);
  const read = (cell: Builder) => readBlockSignatures(parseSingleRoot(bocOf(cell.endCell())), id, 'signatures');

  it('are read as they stand, with what is written beside them', () => {
    const { list, catchainSeqno, validatorListHashShort, signedWeight } = read(oneEntry(entry(5)));
    expect([validatorListHashShort, catchainSeqno, signedWeight]).toEqual([1, 2, 3n]);
    expect(list.kind).toBe('ordinary');
    expect(
      list.signatures.map(({ nodeIdShort, signature }) => [nodeIdShort[31], signature[31], signature[63]]),
    ).toEqual([[9, 1, 2]]);
  });

  it('are of no one, where there are none', () => {
    const none = beginCell().storeUint(0x11, 8).storeUint(1, 32).storeUint(2, 32).storeUint(0, 32).storeUint(0, 64);
    expect(read(none.storeBit(0)).list.signatures).toEqual([]);
  });

  it('are of two kinds, and refused as any other', () => {
    const like = (tag: number) => {
      const cell = beginCell().storeUint(tag, 8).storeUint(1, 32).storeUint(2, 32).storeUint(0, 32).storeUint(0, 64);
      return cell.storeBit(0).storeUint(3, 256).storeUint(4, 32).storeRef(beginCell().storeUint(5, 8).endCell());
    };
    expect(read(like(0x12)).list).toMatchObject({ kind: 'simplex', slot: 4, candidate: Uint8Array.of(5) });
    for (const tag of [0x10, 0x13, 0]) expect(errorOf(() => read(like(tag)))).toMatch(/^decode\/boc/);
  });

  it('are refused with another kind of signature, or with anything after one or after all', () => {
    for (const tag of [0, 4, 15]) expect(errorOf(() => read(oneEntry(entry(tag))))).toMatch(/^decode\/boc/);
    expect(errorOf(() => read(oneEntry((cell) => entry(5)(cell).storeBit(0))))).toMatch(/^decode\/boc/);
    const leaf = beginCell().endCell();
    expect(errorOf(() => read(oneEntry((cell) => entry(5)(cell).storeRef(leaf))))).toMatch(/^decode\/boc/);
    expect(errorOf(() => read(oneEntry(entry(5)).storeRef(leaf)))).toMatch(/^decode\/boc/);
    expect(errorOf(() => read(oneEntry(entry(5)).storeBit(0)))).toMatch(/^decode\/boc/);
  });
});

describe('a candidate in cells', () => {
  const chained = (...lengths: readonly number[]) => {
    const cell = lengths.reduceRight<Builder | undefined>((next, length) => {
      const data = beginCell().storeBuffer(Buffer.alloc(length, 7));
      return next === undefined ? data : data.storeRef(next.endCell());
    }, undefined)!;
    return parseSingleRoot(bocOf(cell.endCell()));
  };
  const badAt = (path: string) => expect.objectContaining({ code: 'decode/boc', path });

  it('is of up to 1024 bytes, wherever the last of them stands', () => {
    const eight = [127, 127, 127, 127, 127, 127, 127, 127];
    expect(readCandidate(chained(...eight, 8), 'candidate')).toEqual(new Uint8Array(1024).fill(7));
    expect(readCandidate(chained(...eight, 8, 0), 'candidate')).toHaveLength(1024);
    for (const ends of [[9], [8, 1], [127, 127]]) {
      expect(() => readCandidate(chained(...eight, ...ends), 'candidate')).toThrow(badAt('candidate'));
    }
  });

  it('ends with a whole byte', () => {
    const cell = parseSingleRoot(bocOf(beginCell().storeUint(7, 9).endCell()));
    expect(() => readCandidate(cell, 'candidate')).toThrow(badAt('candidate'));
  });
});

describe('signatures in TL', () => {
  const u32 = (value: number) => Buffer.from(Uint32Array.of(value).buffer);
  const ordinary = (count: number, ...signatures: readonly Buffer[]) =>
    Uint8Array.from(Buffer.concat([Buffer.from('e6a644f6', 'hex'), u32(1), u32(2), u32(count), ...signatures]));
  const signed = (length: number) => Buffer.concat([Buffer.alloc(32, 9), tlBytes(new Uint8Array(length))]);
  const read = (bytes: Uint8Array) => readTlSignatureSet(new TlReader(bytes, 'set'), id);

  it('have 64 bytes each', () => {
    expect(read(ordinary(2, signed(64), signed(64))).list.signatures).toHaveLength(2);
    for (const length of [0, 63]) {
      expect(errorOf(() => read(ordinary(2, signed(64), signed(length))))).toMatch(/signature 1: expected 64 bytes/);
    }
    expect(errorOf(() => read(ordinary(1, signed(65))))).toMatch(/^decode\//);
  });

  it('are at most 4096, and refused before the first of more is read', () => {
    const many = Array.from({ length: 4096 }, () => signed(64));
    expect(read(ordinary(4096, ...many)).list.signatures).toHaveLength(4096);
    expect(errorOf(() => read(ordinary(4097, ...many, signed(64))))).toMatch(/at most 4096 signatures, got 4097/);
  });
});

describe('the proof that a node stores', () => {
  const block = makeBlock({ seqno: 150, signedBy: a, prevKeyBlockSeqno: 100 });
  const start = checkpointFromKeyBlock(key100.boc, key100.id);
  const stored = CoreCell.fromBoc(
    Buffer.from(storedProof(block, blockSignaturesCell(block, signBlock(block), 40n))),
  )[0]!;
  const longer = (add: (builder: Builder) => Builder) =>
    bocOf(add(beginCell().storeSlice(stored.beginParse())).endCell());

  it('is refused with anything after the signatures', () => {
    expect(
      verifyStoredProof(
        longer((cell) => cell),
        start,
      ).verdict.status,
    ).toBe('final');
    expect(
      errorOf(() =>
        verifyStoredProof(
          longer((cell) => cell.storeBit(0)),
          start,
        ),
      ),
    ).toMatch(/^decode\/boc/);
    const leaf = beginCell().endCell();
    expect(
      errorOf(() =>
        verifyStoredProof(
          longer((cell) => cell.storeRef(leaf)),
          start,
        ),
      ),
    ).toMatch(/^decode\/boc/);
  });
});
