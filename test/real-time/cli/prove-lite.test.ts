/** prove --lite in one command, against a lite server on loopback that replays what a real one answered. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { formatBlockId } from '../../../src/core/block/block-id.ts';
import { buildMerkleProof } from '../../../src/core/cells/build-proof.ts';
import { openBlock } from '../../../src/core/chain/block-header.ts';
import { checkpointToJson } from '../../../src/core/chain/checkpoint.ts';
import { formatAccountId, parseAccountId } from '../../../src/core/facts/account-id.ts';
import { assumeFinal, factsOf } from '../../../src/core/facts/proven-block.ts';
import { checkTransaction } from '../../../src/core/facts/transaction.ts';
import { verifyForkEvidence } from '../../../src/net/lite/fork-evidence.ts';
import { parseLiteAnswer } from '../../../src/net/lite-api/read-answers.ts';
import { liveZerostate } from '../../helpers/certificates.ts';
import { VAULT } from '../../helpers/deposits.ts';
import { LIVE, liveAnswer, liveBytes, liveTransactions } from '../../helpers/inclusion.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';
import { liteFlags, writeZerostateCheckpoint } from '../../helpers/lite-cli.ts';
import { ASKS } from '../../helpers/lite-servers.ts';
import {
  type LiteAsked,
  type LiteStandIn,
  type LiteStandInOptions,
  liteError,
  startLiteStandIn,
} from '../../helpers/lite-stand-in.ts';
import { startBridgeAt } from '../../helpers/start-bridge.ts';
import { tlBytes } from '../../helpers/tl-answers.ts';
import { readVector } from '../../helpers/vectors.ts';
import { runCli } from '../../helpers/warm-cli.ts';

const recorded = new Map(
  readVector<{ answers: { file: string; request: string }[] }>('live/answers/index.json').answers.map(
    ({ file, request }) => [request, file],
  ),
);
/** liteServer.getConfigParams. */
const CONFIG_PARAMS = '191c112a';
/** Questions that were asked in other words when the answers were recorded. */
const BY_CONSTRUCTOR: Readonly<Record<string, string>> = {
  '1ef7c8fa': 'header.tl',
  [CONFIG_PARAMS]: 'config-from-state.tl',
};

function replay({ request, constructorId }: LiteAsked): Uint8Array {
  const file = recorded.get(request.toString('hex')) ?? BY_CONSTRUCTOR[constructorId];
  return file === undefined ? liteError(651, 'not recorded') : liveBytes(file);
}

let folder: string;
let checkpoint: string;
const started: LiteStandIn[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ton-finality-prove-lite-'));
  checkpoint = join(folder, 'c.json');
  writeFileSync(checkpoint, JSON.stringify(checkpointToJson(liveZerostate())));
});
afterEach(async () => {
  for (const one of started.splice(0)) await one.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function serve(answer: LiteStandInOptions['answer'] = replay): Promise<string[]> {
  const standIn = await startLiteStandIn({ answer });
  started.push(standIn);
  return liteFlags(standIn);
}

const { account, lt, hash } = liveTransactions.find(({ file }) => file === 'transaction-4.tl')!;
const transaction = ['--account', account!, '--lt', lt!];

/** The checkpoint is of the day of the recording, and so has to be the clock: a set answers for its keys for hours. */
const onThatDay = { clock: liveZerostate().genUtime + 120 };

const prove = async (words: readonly string[], ...servers: readonly (readonly string[])[]) =>
  await runCli(['prove', ...words, '--checkpoint', checkpoint, ...servers.flat(), '--json'], onThatDay);

it('proves a transaction by its account and time: the block is found, and proven from the checkpoint', async () => {
  const { code, stdout, stderr } = await prove(['transaction', ...transaction], await serve());
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    schema: 'ton-finality/inclusion@1',
    found: true,
    hash,
    block: { seqno: LIVE.block.seqno },
    provenance: { kind: 'final', validators: { kind: 'proven', anchor: { seqno: 0 } } },
  });
});

