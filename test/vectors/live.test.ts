/** What live networks answered, against what an independent implementation computed of it (`vectors/live/index.json`). */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  checkpointFromKeyBlock,
  checkpointFromZerostate,
  validatorSetAt,
  verifyBlockProof,
  verifyHeader,
} from '../../src/chain.ts';
import { encodeHex } from '../../src/core/base/bytes.ts';
import { FinalityError } from '../../src/core/base/errors.ts';
import type { BlockIdExt } from '../../src/core/block/block-id.ts';
import { parseSignatureList } from '../../src/core/block/signature-list.ts';
import { parsePartialBlockProof } from '../../src/core/chain/block-proof.ts';
import { checkBackLink } from '../../src/core/chain/link.ts';
import { readTlBytes } from '../../src/core/tl/bytes.ts';
import { TlReader } from '../../src/core/tl/reader.ts';
import { verifyBlock } from '../../src/core/verify/verifier.ts';
import { parseBlockHeader, parseMasterchainInfo } from '../../src/net/toncenter-api/v2-answers.ts';
import { blockIdToAnswer } from '../helpers/make-block.ts';
import { shardLink } from '../helpers/shard-link.ts';
import { fromHex, readVector, readVectorBytes, VECTORS } from '../helpers/vectors.ts';

interface IdJson {
  readonly workchain: number;
  readonly shard: string;
  readonly seqno: number;
  readonly root_hash: string;
  readonly file_hash: string;
}
interface Expected {
  readonly file: string;
  readonly from: IdJson;
  readonly to: IdJson;
  readonly complete: boolean;
  readonly links: readonly {
    readonly kind: 'forward' | 'back';
    readonly from: number;
    readonly to: number;
    readonly to_key_block: boolean;
    readonly signatures?: 'ordinary' | 'simplex';
    readonly signers?: number;
    readonly signed_weight?: string;
    readonly total_weight?: string;
  }[];
}

const idOf = ({ workchain, shard, seqno, root_hash, file_hash }: IdJson): BlockIdExt => ({
  workchain,
  shard: BigInt(shard),
  seqno,
  rootHash: fromHex(root_hash),
  fileHash: fromHex(file_hash),
});

function codeOf(run: () => unknown): string {
  try {
    run();
    return 'accepted';
  } catch (error) {
    if (error instanceof FinalityError) return error.code;
    throw error;
  }
}

const index = readVector<Record<'simplex-rotation' | 'ordinary', readonly Expected[]>>('live/index.json');
const proofs = (['simplex-rotation', 'ordinary'] as const).flatMap((folder) =>
  index[folder].map((expected) => ({ ...expected, path: `live/${folder}/${expected.file}` })),
);

