import { type Builder, Dictionary } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { encodeHex } from '../../../src/core/base/bytes.ts';
import { FinalityError } from '../../../src/core/base/errors.ts';
import { parseSingleRoot } from '../../../src/core/cells/boc.ts';
import { findValidatorList, validatorConfigFromJson } from '../../../src/core/chain/find-validator-list.ts';
import { findShuffle, findValidatorConfig } from '../../../src/core/validators/config-params.ts';
import { parseValidatorConfig, readShuffle } from '../../../src/core/validators/from-config.ts';
import { selectMasterchainValidators } from '../../../src/core/validators/select-masterchain.ts';
import { beginCell, bocOf, CoreCell, merkleProof, prune } from '../../helpers/cells.ts';
import { realBytes, realJson } from '../../helpers/real.ts';
import { type Entry, keyOf, type SetForm, setCell } from '../../helpers/validator-cells.ts';

function codeOf(run: () => unknown): string {
  try {
    run();
    return 'accepted';
  } catch (error) {
    if (!(error instanceof FinalityError)) throw error;
    return error.code;
  }
}
const parse = (cell: CoreCell) => parseValidatorConfig(bocOf(cell));
const codeOfSet = (entries: Entry[], form?: SetForm) => codeOf(() => parse(setCell(entries, form)));

