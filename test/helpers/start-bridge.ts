/** A network to rehearse a bridge on, served over the lite-server protocol and over HTTP, with deposits on demand. */
import { checkpointToJson } from '../../src/core/chain/checkpoint.ts';
import { formatAccountId } from '../../src/core/facts/account-id.ts';
import { BridgeNetwork, type BridgeOptions, DEPOSIT_KINDS, type DepositForm, WALLET } from './bridge-network.ts';
import { VAULT } from './deposits.ts';
import { globalConfigOf } from './lite-cli.ts';
import { type LiteStandIn, startLiteStandIn } from './lite-stand-in.ts';
import { type Asked, type StandIn, startStandIn } from './stand-in.ts';
import type { Reply } from './stand-in-answers.ts';

export interface Bridge {
  readonly network: BridgeNetwork;
  readonly lite: LiteStandIn;
  readonly http: StandIn;
  /** The global configuration, as a client reads it. */
  readonly config: object;
  /** Makes a block. */
  nextBlock(): void;
  close(): Promise<void>;
}

const MAX_AMOUNT = 1n << 100n;
const MAX_COMMENT = 1024;

/** What a POST /deposit asks for. */
function readDeposit(text: string): { readonly kind: string; readonly given: Partial<DepositForm> } {
  const read: unknown = JSON.parse(text === '' ? '{}' : text);
  if (typeof read !== 'object' || read === null || Array.isArray(read)) throw new Error('expected a JSON object');
  const { kind = 'ton', amount, comment, ...more } = read as Record<string, unknown>;
  if (typeof kind !== 'string' || !Object.hasOwn(DEPOSIT_KINDS, kind))
    throw new Error(`kind: expected one of ${Object.keys(DEPOSIT_KINDS).join(', ')}`);
  if (Object.keys(more).length > 0) throw new Error(`expected kind, amount and comment, got ${Object.keys(more)}`);
  if (amount !== undefined && !/^[1-9]\d{0,30}$/.test(String(amount)))
    throw new Error('amount: expected a whole number above 0, of the smallest unit, as text');
  if (amount !== undefined && BigInt(String(amount)) >= MAX_AMOUNT) throw new Error('amount: more than an asset has');
  if (comment !== undefined && (typeof comment !== 'string' || Buffer.from(comment).length > MAX_COMMENT))
    throw new Error(`comment: expected text of at most ${MAX_COMMENT} bytes`);
  return {
    kind,
    given: {
      ...(amount === undefined ? {} : { amount: BigInt(String(amount)) }),
      ...(comment === undefined ? {} : { comment }),
    },
  };
}

export async function startBridge(
  options: BridgeOptions & { readonly port?: number; readonly litePort?: number } = {},
): Promise<Bridge> {
  const network = new BridgeNetwork(options);
  const lite = await startLiteStandIn({
    answer: (asked) => network.answer(asked),
    ...(options.litePort === undefined ? {} : { port: options.litePort }),
  });
  const config = globalConfigOf(network.chain, [lite]);

  function more({ method, path, text }: Asked): Reply | undefined {
    if (method === 'GET' && path === '/global.config.json') return { status: 200, body: { ...config } };
    if (method === 'GET' && path === '/checkpoint.json') {
      return { status: 200, body: { ...checkpointToJson(network.checkpoint) } };
    }
    if (method !== 'POST' || path !== '/deposit') return undefined;
    try {
      const { kind, given } = readDeposit(text);
      const lt = String(network.deposit(kind, given));
      const { asset, outcome } = DEPOSIT_KINDS[kind]!; // it was looked up
      const [vault, wallet] = [VAULT, WALLET].map((one) => formatAccountId(one));
      return { status: 200, body: { inBlock: network.head + 1, lt, vault, wallet, asset, outcome } };
    } catch (error) {
      return { status: 400, body: { error: (error as Error).message } };
    }
  }

  const http = await startStandIn({
    ...(options.port === undefined ? {} : { port: options.port }),
    chain: network.httpChain(),
    latest: network.head,
    more,
  });
  return {
    network,
    lite,
    http,
    config,
    nextBlock() {
      http.latest = network.nextBlock();
    },
    async close() {
      await lite.close();
      await http.close();
    },
  };
}

/** A network whose newest block is made now. @param deposits how many deposits of TON a block has, by its number */
export async function startBridgeAt(head: number, deposits: Readonly<Record<number, number>>): Promise<Bridge> {
  const bridge = await startBridge({ firstUtime: Math.floor(Date.now() / 1000) - head });
  for (let seqno = 2; seqno <= head; seqno++) {
    for (let k = 0; k < (deposits[seqno] ?? 0); k++) bridge.network.deposit('ton');
    bridge.nextBlock();
  }
  return bridge;
}