describe('a proof answer of a live network', () => {
  it('is recorded nine times', () => {
    const recorded = (['simplex-rotation', 'ordinary'] as const).flatMap((folder) =>
      readdirSync(`${VECTORS}/live/${folder}`)
        .filter((name) => name.endsWith('.tl'))
        .map((name) => `live/${folder}/${name}`),
    );
    expect(proofs.map(({ path }) => path).sort()).toEqual(recorded.sort());
    expect(recorded).toHaveLength(9);
  });

  it.each(proofs)('has the links, signers and weights that were computed elsewhere: $path', (expected) => {
    const answer = readVectorBytes(expected.path);
    const proof = parsePartialBlockProof(answer);
    expect([proof.from, proof.to, proof.complete]).toEqual([idOf(expected.from), idOf(expected.to), expected.complete]);
    expect(
      proof.links.map(({ kind, from, to, toKeyBlock }) => ({
        kind,
        from: from.seqno,
        to: to.seqno,
        to_key_block: toKeyBlock,
      })),
    ).toEqual(expected.links.map(({ kind, from, to, to_key_block }) => ({ kind, from, to, to_key_block })));
    for (const link of proof.links) {
      if (link.kind === 'back') expect(checkBackLink(link, 'link').seqno).toBe(link.from.seqno);
    }
    if (expected.to.seqno < expected.from.seqno) {
      expect(codeOf(() => verifyBlockProof(answer, idOf(expected.from)))).toBe('trust/backwards');
      return;
    }
    const walk = verifyBlockProof(answer, idOf(expected.from), { expect: idOf(expected.to) });
    expect(walk.tip).toEqual(idOf(expected.to));
    expect(
      walk.reports.map(({ coverage, verdict, validators }) => ({
        status: verdict.status,
        setCheck: validators.setCheck,
        to: coverage.blockId.seqno,
        signatures: coverage.kind,
        signers: coverage.signatures.length,
        signed_weight: String(coverage.signedWeight),
        total_weight: String(coverage.totalWeight),
      })),
    ).toEqual(
      expected.links
        .filter(({ kind }) => kind === 'forward')
        .map(({ to, signatures, signers, signed_weight, total_weight }) => ({
          status: 'final',
          setCheck: 'match',
          to,
          signatures,
          signers,
          signed_weight,
          total_weight,
        })),
    );
  });

  it('starts from the zerostate of its network as from a pinned id, and from the key block as a walk leaves it', () => {
    for (const folder of ['simplex-rotation', 'ordinary'] as const) {
      const [first] = index[folder];
      const genesis = checkpointFromZerostate(readVectorBytes(`live/${folder}/zerostate.boc`), idOf(first!.from));
      expect(validatorSetAt(genesis).validators.map(({ weight }) => weight)).toEqual([10n, 10n, 10n, 10n]);
      expect(verifyBlockProof(readVectorBytes(`live/${folder}/${first!.file}`), genesis).checkpoint).toBe(genesis);
    }
    const over = index['simplex-rotation'].find(({ file }) => file === 'proof-0-200.tl')!;
    const keyBlock = index['simplex-rotation'].find(({ file }) => file === 'proof-0-188.tl')!.to;
    const pinned = checkpointFromKeyBlock(readVectorBytes('live/simplex-rotation/key-block-188.boc'), idOf(keyBlock));
    const { checkpoint } = verifyBlockProof(readVectorBytes('live/simplex-rotation/proof-0-200.tl'), idOf(over.from));
    expect(checkpoint).toEqual({ ...pinned, anchor: idOf(over.from), staleStart: 'unknown' });
    expect(validatorSetAt(pinned).validators.map(({ weight }) => weight)).toEqual([10n, 17n, 24n, 31n]);
    const onward = readVectorBytes('live/simplex-rotation/proof-188-200.tl');
    expect(verifyBlockProof(onward, pinned).tip).toEqual(idOf(over.to));
  });
});

describe('the official HTTP server on a live network', () => {
  const read = (name: string) => readVector(`live/http/${name}.json`);
  const { init } = parseMasterchainInfo(read('masterchain-info'));
  const genesis = checkpointFromZerostate(readVectorBytes('live/http/zerostate.boc'), {
    ...init,
    shard: -(1n << 63n),
  });
  const validators = validatorSetAt(genesis);

  it.each([5, 100])('hands out Simplex signatures of block %i that are final with 30 of 40', (seqno) => {
    const set = parseSignatureList(read(`signatures-${seqno}`));
    const said = parseBlockHeader(read(`header-${seqno}`));
    expect(said.id).toEqual(set.blockId);
    const { id: blockId, catchainSeqno, validatorListHashShort, prevKeyBlockSeqno, genUtime } = said;
    const header = {
      source: 'claimed',
      blockId,
      catchainSeqno,
      validatorListHashShort,
      prevKeyBlockSeqno,
      genUtime,
    } as const;
    const report = verifyBlock(set, validators, { requireBoundId: true, context: { header } });
    expect(report.verdict).toEqual({ status: 'final' });
    expect([report.coverage.signedWeight, report.coverage.totalWeight]).toEqual([30n, 40n]);
    expect(report.validators).toMatchObject({ setCheck: 'match', provenance: { kind: 'proven' } });
    expect(set.kind).toBe('simplex');
  });
});

