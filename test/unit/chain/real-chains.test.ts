import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  advanceCheckpoint,
  type Checkpoint,
  checkpointFromKeyBlock,
  checkpointFromZerostate,
  checkpointToJson,
  MAINNET,
  parseCheckpoint,
  validatorSetAt,
  verifyBlockProof,
  verifyHeader,
  verifyStoredProof,
} from '../../../src/chain.ts';
import { encodeHex } from '../../../src/core/base/bytes.ts';
import type { BlockIdExt } from '../../../src/core/block/block-id.ts';
import { parseSignatureList } from '../../../src/core/block/signature-list.ts';
import { MAINNET_INIT_BLOCK_UTIME } from '../../../src/core/chain/anchors.ts';
import { headerFacts, openBlock, readProvenBlock } from '../../../src/core/chain/block-header.ts';
import { parsePartialBlockProof } from '../../../src/core/chain/block-proof.ts';
import { parseStoredProof } from '../../../src/core/chain/stored-proof.ts';
import { parseValidatorSet } from '../../../src/core/validators/from-json.ts';
import { validatorListHashShort } from '../../../src/core/validators/list-hash-short.ts';
import { checkSessionId } from '../../../src/core/validators/session-id.ts';
import { verifyBlock } from '../../../src/core/verify/verifier.ts';
import { CoreCell } from '../../helpers/cells.ts';
import { realBytes, realFiles, realJson } from '../../helpers/real.ts';

interface Case {
  readonly id: string;
  readonly global_id: number;
  readonly seqno: number;
  readonly signatures_file: string;
  readonly block_boc?: string;
  readonly other_files?: readonly string[];
  readonly key_block?: boolean;
  readonly expected: { readonly signed_weight: string; readonly main_weight: string; readonly final: boolean };
}
// The recorded index of our own vectors.
const cases = new Map((realJson('index.json') as Case[]).map((entry) => [entry.id, entry]));
const chains = realJson('chains.json') as { name: string; anchor: string; steps: string[] }[];

const signatures = (id: string) => parseSignatureList(realJson(cases.get(id)!.signatures_file));

/** The id of a block whose file alone is recorded, computed by other people's code: what a user would have pinned. */
function idOfFile(path: string): BlockIdExt {
  const bytes = realBytes(path);
  const root = CoreCell.fromBoc(Buffer.from(bytes))[0]!;
  const info = root.refs[0]!.beginParse();
  return {
    workchain: -1,
    shard: -(1n << 63n),
    seqno: info.skip(80).loadUint(32),
    rootHash: Uint8Array.from(root.hash(0)),
    fileHash: Uint8Array.from(createHash('sha256').update(bytes).digest()),
  };
}

/** The checkpoint that a chain of `chains.json` starts from. */
function anchorOf(anchor: string): Checkpoint {
  if (anchor.includes('zerostate.boc')) {
    return checkpointFromZerostate(realBytes('mainnet-genesis/zerostate.boc'), MAINNET.zerostate);
  }
  const recorded = cases.get(anchor);
  if (recorded?.block_boc !== undefined) {
    return checkpointFromKeyBlock(realBytes(recorded.block_boc), signatures(anchor).blockId);
  }
  return checkpointFromKeyBlock(realBytes(anchor), idOfFile(anchor));
}

