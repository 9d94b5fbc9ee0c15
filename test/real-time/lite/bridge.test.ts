/** The whole road of a bridge on a network with a split, key blocks and deposits of every kind: found, proven, accepted or refused. */
import { Address } from '@ton/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { certificateToBoc } from '../../../src/core/certificate/parse.ts';
import { type Checkpoint, validatorSetAt } from '../../../src/core/chain/checkpoint.ts';
import { type AccountId, rawAccountId } from '../../../src/core/facts/account-id.ts';
import { acceptDeposit } from '../../../src/core/facts/deposit.ts';
import type { JettonAsset } from '../../../src/core/facts/deposit-terms.ts';
import { verifyBlock } from '../../../src/core/verify/verifier.ts';
import { certifyTransaction } from '../../../src/net/lite/certify.ts';
import { connectLite, type LiteServerClient } from '../../../src/net/lite/client.ts';
import { type Arrival, depositsOf } from '../../../src/net/lite/deposits.ts';
import { proveAccount, proveConfig, proveTransaction } from '../../../src/net/lite/prove-facts.ts';
import { toncenterV2 } from '../../../src/net/toncenter/toncenter-v2.ts';
import { DEPOSIT_KINDS, WALLET } from '../../helpers/bridge-network.ts';
import { acceptCertificate, changeCertificate } from '../../helpers/changed-certificate.ts';
import { outcomeOf, VAULT } from '../../helpers/deposits.ts';
import { liteServers } from '../../helpers/lite-servers.ts';
import { type Bridge, startBridge } from '../../helpers/start-bridge.ts';

const KINDS = Object.keys(DEPOSIT_KINDS);
const BLOCKS = 23;
const options = { maxHeadAgeSeconds: 3600 };
const serve = liteServers();

let bridge: Bridge;
let client: LiteServerClient;

/** Each kind once before the split, once after it, and once beyond two key blocks. */
beforeAll(async () => {
  bridge = await startBridge({ firstUtime: Math.floor(Date.now() / 1000) - BLOCKS });
  client = connectLite(bridge.lite.server);
  for (let seqno = 2; seqno <= BLOCKS; seqno++) {
    if ([3, 7, 22].includes(seqno))
      for (const kind of KINDS) bridge.network.deposit(kind, { amount: BigInt(1000 + seqno) });
    bridge.nextBlock();
  }
});
afterAll(async () => {
  client.close();
  await bridge.close();
});

async function scan(servers: readonly LiteServerClient[], afterLt: bigint, from = bridge.network.checkpoint) {
  const arrivals: Arrival[] = [];
  for await (const one of depositsOf(servers, from, VAULT, { afterLt, wallet: WALLET, ...options })) arrivals.push(one);
  return arrivals;
}

const nowSeconds = Math.floor(Date.now() / 1000);
const accept = ({ facts }: { readonly facts: readonly object[] }, kind: string, trusted?: Checkpoint) =>
  acceptDeposit({ facts }, { ...bridge.network.terms(DEPOSIT_KINDS[kind]!.asset, trusted), nowSeconds });

/** What becomes of each arrival, in order, under the terms of its kind. */
const outcomes = (arrivals: readonly Arrival[], from = 0) =>
  arrivals.map((one, k) => outcomeOf(() => accept(one, KINDS[(from + k) % KINDS.length]!, one.checkpoint)));
const wanted = (from: number, to = 3 * KINDS.length) =>
  Array.from({ length: to - from }, (_, k) => DEPOSIT_KINDS[KINDS[(from + k) % KINDS.length]!]!.outcome);

