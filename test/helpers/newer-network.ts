/** A network that is newer than this program: from some block on its proofs hold signatures of a kind that nobody here knows. */
import {
  BLOCK_LINK_BACK,
  LITE_SIGNATURE_SET_ORDINARY,
  LITE_SIGNATURE_SET_SIMPLEX,
} from '../../src/core/tl/constructors.ts';
import type { LiteChain } from './lite-chain.ts';
import { ASKS } from './lite-servers.ts';
import type { LiteAsked, LiteStandInOptions } from './lite-stand-in.ts';
import { u32 } from './tl-answers.ts';

const KINDS = [LITE_SIGNATURE_SET_ORDINARY, LITE_SIGNATURE_SET_SIMPLEX, BLOCK_LINK_BACK].map(u32);
const NEW_KIND = u32(0x5175616e);

/** The answer with every kind of signatures, and of links back, replaced by one that is not known. */
export function inNewForm(answer: Uint8Array): Buffer {
  const bytes = Buffer.from(answer);
  for (const kind of KINDS) {
    for (let at = bytes.indexOf(kind); at >= 0; at = bytes.indexOf(kind, at + 4)) NEW_KIND.copy(bytes, at);
  }
  return bytes;
}

/** What a server answers: the truth, in the new form where a proof leads to the block of the upgrade or a later one. */
export function newerFrom(chain: LiteChain, seqno: number): LiteStandInOptions['answer'] {
  return async (asked: LiteAsked) => {
    const answer = await chain.answer(asked);
    const isNew = asked.constructorId === ASKS.proof && asked.request.readUInt32LE(100) >= seqno;
    return isNew ? inNewForm(answer) : answer;
  };
}
