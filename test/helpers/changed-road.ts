/** A bridge's whole road with one bit of one answer changed, many times: what is refused, and what is accepted because nothing reads the bit. */
import { readFileSync } from 'node:fs';
import { certificateToBoc } from '../../src/core/certificate/parse.ts';
import { type Checkpoint, checkpointToJson, parseCheckpoint } from '../../src/core/chain/checkpoint.ts';
import type { AccountId } from '../../src/core/facts/account-id.ts';
import { acceptDeposit, type Deposit } from '../../src/core/facts/deposit.ts';
import type { DepositTerms } from '../../src/core/facts/deposit-terms.ts';
import { certifyTransaction } from '../../src/net/lite/certify.ts';
import type { LiteServerClient } from '../../src/net/lite/client.ts';
import { depositsOf } from '../../src/net/lite/deposits.ts';
import type { LiteServer } from '../../src/net/lite-api/global-config.ts';
import { fieldsOf } from './answer-fields.ts';
import { seededRandom } from './cells.ts';
import { acceptCertificate, said } from './changed-certificate.ts';
import { type RecordedAnswer, ReplayedServer, recordRoad } from './recorded-road.ts';

/** The deposit that a road leads to, and when it is taken. */
export interface RoadEnds {
  readonly checkpoint: Checkpoint;
  readonly vault: AccountId;
  /** Of the vault's transaction before it. */
  readonly afterLt: bigint;
  readonly lt: bigint;
  /** Unix seconds. */
  readonly nowSeconds: number;
}

const termsOf = ({ checkpoint, vault, nowSeconds }: RoadEnds): DepositTerms<string> => ({
  network: { globalId: checkpoint.globalId, zerostate: checkpoint.anchor },
  checkpoint,
  nowSeconds,
  vault,
  asset: 'TON',
  atLeast: 1n,
  since: 1n,
  payload: (text) => new TextDecoder().decode(text),
});

type Road = (client: LiteServerClient, ends: RoadEnds) => Promise<Deposit<string>>;

/** Both ways to a deposit: all that came to the vault, and a certificate of one transaction. */
export const ROADS = {
  async scan(client, ends) {
    const { checkpoint, vault, afterLt, lt, nowSeconds } = ends;
    const options = { afterLt, clock: () => nowSeconds, maxHeadAgeSeconds: 300 };
    for await (const one of depositsOf([client], checkpoint, vault, options)) {
      if (one.lt === lt) return acceptDeposit(one, { ...termsOf(ends), checkpoint: one.checkpoint });
    }
    throw new Error('it did not come');
  },
  async certify(client, ends) {
    const { checkpoint, vault: account, lt, nowSeconds } = ends;
    const options = { clock: () => nowSeconds, maxHeadAgeSeconds: 300 };
    const certified = await certifyTransaction([client], checkpoint, { account, lt }, options);
    return acceptCertificate(certificateToBoc(certified.certificate), termsOf(ends));
  },
} satisfies Record<string, Road>;

type Answers = ReadonlyMap<string, RecordedAnswer>;

/** What a server answered on each road. */
export interface RecordedRoads extends RoadEnds {
  readonly roads: Readonly<Record<keyof typeof ROADS, Answers>>;
}

export async function recordRoads(server: LiteServer, ends: RoadEnds): Promise<RecordedRoads> {
  const record = (road: Road) => recordRoad(server, (client) => road(client, ends));
  return { ...ends, roads: { scan: await record(ROADS.scan), certify: await record(ROADS.certify) } };
}

interface SavedRoads {
  readonly checkpoint: object;
  readonly vault: { readonly workchain: number; readonly address: string };
  readonly afterLt: string;
  readonly lt: string;
  readonly nowSeconds: number;
  readonly roads: Record<keyof typeof ROADS, readonly (readonly [operation: string, hex: string, base64: string])[]>;
}

/** A recording as text. */
export function savedRoads({ checkpoint, vault, afterLt, lt, nowSeconds, roads }: RecordedRoads): string {
  const saved = (answers: Answers) =>
    [...answers].map(([question, { operation, answer }]) => [
      operation,
      question,
      Buffer.from(answer).toString('base64'),
    ]);
  const { workchain, address } = vault;
  const json = {
    nowSeconds,
    vault: { workchain, address: Buffer.from(address).toString('hex') },
    afterLt: String(afterLt),
    lt: String(lt),
    roads: { scan: saved(roads.scan), certify: saved(roads.certify) },
    checkpoint: checkpointToJson(checkpoint),
  };
  return `${JSON.stringify(json, null, 1)}\n`;
}