it('proves a message of it, as text a person can follow up to the anchor', async () => {
  const words = ['prove', 'message', ...transaction, '--index', 'in', '--checkpoint', checkpoint];
  const { code, stdout, stderr } = await runCli([...words, ...(await serve())], onThatDay);
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(/^PROVEN message\n/);
  expect(stdout).toContain('1.7 TON');
  const [block, ...keyBlocks] = [LIVE.block, LIVE.keyBlock, LIVE.zerostate].map(formatBlockId);
  const up = [`in block ${block}`, ...keyBlocks.map((id) => `under key block ${id}`)];
  const found = stdout.split('\n').filter((line) => /^(in|under) /.test(line));
  expect(found.map((line) => line.replace(/, 2026-\d\d-\d\dT\d\d:\d\d:\d\dZ$/, ''))).toEqual(up);
  expect(found.filter((line) => line.endsWith('Z'))).toEqual(found);
  expect(stdout).toMatch(/anchor +\(-1,8000000000000000,0\)/);
});

it('sums up the key blocks on a long way, with the first and the last of them, each with its time', async () => {
  const long = new LiteChain({ length: 57, keyEvery: 2 });
  const words = [
    'prove',
    'config',
    '--param',
    '34',
    '--seqno',
    '56',
    '--checkpoint',
    writeZerostateCheckpoint(folder, long),
  ];
  const { code, stdout, stderr } = await runCli([...words, ...(await serve((asked) => long.answer(asked)))]);
  expect(code, stderr).toBe(0);
  const up = stdout.split('\n').filter((line) => /^(in|under) /.test(line));
  const id = (seqno: number) => formatBlockId(long.id(seqno));
  const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g;
  expect(up.map((line) => line.replace(time, 'TIME'))).toEqual([
    `in block ${id(56)}, TIME`,
    `under key block ${id(54)}, TIME`,
    'under 26 more key blocks, 52 of TIME down to 2 of TIME',
    `under key block ${id(0)}, TIME`,
  ]);
});

it('gives no fact while fewer other servers name the block than --witnesses or --strict asks for', async () => {
  const chain = new LiteChain({ length: 28, keyEvery: 2, firstUtime: Math.floor(Date.now() / 1000) - 27 });
  const honest = (asked: LiteAsked) => chain.answer(asked);
  const mute = (asked: LiteAsked) =>
    asked.constructorId === ASKS.lookup ? liteError(651, 'not here') : chain.answer(asked);
  const start = writeZerostateCheckpoint(folder, chain);
  const moved = join(folder, 'moved.json');
  const first = await serve(honest);
  expect((await runCli(['sync', '--checkpoint', start, '--out', moved, ...first])).code).toBe(0);
  const atStart = String(JSON.parse(readFileSync(moved, 'utf8')).keyBlock.seqno);
  const ask = async (words: readonly string[], ...servers: readonly (readonly string[])[]) =>
    await runCli(['prove', 'config', '--param', '34', ...words, ...servers.flat(), '--count-each-server']);
  const questions = [
    ['--checkpoint', start],
    ['--checkpoint', start, '--seqno', '26'],
    ['--checkpoint', moved, '--seqno', atStart],
  ];
  for (const [at, words] of questions.entries()) {
    const terms = at === 0 ? ['--strict'] : ['--witnesses', '1'];
    const confirmed = await ask([...words, ...terms], first, await serve(honest));
    expect(confirmed.code, confirmed.stderr).toBe(0);
    const doubted = await ask([...words, ...terms], first, await serve(mute));
    expect([doubted.code, doubted.stdout], words.join(' ')).toEqual([4, '']);
    expect(doubted.stderr).toMatch(/--witnesses: too few other servers name the block\nhint: pass more servers/);
    const alone = await ask([...words, ...terms], first);
    expect([alone.code, alone.stdout]).toEqual([2, '']);
    expect(alone.stderr).toContain(`${terms[0]}: expected `);
  }
  // A server that confirmed the block and then lies about the fact has confirmed it all the same.
  const lying = async (asked: LiteAsked) => {
    const answer = Uint8Array.from((await chain.answer(asked))!);
    if (asked.constructorId === CONFIG_PARAMS) answer[answer.length - 60]! ^= 1;
    return answer;
  };
  const rescued = await ask(['--checkpoint', start, '--witnesses', '1'], await serve(lying), first);
  expect(rescued.code, rescued.stderr).toBe(0);
});

