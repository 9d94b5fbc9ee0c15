/** Facts over lite servers of which the first holds the run up, or names a block that others do not keep. */
import { afterEach, expect, it, vi } from 'vitest';
import { fetchFact } from '../../../src/app/cli/servers/fetch-fact.ts';
import { VAULT } from '../../helpers/deposits.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';
import { ASKS } from '../../helpers/lite-servers.ts';
import { type LiteStandInOptions, liteError, startLiteStandIn } from '../../helpers/lite-stand-in.ts';
import { startOf } from '../../helpers/networks.ts';
import { startBridgeAt } from '../../helpers/start-bridge.ts';

type Answer = LiteStandInOptions['answer'];

const CONFIG_PARAMS = '191c112a';
const BY_SEQNO = 1;
const BY_LT = 2;

const started: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const one of started.splice(0)) await one.close();
});

async function planOf(...answers: readonly Answer[]) {
  const servers = [];
  for (const answer of answers) {
    const standIn = await startLiteStandIn({ answer });
    started.push(standIn);
    servers.push(standIn.server);
  }
  return { servers, network: undefined, countEachServer: true };
}

const options = { seqno: undefined, witnesses: undefined, strict: false, evidence: undefined, json: true };

it('a fact of the newest block is not proven below a block that became old while another server was asked', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const chain = new LiteChain({ length: 28, keyEvery: 2, firstUtime: Math.floor(Date.now() / 1000) - 27 });
  const honest: Answer = (asked) => chain.answer(asked);
  const slow: Answer = async (asked) => {
    if (asked.constructorId !== CONFIG_PARAMS) return await chain.answer(asked);
    if (chain.head === 28) vi.setSystemTime(Date.now() + 90_000); // it may be asked again
    const genUtime = Math.floor(Date.now() / 1000);
    for (chain.head = 30; chain.blocks.size < 30; ) chain.append({ genUtime });
    return liteError(651, 'not here');
  };
  const question = { kind: 'config', param: 34 } as const;
  const asked = { kind: 'config', question, checkpoint: startOf(chain), options } as const;
  expect(await fetchFact(await planOf(slow, honest), asked, ({ block }) => block.id.seqno)).toBe(30);
});

it('a server that names a block which other servers do not keep ends no run that asks for a witness', async () => {
  const bridge = await startBridgeAt(10, { 5: 1, 8: 1 });
  started.push(bridge);
  const { network } = bridge;
  const [first, last] = network.deposits.map(({ lt }) => lt);
  // Asked for the time of one deposit, it names the block of an earlier one.
  const liar: Answer = async ({ request, ...asked }) => {
    const other = Buffer.from(request);
    if (asked.constructorId === ASKS.lookup && other.readUInt32LE(4) === BY_LT) other.writeBigUInt64LE(first!, 24);
    return await network.answer({ ...asked, request: other });
  };
  const honest: Answer = async (asked) => {
    const isByNumber = asked.constructorId === ASKS.lookup && asked.request.readUInt32LE(4) === BY_SEQNO;
    return isByNumber && asked.request.readUInt32LE(20) < 7 ? liteError(651, 'not in db') : await network.answer(asked);
  };
  const question = { kind: 'transaction', account: VAULT, lt: last! } as const;
  const { checkpoint } = network;
  const asked = { kind: 'transaction', question, checkpoint, options: { ...options, witnesses: '1' } } as const;
  const found = await fetchFact(await planOf(liar, honest, honest), asked, ({ input }) => input.kind);
  expect(found).toBe('transaction');
  const alone = fetchFact(await planOf(liar, liar), { ...asked, options }, () => undefined);
  await expect(alone).rejects.toMatchObject({ code: 'source/wrong-block' });
});
