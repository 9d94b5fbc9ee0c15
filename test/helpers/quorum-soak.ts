/**
 * Many questions through a quorum of 2 of 3 servers, one of which fails or lies at random: how often the answer was
 * wrong, and whether every failure was laid at the right door.
 */

import type { SourceStatement } from '../../src/core/base/errors.ts';
import { formatBlockId } from '../../src/core/block/block-id.ts';
import { quorumOf } from '../../src/net/sources/quorum-of.ts';
import { toncenterV2 } from '../../src/net/toncenter/toncenter-v2.ts';
import { startStandIn } from './stand-in.ts';
import { FAULT_NAMES, type FaultName } from './stand-in-faults.ts';

export interface SoakResult {
  readonly asked: number;
  readonly wrong: number;
  readonly failed: number;
  /** Faults that the bad server committed on these questions. */
  readonly faults: number;
  /** Failures and other answers that the quorum reported, by server: only the bad one may be among them. */
  readonly oddByServer: Readonly<Record<string, number>>;
  readonly unanswered: number;
  readonly badServer: string;
}

/** Faults that end in a readable answer about the right block: nothing for a quorum to see. */
const INVISIBLE: ReadonlySet<FaultName> = new Set(['previous-signatures', 'bad-signature']);

/** Not for a soak: some become an answer after some tries, one unpacks 256 MiB a time, one asks to be left alone for an hour. */
const PATIENT: ReadonlySet<FaultName> = new Set([
  'ready-after-1',
  'ready-after-3',
  'gzip-bomb',
  'rate-limit-retry-after',
]);

/** xorshift32: the same faults in the same order for the same seed. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

export async function soakQuorum(count: number, seed = 1): Promise<SoakResult> {
  const [good, bad] = [await startStandIn(), await startStandIn()];
  const seqnos = [...good.chain.blocks.keys()];
  const random = seeded(seed);
  const names = FAULT_NAMES.filter((name) => !PATIENT.has(name));
  let faults = 0;
  bad.chooseFault = () => {
    if (random() < 0.5) return undefined;
    const fault = names[Math.floor(random() * names.length)]!;
    if (!INVISIBLE.has(fault)) faults++;
    return fault;
  };
  const server = (origin: string) =>
    toncenterV2({
      baseUrl: `${origin}/api/v2`,
      requestsPerSecond: Number.POSITIVE_INFINITY,
      concurrency: 8,
      retries: 0,
      timeoutMs: 1000,
      maxBodyBytes: 256 * 1024,
    });
  const servers = [server(good.origin), server(`${good.origin}/python`), server(bad.origin)];
  const oddByServer: Record<string, number> = {};
  const onOdd = ({ source }: SourceStatement) => {
    oddByServer[source] = (oddByServer[source] ?? 0) + 1;
  };
  const source = quorumOf(servers, 2, { onOdd, graceMs: 2000 });
  let [asked, wrong, failed] = [0, 0, 0];
  const worker = async () => {
    while (asked < count) {
      const seqno = seqnos[asked++ % seqnos.length]!;
      const right = good.chain.blocks.get(seqno)!.signatures.id;
      try {
        const { blockId } = (await source.signatures(seqno)).signatures;
        const [root, file] = [blockId.rootHash, blockId.fileHash].map((hash) => Buffer.from(hash).toString('base64'));
        const isRight = blockId.seqno === seqno && root === right.root_hash && file === right.file_hash;
        if (!isRight || !formatBlockId(blockId).includes(`,${seqno})`)) wrong++;
      } catch {
        failed++;
      }
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  const unanswered = (await bad.unanswered()) + (await good.unanswered());
  await Promise.all([good.close(), bad.close()]);
  return { asked, wrong, failed, faults, oddByServer, unanswered, badServer: servers[2]!.name };
}
