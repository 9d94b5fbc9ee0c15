/** Sources that do as they are told: what they answer, after how long, and whether they heard that they may stop. */
import { SourceError, type SourceErrorCode } from '../../src/core/base/errors.ts';
import type { SignatureList } from '../../src/core/block/signature-list.ts';
import type { AskOptions, BlockSource } from '../../src/net/sources/block-source.ts';
import { makeSignedSet, toAnswer } from './make-block.ts';
import { makeSigners } from './make-validators.ts';

export const signers = makeSigners([1n, 1n, 1n, 1n]);
const lists = new Map<number, SignatureList>();
/** The list of a number, signed once. */
export function signed(seqno: number): SignatureList {
  const known = lists.get(seqno) ?? makeSignedSet('ordinary', signers, seqno);
  lists.set(seqno, known);
  return known;
}
export const otherSigned = (seqno: number): SignatureList => {
  const set = signed(seqno);
  return { ...set, blockId: { ...set.blockId, rootHash: new Uint8Array(32).fill(7) } };
};
/** As the JSON of a server. */
export const answer = (seqno: number) => toAnswer(signed(seqno));
export const otherAnswer = (seqno: number) => toAnswer(otherSigned(seqno));
export const failing = (code: SourceErrorCode) => (): never => {
  throw new SourceError(code, `${code} happened`, { attempts: 2 });
};

export interface Behaviour {
  readonly head?: number | (() => number);
  readonly give?: (seqno: number) => SignatureList;
  readonly afterMs?: number | (() => number);
}

export function fakeSource(name: string, { head = 5, give = signed, afterMs = 0 }: Behaviour = {}) {
  const stopped: string[] = [];
  const calls: string[] = [];
  async function later<T>(what: string, opts: AskOptions | undefined, make: () => T): Promise<T> {
    calls.push(what);
    await new Promise<void>((resolve, reject) => {
      const timeout = setTimeout(resolve, typeof afterMs === 'number' ? afterMs : afterMs());
      opts?.signal?.addEventListener('abort', () => {
        clearTimeout(timeout);
        stopped.push(what);
        reject(new SourceError('source/aborted', 'stopped'));
      });
    });
    return make();
  }
  const source: BlockSource = {
    name,
    latestSeqno: (opts) => later('latest', opts, () => (typeof head === 'number' ? head : head())),
    signatures: (seqno, opts) => later(`signatures ${seqno}`, opts, () => ({ signatures: give(seqno), source: name })),
  };
  return { ...source, stopped, calls };
}