interface Answers {
  readonly zerostate: IdJson;
  readonly key_block: IdJson;
  readonly block: IdJson;
  readonly answers: readonly {
    readonly file: string;
    readonly bytes: number;
    readonly constructor: string;
    readonly request: string;
    readonly shard_block?: IdJson;
  }[];
}

describe('everything that a lite server says of one block', () => {
  const { zerostate, key_block, block, answers } = readVector<Answers>('live/answers/index.json');
  const [zeroId, keyBlockId, blockId] = [idOf(zerostate), idOf(key_block), idOf(block)];
  const bytesOf = (file: string) => readVectorBytes(`live/answers/${file}`);
  /** The bytes after an id, and some numbers, of an answer: liteServer.blockData, liteServer.blockHeader. */
  const payload = (file: string, numbers: number) => {
    const tl = new TlReader(bytesOf(file), file);
    tl.fixed(4 + 80 + 4 * numbers);
    const boc = readTlBytes(tl, 1 << 20);
    tl.end();
    return boc;
  };

  it('is there, each answer with the length and constructor of its index', () => {
    const there = readdirSync(`${VECTORS}/live/answers`).filter((name) => name.endsWith('.tl'));
    expect(answers.map(({ file }) => file).sort()).toEqual(there.sort());
    for (const { file, bytes, constructor: id } of answers) {
      const answer = bytesOf(file);
      expect([answer.length, encodeHex(answer.slice(0, 4))], file).toEqual([bytes, id]);
    }
  });

  it('has the whole blocks that the ids name, and a header proof of the same', () => {
    expect(verifyHeader(payload('block.tl', 0), blockId)).toMatchObject({ keyBlock: false, prevKeyBlockSeqno: 173 });
    expect(verifyHeader(payload('key-block.tl', 0), keyBlockId)).toMatchObject({ keyBlock: true });
    expect(verifyHeader(payload('header.tl', 1), blockId)).toEqual(verifyHeader(payload('block.tl', 0), blockId));
  });

  it('proves the block from the zerostate and from its key block, to one checkpoint', () => {
    const genesis = checkpointFromZerostate(bytesOf('zerostate.boc'), zeroId);
    const whole = verifyBlockProof(bytesOf('proof-zerostate-to-block.tl'), genesis, { expect: blockId });
    const pinned = checkpointFromKeyBlock(payload('key-block.tl', 0), keyBlockId);
    const short = verifyBlockProof(bytesOf('proof-key-block-to-block.tl'), pinned, { expect: blockId });
    expect(whole.reports.map(({ verdict }) => verdict.status)).toEqual(['final', 'final']);
    expect(short.reports.map(({ coverage }) => coverage.kind)).toEqual(['simplex']);
    expect(whole.checkpoint).toEqual({ ...short.checkpoint, anchor: zeroId, staleStart: 'unknown' });
    expect(whole.tipHeader).toEqual(short.tipHeader);
  });

  it('leads from a masterchain block down to a shard block', () => {
    const { shard_block } = answers.find(({ file }) => file === 'shard-block-proof.tl')!;
    const tl = new TlReader(bytesOf('shard-block-proof.tl'), 'shard-block-proof');
    tl.fixed(4);
    const readId = (): BlockIdExt => ({
      workchain: tl.int32(),
      shard: tl.int64(),
      seqno: tl.uint32(),
      rootHash: tl.int256(),
      fileHash: tl.int256(),
    });
    const master = readId();
    const links = Array.from({ length: tl.uint32() }, () => ({
      id: blockIdToAnswer(readId()),
      proof: Buffer.from(readTlBytes(tl, 1 << 20)).toString('base64'),
    }));
    tl.end();
    const from = blockIdToAnswer(master);
    expect(shardLink({ from, mc_id: from, links, mc_proof: [] }, master, idOf(shard_block!)).seqno).toBe(314);
  });

  it('ends in a typed error with the words of the server where it refuses', () => {
    for (const file of ['error-unknown-block.tl', 'transaction-absent.tl']) {
      expect(
        codeOf(() => verifyBlockProof(bytesOf(file), zeroId)),
        file,
      ).toBe('decode/api-error');
    }
  });
});
