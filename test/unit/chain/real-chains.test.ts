import { describe, expect, it } from 'vitest';
import { encodeHex } from '../../../src/base/bytes.ts';
import { provenHeader, verifyStoredProof, advance } from '../../../src/chain.ts';
import { checkpointFromKeyBlock, checkpointFromZerostate, MAINNET_INIT_BLOCK, MAINNET_ZEROSTATE, validatorSetAt, verifyShardLink, walkBlockProof, checkpointToJson, parseCheckpoint } from '../../../src/chain.ts';
import { parseSignatureSet } from '../../../src/decode/signature-set.ts';
import { verifyBlock } from '../../../src/verify/verifier.ts';
import { realBytes, realJson, realFiles, httpJson } from '../../helpers/real.ts';

describe('x', () => {
  it('walk', () => {
    const t=performance.now();
    const w = walkBlockProof(MAINNET_INIT_BLOCK, realBytes('mainnet-2025-04/partial-block-proof.tl'));
    console.log(performance.now()-t, w.tip.seqno, w.checkpoint.keyBlock.seqno, w.reports.map(r=>r.verdict.status), w.checkpoint.configProof.length, w.complete);
    const again = parseCheckpoint(JSON.parse(JSON.stringify(checkpointToJson(w.checkpoint))));
    expect(again).toEqual(w.checkpoint);
  });
  it('zero', () => {
    const cp = checkpointFromZerostate(realBytes('mainnet-genesis/zerostate.boc'), MAINNET_ZEROSTATE);
    for (let n=1;n<=10;n++){ const set=parseSignatureSet(realJson(`mainnet-genesis/block-${n}/signatures.json`)); const header=provenHeader(realBytes(`mainnet-genesis/block-${n}/block.boc`), set.blockId); const r=verifyBlock(set, validatorSetAt(cp), {evidence:{header}}); console.log(n, r.verdict.status, r.validators.setCheck);
    const p=verifyStoredProof(cp, realBytes(`mainnet-genesis/block-${n}/block-proof.boc`)); expect(p.verdict.status).toBe('final');}
  });
  it('shard', () => {
    for (const n of [30497145, 39984096]) { const j:any=httpJson(`v2-getShardBlockProof-python-${n}.json`); const f=j.result.from; const id={workchain:-1, shard:BigInt(f.shard), seqno:f.seqno, rootHash:new Uint8Array(Buffer.from(f.root_hash,'base64')), fileHash:new Uint8Array(Buffer.from(f.file_hash,'base64'))};
    console.log(verifyShardLink(j,id).seqno);}
  });
});