describe('a bridge on a network of its own', () => {
  it('finds each deposit, before and after the split, and accepts the honest ones alone', async () => {
    const arrivals = await scan([client], 0n);
    expect(arrivals.map(({ lt }) => lt)).toEqual(bridge.network.deposits.map(({ lt }) => lt));
    expect(outcomes(arrivals)).toEqual(wanted(0));
    const accepted = arrivals.filter((_, k) => wanted(0)[k] === 'accepted');
    const kinds = ['ton', 'jetton'];
    const deposits = accepted.map((one, k) => accept(one, kinds[k % 2]!, one.checkpoint));
    expect(deposits.map(({ amount, recipient }) => [amount, recipient])).toEqual(
      [1003n, 1003n, 1007n, 1007n, 1022n, 1022n].map((amount) => [amount, 'alice']),
    );
    expect(new Set(deposits.map(({ key }) => key.join())).size).toBe(6);
  });

  it('goes on after a restart from the last one that it is done with', async () => {
    const { deposits } = bridge.network;
    for (const done of [0, 10, 11, 20, 31]) {
      const arrivals = await scan([client], deposits[done]!.lt);
      expect(outcomes(arrivals, done + 1)).toEqual(wanted(done + 1));
    }
    const [last] = (await scan([client], 0n)).slice(-1);
    expect(last!.checkpoint.keyBlock.seqno).toBe(20);
    expect(await scan([client], last!.lt, last!.checkpoint)).toEqual([]);
  });

  it('is not changed by a lite server that lies beside', async () => {
    let lies = 0;
    const { client: liar } = await serve(async (asked) => {
      const answer = Buffer.from(await bridge.network.answer(asked));
      if (!['250e896b', 'a1e7401c'].includes(asked.constructorId)) return answer;
      lies += 1;
      answer[answer.length - 45]! ^= 1;
      return answer;
    });
    expect(outcomes(await scan([liar, client], 0n))).toEqual(wanted(0));
    expect(lies).toBeGreaterThan(0);
    await expect(scan([liar], 0n)).rejects.toMatchObject({ name: 'SourceError' });
  });

  it('proves each deposit by itself too, in the block of its shard', async () => {
    for (const at of [0, KINDS.length, 2 * KINDS.length]) {
      const { kind, lt } = bridge.network.deposits[at]!;
      const { fact, checkpoint } = await proveTransaction(
        [client],
        bridge.network.checkpoint,
        { account: VAULT, lt },
        options,
      );
      expect(fact.block.shard).toBe(at === 0 ? -(1n << 63n) : 1n << 62n);
      expect(accept({ facts: [fact] }, kind, checkpoint).transaction.lt).toBe(lt);
    }
  });

  it('proves a transaction by its hash, back to a time, or that there was none', async () => {
    const { checkpoint, deposits } = bridge.network;
    const arrivals = await scan([client], 0n);
    const hashes = arrivals.map(({ facts: [{ hash }] }) => hash);
    for (const at of [0, 16, 17, arrivals.length - 1]) {
      const byHash = { account: VAULT, hash: hashes[at]!, afterLt: at === 0 ? 0n : deposits[at - 1]!.lt };
      const { fact, witnesses } = await proveTransaction([client], checkpoint, byHash, options);
      expect(fact).toMatchObject({ found: true, kind: 'transaction', lt: deposits[at]!.lt, hash: hashes[at] });
      expect(witnesses).toMatchObject({ agreed: [], contradicts: [] });
    }
    // Before the time that it goes back to: that it was not there since is proven, and no more.
    const before = { account: VAULT, hash: hashes[3]!, afterLt: deposits[3]!.lt };
    const none = await proveTransaction([client], checkpoint, before, options);
    expect(none.fact).toMatchObject({ found: false, reason: 'not-in-history', ...before, upTo: { workchain: 0 } });
    expect(Object.isFrozen(none.fact)).toBe(true);
    const never = { account: VAULT, hash: new Uint8Array(32), afterLt: 0n };
    expect((await proveTransaction([client], checkpoint, never, options)).fact.found).toBe(false);
    const short = proveTransaction([client], checkpoint, never, { ...options, limit: arrivals.length - 1 });
    await expect(short).rejects.toMatchObject({ code: 'trust/history', path: 'limit' });
    const deep = { account: VAULT, hash: hashes[0]!, afterLt: 0n };
    await expect(proveTransaction([client], checkpoint, deep, { ...options, limit: 20 })).rejects.toMatchObject({
      code: 'trust/history',
    });
    const limit = arrivals.length;
    expect((await proveTransaction([client], checkpoint, deep, { ...options, limit })).fact.found).toBe(true);
    const late = proveTransaction([client], checkpoint, { ...never, afterLt: deposits.at(-1)!.lt + 1n }, options);
    await expect(late).rejects.toMatchObject({ code: 'source/not-ready' });
    const mixed = { ...never, lt: 5n };
    await expect(proveTransaction([client], checkpoint, mixed, options)).rejects.toMatchObject({
      code: 'usage/bad-option',
    });
  });

  it('may try again with a time at which servers have none: that they lack a block proves no absence', async () => {
    const { checkpoint } = bridge.network;
    for (const lt of [1n, 2n ** 64n - 1n]) {
      const failed = proveTransaction([client], checkpoint, { account: VAULT, lt }, options);
      await expect(failed).rejects.toMatchObject({ code: 'source/not-ready', retryable: true });
    }
  });

  it('is told of a vault that does not exist, and does not take that for one without deposits', async () => {
    const { checkpoint } = bridge.network;
    const nobody = { ...VAULT, address: VAULT.address.map((x) => x ^ 1) };
    const run = async () => {
      for await (const one of depositsOf([client], checkpoint, nobody, { afterLt: 0n, ...options })) return one;
    };
    await expect(run()).rejects.toMatchObject({ code: 'trust/no-account', path: 'vault' });
    const byHash = { account: nobody, hash: new Uint8Array(32), afterLt: 0n };
    await expect(proveTransaction([client], checkpoint, byHash, options)).rejects.toMatchObject({
      code: 'trust/no-account',
      path: 'wanted.account',
    });
  });

  it('accepts no certificate with a bit changed', async () => {
    const { checkpoint, deposits } = bridge.network;
    for (const at of [0, 2 * KINDS.length]) {
      const { lt } = deposits[at]!;
      const { certificate } = await certifyTransaction([client], checkpoint, { account: VAULT, lt }, options);
      const terms = { ...bridge.network.terms('TON'), nowSeconds };
      expect(changeCertificate(certificateToBoc(certificate), 150, terms)).toEqual({ refused: 150, same: 0, other: 0 });
    }
  });

  it('certifies in one step what is accepted without a network', async () => {
    const { checkpoint, deposits } = bridge.network;
    for (const [at, { kind, lt }] of deposits.slice(0, KINDS.length).entries()) {
      const { asset, outcome } = DEPOSIT_KINDS[kind]!;
      const wanted = { account: VAULT, lt, ...(asset === 'TON' ? {} : { wallet: WALLET }) };
      const { certificate, wallet } = await certifyTransaction([client], checkpoint, wanted, options);
      expect(wallet?.found).toBe(asset === 'TON' ? undefined : true);
      const terms = { ...bridge.network.terms(asset), nowSeconds };
      expect([at, outcomeOf(() => acceptCertificate(certificateToBoc(certificate), terms))]).toEqual([at, outcome]);
    }
  });

  it('certifies a jetton deposit with the state of its wallet, and no other wallet will do', async () => {
    const { checkpoint, deposits } = bridge.network;
    const [jetton, forged] = ['jetton', 'forged'].map((kind) => deposits.filter((one) => one.kind === kind).at(-1)!);
    const { lt } = jetton!;
    const asset = { ...(bridge.network.terms('jetton').asset as JettonAsset) };
    const terms = { ...bridge.network.terms('jetton'), nowSeconds };
    const outcome = async (wallet: AccountId | undefined, over: Partial<JettonAsset> = {}) => {
      const wanted = { account: VAULT, lt, ...(wallet && { wallet }) };
      const { certificate } = await certifyTransaction([client], checkpoint, wanted, options);
      const bytes = certificateToBoc(certificate);
      return outcomeOf(() => acceptCertificate(bytes, { ...terms, asset: { ...asset, ...over } }));
    };
    expect(await outcome(WALLET)).toBe('accepted');
    expect(await outcome(undefined)).toBe('deposit/wallet-state');
    // That of the vault itself, and that of nobody.
    expect(await outcome(VAULT)).toBe('deposit/wallet-state');
    const nobody = { ...WALLET, address: WALLET.address.map((x) => x ^ 1) };
    expect(await outcome(nobody)).toBe('deposit/wallet-state');
    expect(await outcome(WALLET, { wallet: nobody })).toBe('deposit/other-wallet');
    expect(await outcome(WALLET, { walletCodeHashes: [new Uint8Array(32)] })).toBe('deposit/wallet-code');
    // A stranger's wallet with genuine code and a made-up balance told the vault of jettons.
    const made = await certifyTransaction(
      [client],
      checkpoint,
      { account: VAULT, lt: forged!.lt, wallet: WALLET },
      options,
    );
    expect(outcomeOf(() => acceptCertificate(certificateToBoc(made.certificate), terms))).toBe('deposit/other-wallet');
    for (const bad of [{ wallet: 5 }, { wallet: '0:11' }, { wallets: [] }]) {
      const run = certifyTransaction([client], checkpoint, { account: VAULT, lt, ...bad } as never, options);
      await expect(run).rejects.toMatchObject({ code: 'usage/bad-option' });
    }
  });

  it('takes each account as an Address of @ton/core', async () => {
    const { checkpoint, deposits } = bridge.network;
    const { lt } = deposits.find(({ kind }) => kind === 'jetton')!;
    const [account, wallet] = [VAULT, WALLET].map((one) => Address.parse(rawAccountId(one))) as [Address, Address];
    const made = await certifyTransaction([client], checkpoint, { account, lt, wallet }, options);
    expect([made.fact.account, made.wallet?.account]).toEqual([VAULT, WALLET]);
    const asset = { ...(bridge.network.terms('jetton').asset as JettonAsset), wallet };
    const terms = { ...bridge.network.terms('jetton'), nowSeconds, vault: account, asset };
    expect(outcomeOf(() => acceptCertificate(certificateToBoc(made.certificate), terms))).toBe('accepted');
    const found = await proveTransaction([client], checkpoint, { account, lt }, options);
    expect(found.fact).toMatchObject({ found: true, account: VAULT, lt });
    const wanted = { account, hash: made.fact.hash, afterLt: lt - 1n };
    const byHash = await proveTransaction([client], checkpoint, wanted, options);
    expect(byHash.fact).toMatchObject({ found: true, account: VAULT, lt });
    const state = await proveAccount([client], checkpoint, wallet, options);
    expect(state.fact).toMatchObject({ found: true, account: WALLET });
    const more = { ...options, afterLt: lt - 1n, wallet };
    for await (const arrival of depositsOf([client], checkpoint, account, more)) {
      expect(arrival.facts.map((one) => one.account)).toEqual([VAULT, WALLET]);
    }
    const { masterchain } = state.fact;
    const asked = await client.accountState(masterchain, wallet);
    expect(asked.claimed).toEqual((await client.accountState(masterchain, WALLET)).claimed);
  });

  it('has accounts and a configuration', async () => {
    const { checkpoint } = bridge.network;
    const { fact } = await proveAccount([client], checkpoint, WALLET, options);
    expect(fact.found && fact.block.shard).toBe(-(1n << 62n));
    const { fact: none } = await proveAccount(
      [client],
      checkpoint,
      { ...VAULT, address: VAULT.address.map((x) => x ^ 1) },
      options,
    );
    expect(none).toMatchObject({ found: false, reason: 'no-entry' });
    expect((await proveConfig([client], checkpoint, 34, options)).fact.found).toBe(true);
  });

  it('answers over HTTP of the same chain', async () => {
    const source = toncenterV2({
      baseUrl: `${bridge.http.origin}/api/v2`,
      requestsPerSecond: Number.POSITIVE_INFINITY,
    });
    const { signatures } = await source.signatures(BLOCKS);
    const [{ checkpoint }] = (await scan([client], 0n)).slice(-1) as [Arrival];
    expect(verifyBlock(signatures, validatorSetAt(checkpoint)).verdict.status).toBe('final');
    expect(signatures.blockId).toEqual(bridge.network.chain.id(BLOCKS));
    for (const path of ['global.config.json', 'checkpoint.json']) {
      expect((await fetch(`${bridge.http.origin}/${path}`)).status).toBe(200);
    }
  });
});

describe('a deposit on demand', () => {
  it('comes with the next block, or is refused by name', async () => {
    const own = await startBridge();
    const post = async (body: object | string) => {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const response = await fetch(`${own.http.origin}/deposit`, { method: 'POST', body: text });
      return [response.status, await response.json()] as const;
    };
    try {
      expect(await post({ kind: 'jetton', amount: '5', comment: 'bob' })).toMatchObject([
        200,
        { outcome: 'accepted', inBlock: 2 },
      ]);
      expect(await post('')).toMatchObject([200, { asset: 'TON' }]);
      for (const bad of [
        '{',
        'null',
        '[]',
        '5',
        { kind: 'gift' },
        { amount: -5 },
        { amount: '0' },
        { comment: 5 },
        { comment: 'x'.repeat(1025) },
        { more: 1 },
      ]) {
        const [status, { error }] = await post(bad);
        expect(status).toBe(400);
        expect(error).not.toMatch(/undefined|destructure|TypeError/);
      }
      expect(own.network.deposits).toEqual([]);
      own.nextBlock();
      expect(own.network.deposits.map(({ kind }) => kind)).toEqual(['jetton', 'ton']);
      expect(own.http.latest).toBe(2);
    } finally {
      await own.close();
    }
  });
});