describe('every recorded chain of full blocks walks from its pinned block without a given key', () => {
  const walkable = chains.filter(({ anchor }) => !anchor.includes('config proof'));

  it('are seven of the nine; the other two are proof answers', () => {
    expect(walkable.length).toBe(7);
  });

  it.each(walkable)('$name', ({ anchor, steps }) => {
    let checkpoint = anchorOf(anchor);
    for (const id of steps) {
      const recorded = cases.get(id)!;
      const set = signatures(id);
      const boc = recorded.block_boc ?? recorded.other_files!.find((file) => file.endsWith('header-proof.boc'))!;
      const header = verifyHeader(realBytes(boc), set.blockId);
      const validators = validatorSetAt(checkpoint);
      expect(header.prevKeyBlockSeqno, id).toBe(checkpoint.keyBlock.seqno);
      expect(validatorListHashShort(validators, header.catchainSeqno), id).toBe(header.validatorListHashShort);
      const report = verifyBlock(set, validators, { context: { header } });
      expect(report.verdict, id).toEqual({ status: 'final' });
      expect(report.validators.setCheck, id).toBe('match');
      expect(String(report.coverage.signedWeight), id).toBe(recorded.expected.signed_weight);
      expect(String(report.coverage.totalWeight), id).toBe(recorded.expected.main_weight);
      expect(report.validators.provenance).toMatchObject({
        kind: 'proven',
        anchor: { seqno: checkpoint.anchor.seqno },
      });
      if (recorded.key_block) {
        checkpoint = advanceCheckpoint({ block: realBytes(boc), signatures: set }, checkpoint);
        expect(checkpoint.keyBlock.seqno).toBe(recorded.seqno);
        expect(checkpoint.globalId).toBe(recorded.global_id);
      }
    }
    expect(parseCheckpoint(JSON.parse(JSON.stringify(checkpointToJson(checkpoint))))).toEqual(checkpoint);
  });
});

describe('a recorded proof answer walks from the pinned block', () => {
  it('mainnet 46894135 to 46920655, in three links', () => {
    const walk = verifyBlockProof(realBytes('mainnet-2025-04/partial-block-proof.tl'), MAINNET.initBlock);
    expect(walk.tip).toEqual(signatures('mainnet-2025-04/block-46920655').blockId);
    expect(walk.reports.map(({ verdict }) => verdict.status)).toEqual(['final', 'final', 'final']);
    expect(walk.reports.map(({ validators }) => validators.setCheck)).toEqual(['match', 'match', 'match']);
    expect(walk.reports.map(({ coverage }) => String(coverage.signedWeight))).toEqual(
      [46897112, 46917741, 46920655].map((n) => cases.get(`mainnet-2025-04/block-${n}`)!.expected.signed_weight),
    );
    expect(walk.checkpoint.keyBlock).toEqual(signatures('mainnet-2025-04/block-46917741').blockId);
    expect(walk.checkpoint.anchor).toEqual(MAINNET.initBlock);
    expect(walk.complete).toBe(true);
    const [link] = parsePartialBlockProof(realBytes('mainnet-2025-04/partial-block-proof.tl')).links;
    const { configProof } = link as { configProof: Uint8Array }; // a link forward, as the reports above are
    expect(verifyHeader(configProof, MAINNET.initBlock).genUtime).toBe(MAINNET_INIT_BLOCK_UTIME);
  });

  it('mainnet 59238081 to 59379986, simplex, whose session id is recomputed equal', () => {
    const answer = realBytes('mainnet-2026-04-simplex/partial-block-proof.tl');
    const set = signatures('mainnet-2026-04-simplex/block-59379986');
    const anchor = anchorInAnswer(answer);
    expect(anchor.seqno).toBe(59238081);
    const walk = verifyBlockProof(answer, anchor, { expect: set.blockId });
    expect(walk.reports[0]!.verdict).toEqual({ status: 'final' });
    expect(walk.reports[0]!.validators.setCheck).toBe('match');
    expect(walk.reports[0]!.coverage.signatures.length).toBe(66);
    if (set.kind !== 'simplex') throw new Error('the recorded set is a simplex one');
    const { catchainSeqno, prevKeyBlockSeqno, vertSeqno } = walk.tipHeader!;
    const validators = validatorSetAt(walk.checkpoint);
    const parts = { catchainSeqno, prevKeyBlockSeqno, verticalSeqno: vertSeqno };
    expect(checkSessionId(set.sessionId, validators, parts)).toBe('match');
    expect(checkSessionId(set.sessionId, validators, { ...parts, verticalSeqno: 0 })).toBe('mismatch');
  });

  /** tonNode.blockIdExt at offset 8 of the answer: what the recorder had asked from. */
  function anchorInAnswer(answer: Uint8Array): BlockIdExt {
    const view = new DataView(answer.buffer);
    return {
      workchain: view.getInt32(8, true),
      shard: view.getBigInt64(12, true),
      seqno: view.getUint32(20, true),
      rootHash: answer.slice(24, 56),
      fileHash: answer.slice(56, 88),
    };
  }

  it('the checkpoint of either walk is the same, byte for byte, as one from the config proof alone', () => {
    const walk = verifyBlockProof(realBytes('mainnet-2025-04/partial-block-proof.tl'), MAINNET.initBlock);
    const proof = realBytes('mainnet-2025-04/block-46920655/config-proof.boc');
    const pinned = checkpointFromKeyBlock(proof, walk.checkpoint.keyBlock);
    expect(pinned.configProof).toEqual(walk.checkpoint.configProof);
    expect(pinned.config).toEqual(walk.checkpoint.config);
  });
});

