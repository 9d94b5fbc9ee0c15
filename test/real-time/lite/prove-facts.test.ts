/** What lite servers are asked for below the newest block: every transaction of a vault, an account, a transaction. */
import { describe, expect, it } from 'vitest';
import { certificateToBoc, parseCertificate } from '../../../src/core/certificate/parse.ts';
import { verifyCertificate } from '../../../src/core/certificate/verify.ts';
import { checkpointToJson } from '../../../src/core/chain/checkpoint.ts';
import { acceptDeposit } from '../../../src/core/facts/deposit.ts';
import { certifyTransaction, requireAhead, withAnswer } from '../../../src/net/lite/certify.ts';
import { type Arrival, depositsOf } from '../../../src/net/lite/deposits.ts';
import { proveAccount, proveConfig, proveTransaction } from '../../../src/net/lite/prove-facts.ts';
import type { SyncProgress } from '../../../src/net/lite/sync-options.ts';
import { waitForFinal } from '../../../src/net/lite/wait-for-final.ts';
import { bocOf } from '../../helpers/cells.ts';
import { account, hashOfCell, LT, TERMS, transactionCell, VAULT, vaultWith } from '../../helpers/deposits.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';
import { liteServers, lookedUp } from '../../helpers/lite-servers.ts';
import { type LiteAsked, liteError } from '../../helpers/lite-stand-in.ts';
import { everyCell } from '../../helpers/make-back-link.ts';
import { customOf, headerProof, proofShowing, wholeProof } from '../../helpers/make-chain.ts';
import { startOf } from '../../helpers/networks.ts';
import { tlConfig, tlHeader, tlShardProof, tlTransaction } from '../../helpers/tl-answers.ts';

const serve = liteServers();
const LENGTH = 25;
const firstUtime = Math.floor(Date.now() / 1000) - LENGTH;
const COUNT = 40;
const vault = vaultWith(COUNT, firstUtime);
const shardHashes = vault.tops;
const chain = new LiteChain({
  length: LENGTH,
  hasStates: true,
  firstUtime,
  stateOver: { shardHashes },
  forkAt: 1,
  forkOver: () => ({ shardHashes }),
});
const checkpoint = startOf(chain);
const options = { maxHeadAgeSeconds: 3600 };

const ACCOUNT = '250e896b';
const TRANSACTIONS = 'a1e7401c';
const TRANSACTION = 'ea240fd4';
const SHARD_PROOF = '5003a64c';
const LOOKUP = '1ef7c8fa';
const CONFIG = '191c112a';

/** An honest server, but for what a test changes: `undefined` leaves the answer to the others. */
async function server(change: (asked: LiteAsked) => Buffer | undefined = () => undefined) {
  return await serve(async (asked) => {
    const changed = change(asked);
    if (changed !== undefined) return changed;
    const { constructorId, request } = asked;
    if (constructorId === ACCOUNT) return vault.accountState(chain.blocks.get(request.readUInt32LE(16))!);
    if (constructorId === TRANSACTIONS) return vault.list(request.readBigUInt64LE(44), request.readUInt32LE(4));
    return await chain.answer(asked);
  });
}

async function scan(clients: Parameters<typeof depositsOf>[0], afterLt: bigint, more: object = {}): Promise<Arrival[]> {
  const arrivals: Arrival[] = [];
  for await (const one of depositsOf(clients, checkpoint, VAULT, { afterLt, ...options, ...more })) arrivals.push(one);
  return arrivals;
}
const lts = (arrivals: readonly Arrival[]) => arrivals.map(({ lt }) => Number((lt - LT) / 10n));
const upTo = (from: number, to = COUNT) => Array.from({ length: to - from }, (_, k) => from + k);

