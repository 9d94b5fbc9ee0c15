/** Groups blocks that are judged together, and decides how long rows wait for the next group. */
import { sleep } from '../../net/async/timer.ts';
import type { AuditItem } from './block-items.ts';

/** Most blocks in a batch: enough to keep threads busy, few enough that the garbage collector frees them young. */
const BATCH_BLOCKS = 16;

/**
 * Groups items into batches. A hop is never split. A key block is the last of its batch, since it may change the set.
 */
export async function* batches(items: AsyncIterable<AuditItem>): AsyncGenerator<readonly AuditItem[]> {
  let batch: AuditItem[] = [];
  let signed = 0;
  let waitsFor = 0;
  for await (const item of items) {
    batch.push(item);
    if (item.type === 'signed') signed += 1;
    if (item.type === 'linked') waitsFor = Math.max(waitsFor, item.of);
    const isWhole = item.seqno >= waitsFor;
    const isKeyBlock = item.type !== 'failure' && item.known?.header.keyBlock === true;
    if (!isWhole || (!isKeyBlock && signed < BATCH_BLOCKS && batch.length < BATCH_BLOCKS * 4)) continue;
    yield batch;
    batch = [];
    signed = 0;
  }
  if (batch.length > 0) yield batch;
}

/** Returns the last block of a batch if it is a key block. The blocks after a key block have its set. */
export function keyBlockAtEnd(batch: readonly AuditItem[]) {
  const last = batch.at(-1);
  return last?.type === 'signed' && last.known?.header.keyBlock === true ? last : undefined;
}

/** Milliseconds that the rows of a batch wait for the next batch to be read. */
const PATIENCE_MS = 20;

/** Returns whether a promise is fulfilled within `PATIENCE_MS`. */
export async function isSoon(coming: Promise<unknown>): Promise<boolean> {
  const end = new AbortController();
  const late = sleep(PATIENCE_MS, end.signal).then(() => false);
  try {
    return await Promise.race([coming.then(() => true), late]);
  } finally {
    end.abort();
  }
}
