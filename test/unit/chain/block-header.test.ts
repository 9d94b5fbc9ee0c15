import { describe, expect, it } from 'vitest';
import { checkpointFromKeyBlock, checkpointFromZerostate, MAINNET, verifyHeader } from '../../../src/chain.ts';
import { encodeHex } from '../../../src/core/base/bytes.ts';
import { FinalityError } from '../../../src/core/base/errors.ts';
import { parseSignatureList } from '../../../src/core/block/signature-list.ts';
import { parseSingleRoot } from '../../../src/core/cells/boc.ts';
import { Slice } from '../../../src/core/cells/slice.ts';
import { type Block, readHeader, readShardIdent } from '../../../src/core/chain/block-header.ts';
import { beginCell, bocOf, type CoreCell } from '../../helpers/cells.ts';
import { httpJson, realBytes, realJson } from '../../helpers/real.ts';

function codeOf(run: () => unknown): string {
  try {
    run();
    return 'accepted';
  } catch (error) {
    if (error instanceof FinalityError) return error.code;
    throw error;
  }
}

interface HeaderForm {
  notMaster?: boolean;
  keyBlock?: boolean;
  hardfork?: boolean;
  flags?: number;
  seqno?: number;
  vertSeqno?: number;
  workchain?: number;
  software?: boolean;
  refs?: number;
}

function headerCell(form: HeaderForm = {}): CoreCell {
  const cell = beginCell()
    .storeUint(0x9bc7a987, 32)
    .storeUint(0, 32)
    .storeBit(form.notMaster ?? false)
    .storeUint(0, 5)
    .storeBit(form.keyBlock ?? false)
    .storeBit(form.hardfork ?? false)
    .storeUint(form.flags ?? (form.software ? 1 : 0), 8)
    .storeUint(form.seqno ?? 7, 32)
    .storeUint(form.vertSeqno ?? 1, 32)
    .storeUint(0, 8)
    .storeInt(form.workchain ?? -1, 32)
    .storeUint(0, 64)
    .storeUint(11, 32)
    .storeUint(0, 128)
    .storeUint(12, 32)
    .storeUint(13, 32)
    .storeUint(14, 32)
    .storeUint(15, 32);
  if (form.software) cell.storeUint(0xc4, 8).storeUint(9, 32).storeUint(494, 64);
  const refs = form.refs ?? 1 + Number(form.notMaster ?? false) + Number(form.hardfork ?? false);
  for (let k = 0; k < refs; k++) cell.storeRef(beginCell().storeUint(k, 8).endCell());
  return cell.endCell();
}

function readOf(form?: HeaderForm) {
  const info = parseSingleRoot(bocOf(headerCell(form)));
  const block: Block = { globalId: -239, info, stateUpdate: info, extra: info };
  return readHeader(block, 'block');
}