describe('every transaction of a vault', () => {
  it('comes once, the oldest first, each as a deposit under the checkpoint of either end', async () => {
    const { client } = await server();
    const arrivals = await scan([client], 0n);
    expect(lts(arrivals)).toEqual(upTo(0));
    const network = { globalId: checkpoint.globalId, zerostate: chain.zerostateId };
    const keys = new Set<string>();
    for (const { facts, checkpoint: newest } of arrivals) {
      for (const trusted of [checkpoint, newest]) {
        const terms = { ...TERMS, network, checkpoint: trusted, nowSeconds: Date.now() / 1000 };
        keys.add(acceptDeposit({ facts }, terms).key.join());
      }
    }
    expect(keys.size).toBe(COUNT);
  });

  it('goes on after the last one that is known, and ends where there is none', async () => {
    const { client, standIn } = await server();
    for (const known of [0, 7, 23, 24, 38]) {
      expect(lts(await scan([client], LT + BigInt(10 * known)))).toEqual(upTo(known + 1));
    }
    const before = standIn.asked.filter(({ constructorId }) => constructorId === TRANSACTIONS).length;
    expect(await scan([client], LT + BigInt(10 * (COUNT - 1)))).toEqual([]);
    // The servers may be behind, or it is of another vault: that is no end of a scan.
    await expect(scan([client], LT + 5000n)).rejects.toMatchObject({ code: 'source/not-ready', retryable: true });
    expect(standIn.asked.filter(({ constructorId }) => constructorId === TRANSACTIONS)).toHaveLength(before);
  });

  it('is asked of another server where one leaves a transaction out, gives others, or gives none', async () => {
    const faults: ((asked: LiteAsked) => Buffer | undefined)[] = [
      ({ constructorId, request }) =>
        constructorId === TRANSACTIONS ? vault.list(request.readBigUInt64LE(44) - 10n, 16) : undefined,
      ({ constructorId }) => (constructorId === TRANSACTIONS ? liteError(651, 'lt not in db') : undefined),
      ({ constructorId, request }) =>
        constructorId === TRANSACTIONS ? vault.list(request.readBigUInt64LE(44), 0) : undefined,
      ({ constructorId, request }) => {
        if (constructorId !== TRANSACTIONS) return undefined;
        const page = vault.list(request.readBigUInt64LE(44), 16);
        page[page.length - 20]! ^= 1;
        return page;
      },
      ({ constructorId, request }) => {
        if (constructorId !== ACCOUNT) return undefined;
        const state = vault.accountState(chain.blocks.get(request.readUInt32LE(16))!);
        state[state.length - 40]! ^= 1;
        return state;
      },
    ];
    for (const fault of faults) {
      const [{ client: liar }, { client: honest }] = [await server(fault), await server()];
      expect(lts(await scan([liar, honest], LT + 200n))).toEqual(upTo(21));
      await expect(scan([liar], LT + 200n)).rejects.toMatchObject({ name: 'SourceError' });
    }
  });

  it('has the state of a wallet beside it, under the same masterchain block', async () => {
    const { client } = await server();
    // The vault itself stands in for its wallet: it is the one account of the shard.
    const arrivals = await scan([client], LT + 300n, { wallet: VAULT });
    expect(lts(arrivals)).toEqual(upTo(31));
    for (const { facts } of arrivals) {
      expect(facts).toMatchObject([
        { kind: 'history' },
        { kind: 'account', account: VAULT, masterchain: chain.id(LENGTH) },
      ]);
    }
    // The state of another account is no state of the wallet.
    await expect(scan([client], LT + 300n, { wallet: account(9) })).rejects.toMatchObject({ name: 'SourceError' });
  });

  it('is not taken for whole where the vault was deleted and deployed again after the last one that is known', async () => {
    const REDEPLOYED = 10;
    const again = vaultWith(COUNT, firstUtime, REDEPLOYED);
    const { tops } = again;
    const other = new LiteChain({ length: LENGTH, hasStates: true, firstUtime, stateOver: { shardHashes: tops } });
    const from = startOf(other);
    const { client } = await serve(async (asked) => {
      const { constructorId, request } = asked;
      if (constructorId === ACCOUNT) return again.accountState(other.blocks.get(request.readUInt32LE(16))!);
      if (constructorId !== TRANSACTIONS) return await other.answer(asked);
      const lt = request.readBigUInt64LE(44);
      return again.list(lt, Math.min(16, Number((lt - LT) / 10n) - REDEPLOYED + 1));
    });
    const found = async (afterLt: bigint) => {
      const arrivals: Arrival[] = [];
      for await (const one of depositsOf([client], from, VAULT, { afterLt, ...options })) arrivals.push(one);
      return lts(arrivals);
    };
    const at = (k: number) => LT + BigInt(10 * k);
    const lost = { code: 'trust/history', path: 'afterLt', hint: expect.stringContaining('0n') };
    for (const known of [at(3), at(REDEPLOYED - 1), at(REDEPLOYED) - 1n]) {
      await expect(found(known)).rejects.toMatchObject(lost);
      // That there was none is not shown; one that is there is.
      const never = { account: VAULT, hash: new Uint8Array(32), afterLt: known };
      await expect(proveTransaction([client], from, never, options)).rejects.toMatchObject(lost);
      await expect(waitForFinal([client], from, never, options)).rejects.toMatchObject(lost);
    }
    expect(await found(at(REDEPLOYED))).toEqual(upTo(REDEPLOYED + 1));
    expect(await found(at(REDEPLOYED + 5) - 1n)).toEqual(upTo(REDEPLOYED + 5)); // between two of one history
    expect(await found(0n)).toEqual(upTo(REDEPLOYED));
  });

  it('is not cut short: more than the limit is refused', async () => {
    const { client } = await server();
    for (const limit of [1, 16, 39]) {
      await expect(scan([client], 0n, { limit })).rejects.toMatchObject({
        code: 'trust/history',
        hint: expect.stringMatching(/^allow more/), // who begins later loses a deposit
      });
    }
    expect(await scan([client], 0n, { limit: COUNT })).toHaveLength(COUNT);
  });

  it('refuses options that are none, before a server is asked', async () => {
    const { client, standIn } = await server();
    for (const more of [{ limit: 0 }, { afterLt: 5 }, { afterLt: undefined }, { wallet: 'x' }]) {
      await expect(scan([client], 0n, more)).rejects.toMatchObject({ code: 'usage/bad-option' });
    }
    // Nor does it take what would weaken the way to the head.
    for (const more of [
      { maxHeadAge: 5 },
      { to: 5 },
      { acceptStaleStart: true },
      { startWasStale: false },
      { resume: [] },
    ]) {
      await expect(scan([client], 0n, more)).rejects.toMatchObject({ code: 'usage/bad-option' });
      const wanted = { account: VAULT, lt: LT };
      for (const call of [
        proveAccount([client], checkpoint, VAULT, more as object),
        proveConfig([client], checkpoint, 34, more as object),
        proveTransaction([client], checkpoint, wanted, more as object),
        certifyTransaction([client], checkpoint, wanted, more as object),
      ]) {
        await expect(call).rejects.toMatchObject({ code: 'usage/bad-option' });
      }
    }
    expect(standIn.asked).toHaveLength(0);
  });
});

