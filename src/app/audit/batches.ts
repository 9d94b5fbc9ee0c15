/** Blocks that are judged together, and how long they wait for the next ones. */
import type { AuditItem } from './block-items.ts';

/** Blocks that are judged together: enough to keep threads busy, few enough that they are garbage before they are old. */
const BATCH_BLOCKS = 16;

/** Items in batches that are judged together: never part of a hop, and a key block is the last, since it may change the set. */
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

/** The last block of a batch, when it is a key block: blocks after it have its set. */
export function keyBlockAtEnd(batch: readonly AuditItem[]) {
  const last = batch.at(-1);
  return last?.type === 'signed' && last.known?.header.keyBlock === true ? last : undefined;
}

/** How long the rows of a batch wait for the next one to be read. */
const PATIENCE_MS = 20;

/** Whether a promise is fulfilled before long. */
export async function isSoon(coming: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), PATIENCE_MS);
  });
  try {
    return await Promise.race([coming.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