it('asks for nothing where an option is of another kind of fact', async () => {
  const { code, stderr } = await prove(['config', '--param', '34', '--lt', '5'], await serve());
  expect(code).toBe(2);
  expect(JSON.parse(stderr)).toMatchObject({ code: 'usage/bad-option', path: '--lt' });
});

it('proves an account, that there is none, and a parameter at a block that is named', async () => {
  const at = ['--seqno', String(LIVE.block.seqno)];
  const server = await serve();
  const there = await prove(['account', '--account', liveAnswer('account-config.tl').account!, ...at], server);
  expect(there.code, there.stderr).toBe(0);
  expect(JSON.parse(there.stdout)).toMatchObject({ exists: true });
  for (const file of ['account-absent.tl', 'account-absent-basechain.tl']) {
    const absent = await prove(['account', '--account', liveAnswer(file).account!, ...at], server);
    expect(absent.code, absent.stderr).toBe(1);
    expect(JSON.parse(absent.stdout)).toMatchObject({ exists: false });
  }
  expect((await prove(['config', '--param', '34', ...at], server)).code).toBe(0);
  expect((await prove(['config', '--param', '999', ...at], server)).code).toBe(1);
});

it('asks the next server when the proof of one does not hold, and says why when there is none', async () => {
  const lying = (asked: LiteAsked) => {
    const answer = Uint8Array.from(replay(asked));
    if (asked.constructorId === 'ea240fd4') answer[answer.length - 60]! ^= 1;
    return answer;
  };
  const rescued = await prove(['transaction', ...transaction], await serve(lying), await serve());
  expect(rescued.code, rescued.stderr).toBe(0);
  const alone = await prove(['transaction', ...transaction], await serve(lying));
  expect(alone.code).toBe(2);
  expect(JSON.parse(alone.stderr).code).toMatch(/^(trust|decode)\//);
  const silent = await prove(['transaction', ...transaction], await serve(() => liteError(651, 'not here')));
  expect(silent.code).toBe(3);
});

/** liteServer.transactionInfo of block 176 with a proof, and no transaction. */
const infoOf = (proof: Uint8Array) =>
  Buffer.concat([liveBytes('transaction-4.tl').subarray(0, 84), tlBytes(proof), tlBytes(new Uint8Array(0))]);
const { proof: proof176 } = parseLiteAnswer(liveBytes('transaction-4.tl'), 'transaction');

it('proves no transaction and no message of it, while nobody shows what is in it', async () => {
  const { root } = openBlock(proof176, 'proof');
  const parts = { block: root, transaction: undefined, onlyHash: true };
  checkTransaction(parts, factsOf(assumeFinal(LIVE.block)), parseAccountId(account!), BigInt(lt!)); // opens what a proof of its place has to show
  const bare = infoOf(buildMerkleProof(root));
  const hiding = (question: LiteAsked) => (question.constructorId === 'ea240fd4' ? bare : replay(question));
  const message = ['message', ...transaction, '--index'];
  for (const words of [
    ['transaction', ...transaction],
    [...message, '7'],
  ]) {
    const alone = await prove(words, await serve(hiding));
    expect([alone.code, alone.stdout]).toEqual([3, '']);
    expect(JSON.parse(alone.stderr)).toMatchObject({ code: 'source/malformed' });
  }
  const rescued = await prove([...message, 'in'], await serve(hiding), await serve());
  expect(rescued.code, rescued.stderr).toBe(0);
  expect(JSON.parse(rescued.stdout).messages).toHaveLength(1);
});

/** The mode of liteServer.lookupBlock that asks by account and logical time. */
const BY_LT = 2;

describe('a transaction that is not in the block which a server names', () => {
  const nothing = infoOf(proof176);
  /** Names block 176 for every time. */
  const misleading = (asked: LiteAsked) => (asked.constructorId === 'ea240fd4' ? nothing : replay(asked));
  const elsewhere = ['--account', account!, '--lt', String(BigInt(lt!) - 1_000_000n)];

  it('is not proven absent: the server is at fault, and says nothing of other blocks', async () => {
    const { code, stdout, stderr } = await prove(['transaction', ...elsewhere], await serve(misleading));
    expect(stdout).toBe('');
    expect(code).toBe(3);
    expect(JSON.parse(stderr)).toMatchObject({
      code: 'source/wrong-block',
      message: expect.stringMatching(/block -1:176, which the server named/),
      hint: expect.stringMatching(/--seqno/),
    });
  });

  it('is asked of the next server', async () => {
    const asked: string[] = [];
    const counting = (question: LiteAsked) => {
      asked.push(question.constructorId);
      return misleading(question);
    };
    await prove(['transaction', ...elsewhere], await serve(misleading), await serve(counting));
    expect(asked).toContain('ea240fd4');
  });

  it.each([
    ['prove transaction --require-success', ['prove', 'transaction', '--require-success']],
    ['prove message', ['prove', 'message', '--index', 'in']],
    ['certify message', ['certify', 'message', '--index', 'in', '--out', 'OUT']],
  ])('is asked of the next server before more is demanded of it: %s', async (_, words) => {
    const bridge = await startBridgeAt(10, { 5: 1, 8: 1 });
    try {
      const [first, last] = bridge.network.deposits.map((deposit) => deposit.lt);
      // Asked for the time of one deposit, it names the block of the other.
      const liar = await serve(async ({ request, ...asked }) => {
        const other = Buffer.from(request);
        if (asked.constructorId === ASKS.lookup && other.readUInt32LE(4) === BY_LT) other.writeBigUInt64LE(last!, 24);
        return await bridge.network.answer({ ...asked, request: other });
      });
      const start = join(folder, 'bridge.json');
      writeFileSync(start, JSON.stringify(checkpointToJson(bridge.network.checkpoint)));
      const wanted = ['--account', formatAccountId(VAULT), '--lt', String(first), '--checkpoint', start];
      const command = words.map((word) => (word === 'OUT' ? join(folder, 'bridge.fin.boc') : word));
      const rescued = await runCli([...command, ...wanted, ...liar, ...liteFlags(bridge.lite)]);
      expect(rescued.code, rescued.stderr).toBe(0);
      const alone = await runCli([...command, ...wanted, ...liar, '--json']);
      expect([alone.code, JSON.parse(alone.stderr)]).toEqual([
        3,
        expect.objectContaining({ code: 'source/wrong-block' }),
      ]);
    } finally {
      await bridge.close();
    }
  });

  it('is proven absent from a block that the caller names', async () => {
    const at = ['--seqno', String(LIVE.block.seqno)];
    const { code, stdout, stderr } = await prove(['transaction', ...elsewhere, ...at], await serve(misleading));
    expect(code, stderr).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ found: false, reason: 'lt-outside-block' });
  });
});