it('says what other servers said of the newest block, and warns of one that names another', async () => {
  const other = new LiteChain({
    length: LENGTH,
    hasStates: true,
    firstUtime,
    name: 'other',
    stateOver: { shardHashes },
  });
  const [{ client }, { client: second }] = [await server(inBlock(22, bocOf(vault.last.cell))), await server()];
  const { client: against } = await serve((asked) =>
    asked.constructorId === LOOKUP ? other.answer(asked) : chain.answer(asked),
  );
  const servers = [client, second, against];
  const said = {
    warnings: [expect.objectContaining({ code: 'contradicted' })],
    witnesses: { agreed: [second.name], contradicts: [{ source: against.name }] },
  };
  const wanted = { account: VAULT, lt: vault.last.lt };
  expect(await proveAccount(servers, checkpoint, VAULT, options)).toMatchObject(said);
  expect(await proveTransaction(servers, checkpoint, wanted, options)).toMatchObject(said);
  expect((await scan(servers, LT + 380n))[0]).toMatchObject(said);
});

it('takes no more time than it was given, all questions together', async () => {
  const { client } = await server(({ constructorId }) =>
    constructorId === TRANSACTIONS ? (new Promise(() => {}) as never) : undefined,
  );
  await expect(scan([client], 0n, { deadlineMs: 400 })).rejects.toMatchObject({
    code: 'source/timeout',
    message: expect.stringMatching(`^no result in 400 ms .not-proven: block ${LENGTH} of ${LENGTH}`),
  });
});

