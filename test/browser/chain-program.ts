/** Runs in the page: the chain entry. */
import { checkpointToJson, MAINNET, verifyBlockProof } from '../../src/chain.ts';
import { blockIdToJson } from '../../src/core/block/block-id-json.ts';

/** A walk from the shipped anchor, in plain values. */
export function walkFromAnchor(answer: readonly number[]) {
  const walk = verifyBlockProof(Uint8Array.from(answer), MAINNET.initBlock);
  return {
    tip: blockIdToJson(walk.tip),
    complete: walk.complete,
    checkpoint: checkpointToJson(walk.checkpoint),
    links: walk.reports.map(({ verdict, validators, coverage }) => ({
      status: verdict.status,
      setCheck: validators.setCheck,
      signedWeight: coverage.signedWeight.toString(),
    })),
  };
}

const program = { walkFromAnchor };
export type ChainProgram = typeof program;
Object.assign(globalThis, { program });
