/** Which failure asks the next server, and which ends the call. */
import { describe, expect, it } from 'vitest';
import { DecodeError, SourceError, TrustError } from '../../../src/core/base/errors.ts';
import { parseSingleRoot } from '../../../src/core/cells/boc.ts';
import { buildMerkleProof } from '../../../src/core/cells/build-proof.ts';
import { Slice } from '../../../src/core/cells/slice.ts';
import type { FactInput } from '../../../src/core/certificate/build-fact.ts';
import { openBlock } from '../../../src/core/chain/block-header.ts';
import { parseAccountId } from '../../../src/core/facts/account-id.ts';
import { checkConfigParam, openState } from '../../../src/core/facts/config-param.ts';
import { assumeFinal, factsOf } from '../../../src/core/facts/proven-block.ts';
import { checkTransaction } from '../../../src/core/facts/transaction.ts';
import { firstThatProves, judged } from '../../../src/net/lite/ask-fact.ts';
import { connectLite } from '../../../src/net/lite/client.ts';
import { Fleet } from '../../../src/net/lite/fleet.ts';
import { parseLiteAnswer } from '../../../src/net/lite-api/read-answers.ts';
import { LIVE, liveAnswer, liveBytes, liveTransactions } from '../../helpers/inclusion.ts';
import { publicKeyOf } from '../../helpers/lite-stand-in.ts';

/** Clients that are never connected: what is asked of them is the test's own. */
const clientsOf = (count: number) =>
  Array.from({ length: count }, (_, k) => {
    const publicKey = publicKeyOf(new Uint8Array(32).fill(k + 1));
    return connectLite({ host: '127.0.0.1', port: 9 + k, publicKey });
  });

async function failing(error: unknown) {
  const clients = clientsOf(2);
  let asked = 0;
  const proven = { answers: [], by: 'the second' };
  try {
    const found = await firstThatProves(new Fleet(clients), clients, 'the fact', undefined, async () => {
      asked += 1;
      if (asked === 1) throw error;
      return proven;
    });
    return { asked, found };
  } catch (thrown) {
    return { asked, thrown };
  } finally {
    for (const client of clients) client.close();
  }
}

describe('a fact that is asked of one server after the other', () => {
  it.each([
    ['two proven histories', new SourceError('source/disagree', 'a fork')],
    ['a stop by the caller', new SourceError('source/aborted', 'stopped')],
    ["a clock of this machine's that is wrong", new SourceError('source/clock', 'late')],
    ['a start that is too old', new TrustError('trust/stale-start', 'old')],
    ['too few witnesses', new TrustError('trust/too-few-witnesses', 'few')],
    ['a fault of this program', new TypeError('a fault')],
  ])('ends with %s, and asks no other server', async (_, error) => {
    expect(await failing(error)).toEqual({ asked: 1, thrown: error });
  });

  it('is asked of no server that was put out meanwhile', async () => {
    const clients = clientsOf(3);
    const fleet = new Fleet(clients);
    const asked: number[] = [];
    const query = fleet.query.bind(fleet);
    fleet.query = async (client, question) => {
      asked.push(clients.indexOf(client));
      return await query(client, question);
    };
    const found = await firstThatProves(fleet, clients, 'the fact', undefined, async () => {
      if (asked.length > 1) return { answers: [] };
      fleet.expel(clients[1]!, new SourceError('source/malformed', 'a lie'));
      throw new SourceError('source/timeout', 'late');
    });
    expect([asked, found]).toEqual([[0, 2], { answers: [] }]);
    for (const client of clients) client.close();
  });

  it.each([
    ['no answer', new SourceError('source/timeout', 'late')],
    ['another block', new SourceError('source/wrong-block', 'another')],
    ['a proof that does not hold', new TrustError('trust/not-listed', 'no')],
    ['an answer that cannot be read', new DecodeError('decode/boc', 'no cells', { path: 'proof' })],
  ])('is asked of the next server after %s', async (_, error) => {
    expect(await failing(error)).toMatchObject({ asked: 2, found: { by: 'the second' } });
  });
});

describe('what is there, but of which a server leaves out a part', () => {
  const block = assumeFinal(LIVE.block);
  const facts = factsOf(block);

  function withoutContents(): FactInput[] {
    const { proof, transaction } = parseLiteAnswer(liveBytes('transaction-4.tl'), 'transaction');
    const named = liveTransactions.find(({ file }) => file === 'transaction-4.tl')!;
    const [account, lt] = [parseAccountId(named.account!), BigInt(named.lt!)];
    const { root } = openBlock(proof, 'proof');
    checkTransaction({ block: root, transaction: undefined, onlyHash: true }, facts, account, lt); // opens its place
    const bare = { kind: 'transaction', account, lt, answer: { proof: buildMerkleProof(root) } } as const;
    return [bare, { ...bare, answer: { ...bare.answer, transaction } }];
  }

  function withPartOfState(): FactInput[] {
    const answer = parseLiteAnswer(liveBytes('account-config.tl'), 'account-state');
    const root = parseSingleRoot(answer.state, 'state');
    new Slice(root, 'state'); // shows this cell, and none below it
    const whole = {
      kind: 'account',
      account: parseAccountId(liveAnswer('account-config.tl').account!),
      answer,
    } as const;
    return [{ ...whole, answer: { ...answer, state: buildMerkleProof(root) } }, whole];
  }

  function withoutParameter(): FactInput[] {
    const answer = parseLiteAnswer(liveBytes('config-from-state.tl'), 'config');
    const opened = openState(answer);
    checkConfigParam(opened, facts, 34); // opens its place
    const [stateProof, configProof] = [opened.block!, opened.state].map(buildMerkleProof);
    const whole = { kind: 'config', param: 34, answer } as const;
    return [{ ...whole, answer: { ...answer, stateProof: stateProof!, configProof: configProof! } }, whole];
  }

  it.each([
    ['a transaction', withoutContents],
    ['an account', withPartOfState],
    ['a parameter', withoutParameter],
  ])('%s is asked of the next server, and the first one only rests', async (_, inputs) => {
    const clients = clientsOf(2);
    const fleet = new Fleet(clients);
    const given = inputs();
    const found = await firstThatProves(fleet, clients, 'the fact', undefined, async () =>
      judged({ input: given.shift()!, led: { block }, inServersBlock: false, answers: [] }),
    );
    expect(found!.fact.found).toBe(true);
    expect(given).toEqual([]);
    expect(clients.map((client) => fleet.isKept(client))).toEqual([true, true]);
    expect(fleet.statements()).toMatchObject([{ error: { code: 'source/malformed' } }]);
    for (const client of clients) client.close();
  });
});