export function loadRoads(file: string): RecordedRoads {
  const saved = JSON.parse(readFileSync(file, 'utf8')) as SavedRoads;
  const { checkpoint, vault, afterLt, lt, nowSeconds, roads } = saved;
  const { workchain, address } = vault;
  const answers = (list: SavedRoads['roads']['scan']): Answers =>
    new Map(
      list.map(([operation, hex, base64]) => [
        hex,
        { operation, answer: Uint8Array.from(Buffer.from(base64, 'base64')) },
      ]),
    );
  return {
    checkpoint: parseCheckpoint(checkpoint),
    vault: { workchain, address: Uint8Array.from(Buffer.from(address, 'hex')) },
    afterLt: BigInt(afterLt),
    lt: BigInt(lt),
    nowSeconds,
    roads: { scan: answers(roads.scan), certify: answers(roads.certify) },
  };
}

/** Members whose bits a server may change without a word being less true, and why: nothing that is proven rests on them. */
export const UNREAD: Readonly<Record<string, string>> = {
  'masterchainInfoExt.version': 'what the server says of its program',
  'masterchainInfoExt.capabilities': 'what the server says of its program',
  'masterchainInfoExt.last_utime': 'the head is as old as its own proven header says',
  'masterchainInfoExt.now': "the server's clock, of which minutes are allowed",
  'blockHeader.mode': 'which parts of a header the server says that it shows; they are read from the proof',
  'masterchainInfoExt.state_root_hash': "the head's state is read from its proven header",
  'masterchainInfoExt.init.root_hash': 'the network is that of the checkpoint, from which each block is proven',
  'masterchainInfoExt.init.file_hash': 'the network is that of the checkpoint, from which each block is proven',
  'transactionList.ids.workchain': 'a history is proven by the hash of each transaction, whatever block it was in',
  'transactionList.ids.shard': 'a history is proven by the hash of each transaction, whatever block it was in',
  'transactionList.ids.seqno': 'a history is proven by the hash of each transaction, whatever block it was in',
  'transactionList.ids.root_hash': 'a history is proven by the hash of each transaction, whatever block it was in',
  'transactionList.ids.file_hash': 'a history is proven by the hash of each transaction, whatever block it was in',
};

/** What came of changed answers. */
export interface ChangedRoads {
  refused: number;
  /** Accepted as something else than what it is. */
  other: number;
  /** Accepted as what it is, by the member of the answer that has the bit. */
  readonly unread: Record<string, number>;
}

const AT_ONCE = 16;

/**
 * Changes single bits of what a server answers: of all bits that it sends, each as likely as the others.
 * @param times for each road
 */
export async function changeRoads(recorded: RecordedRoads, times: number, seed = 1): Promise<ChangedRoads> {
  const random = seededRandom(seed);
  const count: ChangedRoads = { refused: 0, other: 0, unread: {} };
  for (const [name, answers] of Object.entries(recorded.roads)) {
    const road: Road = ROADS[name as keyof typeof ROADS];
    const all = [...answers].map(([question, { answer }]) => ({ question, answer, fields: fieldsOf(answer) }));
    const bits = all.reduce((sum, { answer }) => sum + 8 * answer.length, 0);
    let left = times;
    const work = async () => {
      const server = new ReplayedServer(answers);
      await server.start();
      try {
        const truth = said(await server.take((client) => road(client, recorded)));
        while (left-- > 0) {
          let at = Math.floor(random() * bits);
          const one = all.find(({ answer }) => {
            if (at < 8 * answer.length) return true;
            at -= 8 * answer.length;
            return false;
          })!;
          const { question, fields } = one;
          const answer = one.answer.slice();
          answer[at >> 3]! ^= 1 << (at & 7);
          const deposit = await server
            .take((client) => road(client, recorded), { question, answer })
            .catch(() => undefined);
          if (deposit === undefined) count.refused += 1;
          else if (said(deposit) !== truth) count.other += 1;
          else {
            const { name: field } = fields.find(({ from, to }) => from <= at >> 3 && at >> 3 < to)!;
            count.unread[field] = (count.unread[field] ?? 0) + 1;
          }
        }
      } finally {
        await server.close();
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }
  return count;
}