describe('a validator set in cells', () => {
  it('equals, for parameters 32, 34 and 36 of a mainnet key block, what the block itself holds', () => {
    const block = realBytes('mainnet-2024-06/key-block-38616744.boc');
    for (const [number, time] of [
      [32, 'previous'],
      [34, 'current'],
      [36, 'next'],
    ] as const) {
      const answer = realJson(`config/mainnet-38616744-param${number}.json`);
      const { validators } = validatorConfigFromJson(answer);
      expect(findValidatorList(block, time).validators).toEqual(validators);
      const { bytes } = (answer as { result: { config: { bytes: string } } }).result.config;
      expect(parseValidatorConfig(Uint8Array.from(Buffer.from(bytes, 'base64')))).toEqual(validators);
      expect(validators.main).toBe(100);
      expect(validators.list.length).toBeGreaterThan(300);
      const set = selectMasterchainValidators(validators);
      expect(set.validators.length).toBe(100);
      expect(set.utimeUntil).toBe(validators.utimeSince + 65536);
    }
  });

  it('equals the list that other people cut out of the same key block', () => {
    const recorded = realJson('mainnet-2024-06/block-38607075/validators.json') as {
      utime_since: number;
      main: number;
      validators: { public_key: string; weight: string }[];
    };
    const { validators, shuffle } = findValidatorList(realBytes('mainnet-2024-06/key-block-38603051.boc'));
    expect(shuffle).toBe(true);
    expect(validators.utimeSince).toBe(recorded.utime_since);
    expect(
      validators.list.map((one) => ({ public_key: encodeHex(one.publicKey), weight: String(one.weight) })),
    ).toEqual(recorded.validators);
  });

  it('reads the zerostate: set tag 11 in one cell with its dictionary, validators without ADNL address, no shuffle', () => {
    const { validators, shuffle } = findValidatorList(realBytes('mainnet-genesis/zerostate.boc'));
    expect(shuffle).toBe(false);
    expect(validators.list.length).toBe(5);
    for (const { weight, adnlAddr } of validators.list) {
      expect(weight).toBe(17n);
      expect(adnlAddr).toEqual(new Uint8Array(32));
    }
  });

  it('reads a Merkle proof of a configuration, and whole getConfigAll JSON', () => {
    const proof = realBytes('mainnet-2026-04-simplex/block-59379986/config-proof.boc');
    expect(findValidatorList(proof)).toMatchObject({ shuffle: true, validators: { main: 100 } });
    const block = CoreCell.fromBoc(Buffer.from(realBytes('mainnet-2024-06/key-block-38616744.boc')))[0]!;
    const extra = block.refs[3]!.refs.at(-1)!;
    const json = { config: { bytes: extra.refs.at(-1)!.toBoc().toString('base64') } };
    const whole = validatorConfigFromJson({ ok: true, result: { '@type': 'configInfo', ...json } }, 'next');
    expect(whole).toEqual(findValidatorList(realBytes('mainnet-2024-06/key-block-38616744.boc'), 'next'));
    expect(whole.shuffle).toBe(true);
  });

  it('reads all four pairings of set tag and validator tag', () => {
    const adnl = Buffer.alloc(32, 0xad);
    for (const tag of [0x11, 0x12]) {
      const set = parse(setCell([{ weight: 5n }, { weight: 7n, adnl }, {}], { tag, main: 2 }));
      expect(set).toMatchObject({ utimeSince: 1000, utimeUntil: 2000, main: 2 });
      expect(set.list.map(({ weight }) => weight)).toEqual([5n, 7n, 10n]);
      expect(set.list[1]!.adnlAddr).toEqual(Uint8Array.from(adnl));
      expect(set.list[0]!.publicKey).toEqual(Uint8Array.from(keyOf(0)));
    }
  });

  it('refuses main below 1 or above total, and an empty list', () => {
    for (const tag of [0x11, 0x12]) {
      expect(codeOfSet([{}, {}], { tag, main: 0 })).toBe('validators/bad-main');
      expect(codeOfSet([{}, {}], { tag, main: 3 })).toBe('validators/bad-main');
      expect(codeOfSet([{}, {}], { tag, main: 2 })).toBe('accepted');
    }
    expect(codeOfSet([{}], { total: 0, main: 0 })).toBe('validators/empty');
    expect(codeOfSet([], { total: 1, main: 1, totalWeight: 1n })).toBe('validators/empty');
  });

  it('refuses keys that are not exactly 0 to total - 1', () => {
    expect(codeOfSet([{}, {}], { keys: [0, 2] })).toBe('decode/boc');
    expect(codeOfSet([{}, {}], { keys: [1, 2] })).toBe('decode/boc');
    expect(codeOfSet([{}, {}], { total: 3 })).toBe('decode/boc');
    expect(codeOfSet([{}, {}, {}], { total: 2, main: 2 })).toBe('decode/boc');
  });

  it('refuses a weight of zero, also outside the masterchain subset', () => {
    expect(codeOfSet([{}, { weight: 0n }], { main: 1 })).toBe('validators/zero-weight');
  });

  it('refuses a total other than the sum, and a sum above 2^61; 2^61 itself is accepted', () => {
    expect(codeOfSet([{}, {}], { totalWeight: 21n })).toBe('decode/range');
    expect(codeOfSet([{}, {}], { totalWeight: 0n })).toBe('decode/range');
    expect(codeOfSet([{ weight: 2n ** 61n - 1n }, { weight: 1n }])).toBe('accepted');
    expect(codeOfSet([{ weight: 2n ** 61n - 1n }, { weight: 2n }])).toBe('validators/weight-overflow');
    // A sum that wraps around 64 bits to a small number, written so.
    const huge = [{ weight: 2n ** 63n }, { weight: 2n ** 63n }, { weight: 30n }];
    expect(codeOfSet(huge, { totalWeight: 30n })).toBe('validators/weight-overflow');
    expect(codeOfSet(huge, { tag: 0x11 })).toBe('validators/weight-overflow');
  });

  it('refuses unknown tags and trailing bits', () => {
    expect(codeOfSet([{}], { tag: 0x13 })).toBe('decode/boc');
    expect(codeOfSet([{ tag: 0x54 }])).toBe('decode/boc');
    expect(codeOfSet([{ keyTag: 0x8e81278b }])).toBe('decode/boc');
    expect(codeOfSet([{ trailing: true }])).toBe('decode/boc');
    expect(codeOfSet([{ tag: 0x73 }])).toBe('decode/boc');
    const set = setCell([{}]);
    expect(codeOf(() => parse(beginCell().storeSlice(set.beginParse()).storeBit(0).endCell()))).toBe('decode/boc');
    const extraRef = beginCell().storeSlice(set.beginParse()).storeRef(beginCell().endCell()).endCell();
    expect(codeOf(() => parse(extraRef))).toBe('decode/boc');
  });

  it('refuses two equal keys in the masterchain subset, as the node aborts on them; outside it they do no harm', () => {
    const twice = [{}, { key: keyOf(0) }, {}];
    const select = (main: number) => selectMasterchainValidators(parse(setCell(twice, { main })));
    expect(codeOf(() => select(2))).toBe('validators/repeated-key');
    expect(codeOf(() => select(1))).toBe('accepted');
  });

  it('refuses a list of which a part is pruned, also outside the subset', () => {
    const cell = setCell(
      Array.from({ length: 8 }, () => ({})),
      { main: 1 },
    );
    const last = cell.refs[0]!.refs[1]!.refs[1]!.refs[1]!;
    const cut = merkleProof(prune(cell, (one) => one.hash().equals(last.hash())));
    expect(codeOf(() => findValidatorList(bocOf(cut)))).toBe('trust/pruned');
  });
});