describe('one fact', () => {
  it('is an account after the newest block', async () => {
    const { client } = await server();
    const { fact, checkpoint: newest } = await proveAccount([client], checkpoint, VAULT, options);
    expect(fact).toMatchObject({ found: true, lastTransLt: vault.last.lt, masterchain: chain.id(LENGTH) });
    expect(newest.keyBlock).toEqual(chain.id(20));
    await expect(proveAccount([client], checkpoint, account(9), options)).rejects.toMatchObject({
      name: 'SourceError',
    });
  });

  it('is not proven by a head that is old, or whose start is', async () => {
    const { client } = await server();
    const late = { maxHeadAgeSeconds: 1, clock: () => Date.now() / 1000 + 100 };
    await expect(proveAccount([client], checkpoint, VAULT, late)).rejects.toMatchObject({
      code: 'source/not-ready',
      hint: 'wait, or ask other servers',
    });
    const years = { maxHeadAgeSeconds: 1e9, clock: () => Date.now() / 1000 + 1e8 };
    await expect(proveAccount([client], checkpoint, VAULT, years)).rejects.toMatchObject({ code: 'trust/stale-start' });
  });

  it('is a transaction in the block that a server names, under the head or an older block', async () => {
    const wanted = { account: VAULT, lt: vault.last.lt };
    const transaction = bocOf(vault.last.cell);
    for (const seqno of [LENGTH, 22, 7]) {
      const { client } = await server(inBlock(seqno, transaction));
      const { fact } = await proveTransaction([client], checkpoint, wanted, options);
      expect(fact).toMatchObject({ found: true, lt: wanted.lt, block: vault.shard.id, masterchain: chain.id(LENGTH) });
      const network = { globalId: checkpoint.globalId, zerostate: chain.zerostateId };
      const terms = { ...TERMS, network, checkpoint, nowSeconds: Date.now() / 1000 };
      expect(acceptDeposit({ facts: [fact] }, terms).recipient).toBe('alice');
    }
  });

  it('is asked of another server where one names a block that does not hold the transaction, or gives another', async () => {
    const wanted = { account: VAULT, lt: vault.last.lt };
    const { client: honest } = await server(inBlock(22, bocOf(vault.last.cell)));
    const { client: liar } = await server(inBlock(22, bocOf(vault.cells[0]!)));
    expect((await proveTransaction([liar, honest], checkpoint, wanted, options)).fact.found).toBe(true);
    await expect(proveTransaction([liar], checkpoint, wanted, options)).rejects.toMatchObject({ name: 'SourceError' });
    const { client: empty } = await server(inBlock(22, new Uint8Array(0)));
    const later = { ...wanted, lt: wanted.lt + 1n };
    await expect(proveTransaction([empty], checkpoint, later, options)).rejects.toMatchObject({ name: 'SourceError' });
    for (const bad of [{ account: VAULT }, { lt: 5n }, { account: VAULT, lt: 5 }, null]) {
      const call = proveTransaction([honest], checkpoint, bad as typeof wanted, options);
      await expect(call).rejects.toMatchObject({ code: 'usage/bad-option' });
    }
  });

  it('is not the transaction of a hash where the block holds a different one at its time', async () => {
    const other = transactionCell({ lt: vault.last.lt, message: { value: 5n } });
    const odd = vaultWith(COUNT, firstUtime, undefined, other);
    const { tops } = odd;
    const shown = { stateOver: { shardHashes: tops }, forkAt: 1, forkOver: () => ({ shardHashes: tops }) };
    const on = new LiteChain({ length: LENGTH, hasStates: true, firstUtime, ...shown });
    const from = startOf(on);
    const answer = inBlock(22, bocOf(other), odd, on);
    const { client } = await serve(async (asked) => {
      const { constructorId, request } = asked;
      if (constructorId === ACCOUNT) return odd.accountState(on.blocks.get(request.readUInt32LE(16))!);
      if (constructorId === TRANSACTIONS) return odd.list(request.readBigUInt64LE(44), request.readUInt32LE(4));
      return answer(asked) ?? (await on.answer(asked));
    });
    const byTime = await proveTransaction([client], from, { account: VAULT, lt: odd.last.lt }, options);
    expect(byTime.fact).toMatchObject({ found: true, hash: hashOfCell(other) });
    const wanted = { account: VAULT, hash: hashOfCell(odd.cells.at(-1)!), afterLt: 0n };
    await expect(proveTransaction([client], from, wanted, options)).rejects.toMatchObject({
      code: 'source/wrong-block',
      message: expect.stringContaining('in its block'),
    });
  });

  it('is asked under no block above the head: servers would wait for it', async () => {
    const above = LENGTH + 5;
    const there = inBlock(22, bocOf(vault.last.cell));
    const { client, standIn } = await server((asked) => {
      const answer = there(asked);
      if (asked.constructorId === SHARD_PROOF) answer!.writeUInt32LE(above, 16);
      return answer;
    });
    const wanted = { account: VAULT, lt: vault.last.lt };
    await expect(proveTransaction([client], checkpoint, wanted, options)).rejects.toMatchObject({
      message: expect.stringContaining(`block ${above} is newer than the head`),
    });
    expect(lookedUp(standIn)).not.toContain(above);
  });

  it('is proven from the checkpoint as it was at the call', async () => {
    const { client } = await server();
    const keyBlock = { ...checkpoint.keyBlock, rootHash: checkpoint.keyBlock.rootHash.slice() };
    const own = { ...checkpoint, keyBlock, configProof: checkpoint.configProof.slice() };
    const run = proveAccount([client], own, VAULT, options);
    keyBlock.rootHash.fill(0);
    own.configProof.fill(0);
    expect((await run).fact.found).toBe(true);
    const json = checkpointToJson(checkpoint) as never;
    await expect(proveAccount([client], json, VAULT, options)).rejects.toMatchObject({
      message: 'checkpoint: expected a checkpoint, got raw JSON',
      hint: expect.stringContaining('parseCheckpoint'),
    });
  });

  it('is a parameter of the configuration', async () => {
    const config = (seqno: number) => {
      const block = chain.blocks.get(seqno)!;
      return tlConfig(0, block.id, wholeProof(block.root), wholeProof(block.form.state!));
    };
    const { client } = await server(({ constructorId }) => (constructorId === CONFIG ? config(LENGTH) : undefined));
    expect((await proveConfig([client], checkpoint, 34, options)).fact).toMatchObject({ found: true, param: 34 });
    expect((await proveConfig([client], checkpoint, 99, options)).fact).toMatchObject({ found: false });
    for (const param of [34n, Symbol('34'), 1.5, '34', 2 ** 31]) {
      const call = proveConfig([client], checkpoint, param as number, options);
      await expect(call).rejects.toMatchObject({ code: 'usage/bad-option', path: 'param' });
    }
    const { client: liar } = await server(({ constructorId }) =>
      constructorId === CONFIG ? config(LENGTH - 1) : undefined,
    );
    await expect(proveConfig([liar], checkpoint, 34, options)).rejects.toMatchObject({ name: 'SourceError' });
    expect((await proveConfig([liar, client], checkpoint, 34, options)).fact.found).toBe(true);
  });
});