describe('a block header', () => {
  it('is read field by field, with and without the software version', () => {
    for (const software of [false, true]) {
      expect(readOf({ software, keyBlock: true })).toMatchObject({
        globalId: -239,
        workchain: -1,
        shard: -(1n << 63n),
        seqno: 7,
        keyBlock: true,
        vertSeqno: 1,
        vertSeqnoIncr: false,
        genUtime: 11,
        validatorListHashShort: 12,
        catchainSeqno: 13,
        prevKeyBlockSeqno: 15,
      });
    }
  });

  it('takes the reference to the block before from its place after the masterchain’s', () => {
    expect(readOf().prevRef.hash()).toEqual(parseSingleRoot(bocOf(headerCell())).ref(0).hash());
    const shard = readOf({ notMaster: true, workchain: 0 });
    expect(shard.prevRef.hash()).toEqual(
      parseSingleRoot(bocOf(headerCell({ refs: 2 })))
        .ref(1)
        .hash(),
    );
  });

  it('is refused when a field or the number of references breaks the schema', () => {
    const broken: [string, HeaderForm][] = [
      ['flags above 1', { flags: 2 }],
      ['flags above 1, beside the one that is known', { flags: 3, software: true }],
      ['a software version without its flag', { flags: 0, software: true }],
      ['a flag without its software version', { flags: 1 }],
      ['seqno 0', { seqno: 0 }],
      ['a hardfork with vertical seqno 0', { hardfork: true, keyBlock: true, vertSeqno: 0 }],
      ['not_master in the masterchain', { notMaster: true }],
      ['master in a workchain', { workchain: 0 }],
      ['a key block in a workchain', { keyBlock: true, notMaster: true, workchain: 0 }],
      ['a reference too many', { refs: 2 }],
      ['no reference', { refs: 0 }],
      ['a hardfork without its own reference', { hardfork: true, keyBlock: true, refs: 1 }],
      ['a hardfork that is no key block', { hardfork: true }],
    ];
    for (const [name, form] of broken)
      expect(
        codeOf(() => readOf(form)),
        name,
      ).toBe('decode/boc');
    expect(readOf({ hardfork: true, keyBlock: true }).vertSeqnoIncr).toBe(true);
  });

  it('agrees with what a server says of two recorded mainnet blocks', () => {
    for (const seqno of [30497145, 39984096]) {
      const proof = httpJson(`v2-getShardBlockProof-python-${seqno}.json`) as {
        result: { mc_proof: { dest_proof: string; to: Record<string, string> }[] };
      };
      const said = (httpJson(`v2-getBlockHeader-python-${seqno}.json`) as { result: Record<string, number | boolean> })
        .result;
      const { dest_proof, to } = proof.result.mc_proof[0]!;
      const hash = (text: string) => Uint8Array.from(Buffer.from(text, 'base64'));
      const id = {
        workchain: -1,
        shard: -(1n << 63n),
        seqno,
        rootHash: hash(to.root_hash!),
        fileHash: hash(to.file_hash!),
      };
      const header = verifyHeader(Uint8Array.from(Buffer.from(dest_proof, 'base64')), id);
      expect(header).toMatchObject({
        globalId: said.global_id,
        keyBlock: said.is_key_block,
        vertSeqno: said.vert_seqno,
        prevKeyBlockSeqno: said.prev_key_block_seqno,
        catchainSeqno: Number(said.catchain_seqno) >>> 0,
        validatorListHashShort: Number(said.validator_list_hash_short) >>> 0,
        genUtime: Number(said.gen_utime),
      });
    }
  });

  it('is not believed of a re-serialised block whose bytes have another file hash', () => {
    const path = 'testnet-2025-02/block-27683263';
    const { blockId } = parseSignatureList(realJson(`${path}/signatures.json`));
    const boc = realBytes(`${path}/block.boc`);
    expect(verifyHeader(boc, blockId).seqno).toBe(27683263);
    expect(verifyHeader(Buffer.from(boc), blockId).seqno).toBe(27683263);
    expect(codeOf(() => verifyHeader(boc, { ...blockId, fileHash: blockId.rootHash }))).toBe('trust/file-hash');
  });
});

it.each([verifyHeader, checkpointFromKeyBlock, checkpointFromZerostate])(
  'an error of $name names the parameter with the wrong bytes, or with the wrong id',
  (read) => {
    const [, ...names] = /\((\w+?)\d*, (\w+?)\d*\)/.exec(String(read))!; // a bundler may put a number behind a name
    const seqno = read === checkpointFromZerostate ? 0 : 1;
    const calls = [
      () => read(new Uint8Array(6), { ...MAINNET.zerostate, seqno }),
      () => read(new Uint8Array(6), { ...MAINNET.zerostate, seqno: -1 }),
    ];
    for (const [at, call] of calls.entries()) {
      expect(call).toThrow(expect.objectContaining({ path: expect.stringMatching(`^${names[at]}(?:\\.|$)`) }));
    }
  },
);

describe('a shard', () => {
  const read = (head: number, prefix: bigint) =>
    readShardIdent(
      new Slice(
        parseSingleRoot(bocOf(beginCell().storeUint(head, 8).storeInt(0, 32).storeUint(prefix, 64).endCell())),
        'shard',
      ),
    ).shard;

  it('is its prefix with a one bit at the end, as a signed 64-bit number', () => {
    expect(read(0, 0n)).toBe(-(1n << 63n));
    expect(read(1, 0n)).toBe(1n << 62n);
    expect(read(1, 1n << 63n)).toBe(-(1n << 62n));
    expect(read(60, 0n)).toBe(8n);
  });

  it('is refused with another tag, a prefix above 60 bits, or bits beyond its length', () => {
    expect(codeOf(() => read(0x40, 0n))).toBe('decode/boc');
    expect(codeOf(() => read(61, 0n))).toBe('decode/boc');
    expect(codeOf(() => read(0, 1n << 63n))).toBe('decode/boc');
    expect(codeOf(() => read(1, 1n << 62n))).toBe('decode/boc');
  });
});

describe('the shipped anchors', () => {
  it('are the recorded zerostate and the block from which the recorded proof starts', () => {
    const answer = realBytes('mainnet-2025-04/partial-block-proof.tl');
    expect(encodeHex(MAINNET.initBlock.rootHash)).toBe(encodeHex(answer.slice(24, 56)));
    expect(encodeHex(MAINNET.initBlock.fileHash)).toBe(encodeHex(answer.slice(56, 88)));
    expect(encodeHex(MAINNET.zerostate.rootHash)).toBe(
      encodeHex(parseSingleRoot(realBytes('mainnet-genesis/zerostate.boc')).hash()),
    );
    for (const { rootHash, fileHash } of [MAINNET.initBlock, MAINNET.zerostate])
      expect([rootHash.length, fileHash.length]).toEqual([32, 32]);
  });
});