describe('a fork that shows while a fact is asked for', () => {
  let [one, two]: LiteChain[] = [];
  /** Anew for each test: a head has to be fresh. */
  beforeEach(() => {
    const common = { length: 27, firstUtime: Math.floor(Date.now() / 1000) - 26, name: 'forked' };
    [one, two] = [new LiteChain(common), new LiteChain({ ...common, forkAt: 25 })];
  });
  const FORKED = ['config', '--param', '34'];
  /** Proves its own block once it is compared, and is silent from then on. */
  const forked = () => {
    let isShown = false;
    let isCompared = false;
    return serve((asked) => {
      if (isShown) return liteError(651, 'not here');
      isCompared ||= asked.constructorId === ASKS.lookup;
      isShown = isCompared && asked.constructorId === ASKS.proof;
      return two!.answer(asked);
    });
  };

  it('ends the run with its evidence: no other server is asked, which may only not know of it', async () => {
    const evidence = join(folder, 'fork.json');
    const words = ['--checkpoint', writeZerostateCheckpoint(folder, one!), '--evidence', evidence];
    const servers = [await serve((asked) => one!.answer(asked)), await forked()];
    const { code, stdout, stderr } = await runCli(['prove', ...FORKED, ...words, ...servers.flat()]);
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toContain('two certified blocks 27');
    expect(stderr).toContain(`wrote the fork evidence to ${evidence}`);
    expect(verifyForkEvidence(JSON.parse(readFileSync(evidence, 'utf8'))).seqno).toBe(27);
  });

  it('is told where the evidence cannot be written, too', async () => {
    const start = writeZerostateCheckpoint(folder, one!);
    const evidence = join(folder, 'nowhere', 'fork.json');
    const lost = ['--evidence', evidence, ...(await serve((asked) => one!.answer(asked)))];
    for (const command of [
      ['prove', ...FORKED, '--checkpoint', start],
      ['sync', '--checkpoint', start, '--out', join(folder, 'synced.json')],
    ]) {
      const { code, stdout, stderr } = await runCli([...command, ...lost, ...(await forked())]);
      expect([code, stdout], stderr).toEqual([3, '']);
      expect(stderr).toContain('two certified blocks 27');
      expect(stderr).toContain(`cannot write the fork evidence: ${evidence}: cannot be written: the folder `);
    }
  });
});