describe('a certificate of one transaction', () => {
  const wanted = { account: VAULT, lt: vault.last.lt };
  const transaction = bocOf(vault.last.cell);
  const terms = {
    ...TERMS,
    network: { globalId: checkpoint.globalId, zerostate: chain.zerostateId },
    nowSeconds: Date.now() / 1000,
  };

  it('is fetched and made in one step, and accepted by a reader with the same checkpoint', async () => {
    const { client } = await server(inBlock(22, transaction));
    const seen: number[] = [];
    const onProgress = ({ tip }: SyncProgress) => void seen.push(tip.seqno);
    const made = await certifyTransaction([client], checkpoint, wanted, { ...options, onProgress });
    expect(seen.at(-1)).toBe(22);
    expect(made.fact).toMatchObject({ found: true, masterchain: chain.id(22) });
    const read = parseCertificate(certificateToBoc(made.certificate));
    const report = verifyCertificate(read, { anchor: chain.zerostateId });
    for (const trusted of [checkpoint, made.checkpoint]) {
      expect(acceptDeposit(report, { ...terms, checkpoint: trusted }).recipient).toBe('alice');
    }
  });

  it('is made of the answers of another server where those of one do not hold', async () => {
    const { client: liar } = await server(inBlock(22, bocOf(vault.cells[0]!)));
    const { client: honest } = await server(inBlock(22, transaction));
    const { fact } = await certifyTransaction([liar, honest], checkpoint, wanted, options);
    expect(fact.found).toBe(true);
    await expect(certifyTransaction([liar], checkpoint, wanted, options)).rejects.toMatchObject({
      name: 'SourceError',
    });
  });

  it('leads forward only: a block that is not after the checkpoint is refused', async () => {
    const { client } = await server(inBlock(7, transaction));
    const { checkpoint: newest } = await proveAccount([client], checkpoint, VAULT, options);
    await expect(certifyTransaction([client], newest, wanted, options)).rejects.toMatchObject({
      code: 'source/wrong-block',
      message: expect.stringContaining('not after key block 20'),
    });
  });

  it('leads to no block that the checkpoint stands at, and says what to give', () => {
    expect(() => requireAhead(checkpoint, checkpoint.keyBlock.seqno + 1)).not.toThrow();
    expect(() => requireAhead(checkpoint, checkpoint.keyBlock.seqno)).toThrow(
      expect.objectContaining({ code: 'source/wrong-block', hint: expect.stringContaining('older checkpoint') }),
    );
  });

  it('ends with what its listener throws, and holds that against no server', async () => {
    const { client } = await server(inBlock(22, transaction));
    const cause = new RangeError('mine');
    const onProgress = () => Promise.reject(cause);
    const call = certifyTransaction([client], checkpoint, wanted, { ...options, onProgress });
    await expect(call).rejects.toMatchObject({ cause });
  });

  it('leaves out the answers of a way that was left', () => {
    const leg = (from: number, to: number) => new Uint8Array(chain.proof(from, to));
    const [one, two, again, other] = [leg(0, 5), leg(5, 10), leg(0, 10), leg(10, 22)] as const;
    expect([one, two, again, other].reduce(withAnswer, [] as readonly Uint8Array[])).toEqual([again, other]);
    expect([one, two, other].reduce(withAnswer, [] as readonly Uint8Array[])).toEqual([one, two, other]);
  });

  it('refuses what names no transaction', async () => {
    const { client, standIn } = await server();
    for (const bad of [{ account: VAULT }, { lt: 5n }, { account: VAULT, lt: 5 }, null]) {
      const call = certifyTransaction([client], checkpoint, bad as typeof wanted, options);
      await expect(call).rejects.toMatchObject({ code: 'usage/bad-option' });
    }
    expect(standIn.asked).toHaveLength(0);
  });
});

/** A server that finds the vault's last transaction in the shard block, and says that this masterchain block lists it. */
function inBlock(seqno: number, transaction: Uint8Array, { shard, tops } = vault, on = chain) {
  const top = on.blocks.get(seqno)!;
  const listed = proofShowing(top.root, [customOf(top), ...everyCell(tops)]);
  return ({ constructorId, request }: LiteAsked): Buffer | undefined => {
    if (constructorId === LOOKUP && request.readUInt32LE(4) === 2) return tlHeader(shard.id, headerProof(shard));
    if (constructorId === SHARD_PROOF) return tlShardProof(top.id, [{ id: shard.id, proof: listed }]);
    return constructorId === TRANSACTION ? tlTransaction(shard.id, shard.boc, transaction) : undefined;
  };
}