describe('every full block that was recorded', () => {
  const full = [...cases.values()].filter(({ block_boc }) => block_boc !== undefined);

  it('are all there', () => expect(full.length).toBeGreaterThanOrEqual(50));

  it.each(full)('has the root and file hash of its id: $id', ({ id, block_boc }) => {
    const { blockId } = signatures(id);
    const boc = realBytes(block_boc!);
    const { root, whole } = openBlock(boc, 'block');
    expect(whole).toBe(true);
    expect(encodeHex(root.hash(0))).toBe(encodeHex(blockId.rootHash));
    expect(verifyHeader(boc, blockId)).toMatchObject({ source: 'proven', seqno: blockId.seqno });
  });
});

describe('every stored block proof that was recorded', () => {
  const proofs = realFiles('block-proof.boc');
  const genesis = checkpointFromZerostate(realBytes('mainnet-genesis/zerostate.boc'), MAINNET.zerostate);
  const first2020 = 'mainnet-2020-04-06/block-3082181';
  const april2020 = checkpointFromKeyBlock(realBytes(`${first2020}/block.boc`), signatures(first2020).blockId);

  it('are 31', () => expect(proofs.length).toBe(31));

  it.each(proofs.filter((path) => !path.startsWith(first2020)))(
    'verifies by itself under its checkpoint: %s',
    (path) => {
      const id = path.slice(0, path.lastIndexOf('/'));
      const checkpoint = path.startsWith('mainnet-genesis') ? genesis : april2020;
      const report = verifyStoredProof(realBytes(path), checkpoint, { expect: signatures(id).blockId });
      expect(report.verdict.status).toBe('final');
      expect(report.bound.length).toBe(5);
      expect(String(report.coverage.signedWeight)).toBe(cases.get(id)!.expected.signed_weight);
    },
  );

  it('verifies key block 3082181, whose own predecessor is not recorded, under the set given beside it', () => {
    const proof = parseStoredProof(realBytes(`${first2020}/block-proof.boc`));
    const { header } = readProvenBlock(proof.root, proof.blockId, 'proof');
    const given = parseValidatorSet(realJson(`${first2020}/validators.json`));
    const report = verifyBlock(proof.signatures.list, given, {
      context: { header: headerFacts(header, proof.blockId) },
    });
    expect(report.verdict.status).toBe('final');
    expect(report.coverage.signedWeight).toBe(proof.signatures.signedWeight);
    expect(proof.signatures.catchainSeqno).toBe(header.catchainSeqno);
    expect(proof.signatures.validatorListHashShort).toBe(header.validatorListHashShort);
  });

  it('does not verify key block 3082181 under the set that the block itself installs, though that set is the same', () => {
    expect(() => verifyStoredProof(realBytes(`${first2020}/block-proof.boc`), april2020)).toThrow(
      expect.objectContaining({ code: 'trust/backwards' }),
    );
  });
});