describe('certify --lite', () => {
  const certify = async (words: readonly string[], ...servers: readonly (readonly string[])[]) =>
    await runCli(['certify', ...words, '--checkpoint', checkpoint, ...servers.flat()], onThatDay);
  const reads = async (file: string) => {
    const anchor = formatBlockId(LIVE.zerostate);
    const { code, stdout, stderr } = await runCli(['verify', '--certificate', file, '--anchor', anchor, '--json']);
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout);
  };

  it('fetches, proves and certifies a transaction, a message and an account in one step', async () => {
    const out = join(folder, 'one-step.fin.boc');
    for (const words of [
      ['transaction', ...transaction],
      ['message', ...transaction, '--index', 'in'],
      ['account', '--account', liveAnswer('account-config.tl').account!, '--seqno', String(LIVE.block.seqno)],
    ]) {
      const { code, stderr } = await certify([...words, '--out', out], await serve());
      expect(code, stderr).toBe(0);
      expect(await reads(out)).toMatchObject({ facts: [{ kind: words[0] }] });
    }
  });

  it('writes nothing where no server has the proof, and asks the next one where one lies', async () => {
    const out = join(folder, 'refused.fin.boc');
    const lying = (asked: LiteAsked) => {
      const answer = Uint8Array.from(replay(asked));
      if (asked.constructorId === 'ea240fd4') answer[answer.length - 60]! ^= 1;
      return answer;
    };
    const words = ['transaction', ...transaction, '--out', out];
    expect((await certify(words, await serve(lying))).code).toBe(2);
    expect(existsSync(out)).toBe(false);
    expect((await certify(words, await serve(lying), await serve())).code).toBe(0);
    expect(existsSync(out)).toBe(true);
  });

  it.each([
    [['transaction', 'file.tl', ...transaction], /no FILE with --lite or --config/],
    [['transaction', ...transaction, '--proof', 'x'], /--proof: cannot be combined with --lite/],
    [[], /expected transaction, message, account or config, got nothing/],
  ])('%j is refused before a server is asked', async (words, message) => {
    const server = await serve(() => {
      throw new Error('asked');
    });
    const { code, stderr } = await certify([...words, '--out', join(folder, 'z.fin.boc')], server);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});

it.each([
  [['transaction', 'file.tl', ...transaction], /no FILE with --lite or --config/],
  [['transaction', ...transaction, '--shard', 'x'], /--shard: cannot be combined with --(?:lite|config)/],
  [['account', '--account', account!, '--seqno', '0'], /expected 1 to/],
  [['transaction', '--account', `0:${'ee'.repeat(32)}`, '--lt', '5', '--seqno', '9'], /got an account of a shard/],
  [['rumour'], /expected transaction, message, account or config/],
])('%j is refused as a mistake of its caller, before anybody is asked', async (words, message) => {
  const server = await serve(() => {
    throw new Error('asked');
  });
  const { code, stderr } = await prove(words, server);
  expect(code).toBe(2);
  expect(stderr).toMatch(message);
});