describe('a configuration', () => {
  const first = setCell([{ weight: 1n }]);
  const second = setCell([{ weight: 2n }]);
  const catchain = beginCell()
    .storeUint(0xc2, 8)
    .storeUint(1, 8)
    .storeUint(250, 32)
    .storeUint(250, 32)
    .storeUint(0, 64);

  function configOf(entries: [number, CoreCell][]): CoreCell {
    const dictionary = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.Cell());
    for (const [number, cell] of entries) dictionary.set(number, cell);
    return beginCell().storeDictDirect(dictionary).endCell();
  }
  const parseCell = (cell: CoreCell) => parseSingleRoot(bocOf(cell));
  const weightOf = (cell: CoreCell, time: 'previous' | 'current' | 'next') =>
    findValidatorConfig(parseCell(cell), time, 'config')?.list[0]?.weight;

  it('puts a temporary set before the elected one, as the node does: 35 before 34, 37 before 36, 33 before 32', () => {
    for (const [time, temporary, elected] of [
      ['previous', 33, 32],
      ['current', 35, 34],
      ['next', 37, 36],
    ] as const) {
      expect(
        weightOf(
          configOf([
            [elected, first],
            [1, second],
          ]),
          time,
        ),
      ).toBe(1n);
      expect(
        weightOf(
          configOf([
            [elected, first],
            [temporary, second],
          ]),
          time,
        ),
      ).toBe(2n);
      expect(
        weightOf(
          configOf([
            [1, second],
            [elected + 100, first],
          ]),
          time,
        ),
      ).toBeUndefined();
    }
  });

  it('does not take a pruned branch over parameter 35 for its absence', () => {
    const config = configOf([
      [34, first],
      [35, second],
      [1, first],
      [2, first],
    ]);
    const leaf = (cell: CoreCell): boolean => cell.refs.length === 1 && cell.refs[0]!.hash().equals(second.hash());
    const cut = merkleProof(prune(config, leaf)).refs[0]!;
    const root = parseSingleRoot(bocOf(merkleProof(cut))).ref(0);
    expect(codeOf(() => findValidatorConfig(root, 'current', 'config'))).toBe('trust/pruned');
  });

  it('reads parameter 28 in both forms, and takes the node’s defaults when it is absent or unreadable', () => {
    const c1 = beginCell().storeUint(0xc1, 8).storeUint(201, 32).storeUint(202, 32).storeUint(0, 64).endCell();
    const at = (cell: CoreCell) => readShuffle(parseCell(cell), 'config[28]');
    expect(at(c1)).toBe(false);
    expect(at(catchain.endCell())).toBe(true);
    const flags = beginCell().storeUint(0xc2, 8).storeUint(3, 8).storeUint(0, 128).endCell();
    expect(at(flags)).toBe(false);
    expect(at(beginCell().endCell())).toBe(false);
    expect(at(beginCell().storeSlice(catchain.endCell().beginParse()).storeBit(0).endCell())).toBe(false);
    expect(at(beginCell().storeSlice(c1.beginParse()).storeRef(c1).endCell())).toBe(false);
    expect(findShuffle(parseCell(configOf([[1, c1]])), 'config')).toBe(false);
  });

  it('does not take a pruned parameter 28 for an absent one', () => {
    const config = configOf([
      [28, catchain.endCell()],
      [34, first],
    ]);
    const cut = prune(config, (cell) => cell.hash().equals(catchain.endCell().hash()));
    const root = parseSingleRoot(bocOf(merkleProof(cut))).ref(0);
    expect(findValidatorConfig(root, 'current', 'config')?.main).toBe(1);
    expect(codeOf(() => findShuffle(root, 'config'))).toBe('trust/pruned');
  });

  it('refuses a parameter that is no reference, or has bits or another reference beside it', () => {
    const forms: ((builder: Builder) => unknown)[] = [
      (builder) => builder.storeUint(1, 8),
      (builder) => builder.storeRef(first).storeBit(0),
      (builder) => builder.storeRef(first).storeRef(first),
    ];
    for (const serialize of forms) {
      const dictionary = Dictionary.empty(Dictionary.Keys.Uint(32), {
        serialize: (_: number, builder: Builder) => void serialize(builder),
        parse: () => 0,
      });
      dictionary.set(34, 1);
      expect(codeOf(() => weightOf(beginCell().storeDictDirect(dictionary).endCell(), 'current'))).toBe('decode/boc');
    }
  });
});

describe('the JSON of a config answer', () => {
  it('is refused with its path when it is an error, another shape, or broken base64', () => {
    expect(codeOf(() => validatorConfigFromJson({ ok: false, error: 'no' }))).toBe('decode/api-error');
    expect(codeOf(() => validatorConfigFromJson({ ok: true, result: { config: {} } }))).toBe('decode/shape');
    for (const [config, path] of [
      [5, 'config'],
      [{ bytes: 5 }, 'config.bytes'],
    ] as const) {
      expect(() => validatorConfigFromJson({ config })).toThrow(expect.objectContaining({ path }) as Error);
    }
    expect(codeOf(() => validatorConfigFromJson({ config: { bytes: 'te6' } }))).toBe('decode/base64');
    expect(codeOf(() => validatorConfigFromJson({ config: { bytes: 'AAAA' } }))).toBe('decode/boc');
    expect(codeOf(() => validatorConfigFromJson({ ok: true, result: [] }))).toBe('decode/shape');
  });
});
