/**
 * Results are nobody else's memory. Every byte array that can be reached from a result is written over; what the same question gives
 * then, asked of the same objects, is what it gave before. And what was given out earlier does not change with what is written into
 * the object it was asked of.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  advanceCheckpoint,
  checkpointFromKeyBlock,
  checkpointToJson,
  validatorSetAt,
  verifyBlockProof,
  verifyHeader,
  verifyStoredProof,
} from '../../src/chain.ts';
import { proveAncestor } from '../../src/core/chain/ancestor.ts';
import { messageToJson } from '../../src/core/facts/to-json.ts';
import {
  accountDataOf,
  assumeFinal,
  blockOfCheckpoint,
  blockOfReport,
  blockOfWalk,
  buildCertificate,
  certificateToBoc,
  certificateToJson,
  factToJson,
  findEquivocation,
  messagesOf,
  parseAccountId,
  parseCertificate,
  parseLiteAnswer,
  verifyAccount,
  verifyBlockTransactions,
  verifyCertificate,
  verifyConfig,
  verifyHistory,
  verifyLibrary,
  verifyOlderBlock,
  verifyShardBlock,
  verifyShardTop,
  verifyTransaction,
} from '../../src/facts.ts';
import { checkSignatures, createVerifier, judge, strict, verifyBlock } from '../../src/index.ts';
import { reportToJson } from '../../src/report.ts';
import {
  connectLite,
  type LiteClientOptions,
  type LiteServerClient,
  type RecordedLiteAnswer,
} from '../../src/servers.ts';
import { beginCell, bocOf } from '../helpers/cells.ts';
import { certificateUnder, liveFacts, liveZerostate } from '../helpers/certificates.ts';
import { totalsWith } from '../helpers/dictionaries.ts';
import { bytesIn, scramble, textOf } from '../helpers/hostile.ts';
import { LIVE, liveAnswer, liveBytes, liveTransactions } from '../helpers/inclusion.ts';
import { liteError, startLiteStandIn } from '../helpers/lite-stand-in.ts';
import { answerLive, idOf } from '../helpers/live-answers.ts';
import { backLink, listed, newerBlock } from '../helpers/make-back-link.ts';
import { blockIdToAnswer } from '../helpers/make-block.ts';
import {
  blockSignaturesCell,
  committee,
  configCell,
  configProof,
  honestLink,
  makeBlock,
  makeState,
  signBlock,
  storedProof,
  tlBack,
  tlForward,
  tlProof,
  wholeProof,
} from '../helpers/make-chain.ts';
import { shardLink } from '../helpers/shard-link.ts';

interface Row<T> {
  /** The object that is asked, the same in all questions. */
  readonly of: T;
  readonly asks: Readonly<Record<string, (of: T) => unknown>>;
  /** What is asked of other objects than the one whose bytes are shown: it is written over itself, too. Default true. */
  readonly writesInto?: boolean;
}
const row = <T>(given: Row<T>) => given as Row<unknown>; // rows of many types in one table

const toBlock = liveBytes('proof-zerostate-to-block.tl');
const walk = verifyBlockProof(toBlock, liveZerostate(), { expect: LIVE.block });
const live = blockOfWalk(walk);
const accountAnswer = parseLiteAnswer(liveBytes('account-config.tl'), 'account-state');
const account = parseAccountId(liveAnswer('account-config.tl').account!);
const accountFact = verifyAccount(accountAnswer, live, account);
const links = parseLiteAnswer(liveBytes('shard-block-proof.tl'), 'shard-block-proof');
const transactionOf = (block: typeof live, k: number) => {
  const { file, account: name, lt } = liveTransactions[k]!;
  const request = { account: parseAccountId(name!), lt: BigInt(lt!) };
  return verifyTransaction(parseLiteAnswer(liveBytes(file), 'transaction'), block, request);
};
const transactionFact = transactionOf(live, 4);
const certificate = buildCertificate({ checkpoint: liveZerostate(), proofs: [toBlock], facts: liveFacts() });

const a = committee('a');
const key100 = makeBlock({ seqno: 100, signedBy: a, prevKeyBlockSeqno: 50, config: configCell({ elected: a }) });
const key200 = makeBlock({ seqno: 200, signedBy: a, prevKeyBlockSeqno: 100, config: configCell({ elected: a }) });
const older = makeBlock({ seqno: 120, signedBy: a, prevKeyBlockSeqno: 100 });
const newer = newerBlock(listed(key100, older));
const start = checkpointFromKeyBlock(key100.boc, key100.id);
const validators = validatorSetAt(start);
const verifier = await createVerifier(validators);
const signatures = signBlock(key200);
const header = verifyHeader(key200.boc, key200.id);
const context = { header };
const report = verifyBlock(signatures, validators, { context });
const signed = storedProof(key200, blockSignaturesCell(key200, signatures, 40n));
const made = tlProof(key100.id, key200.id, [tlForward(honestLink(key100, key200, 'simplex'))]);
const back = tlProof(newer.block.id, older.id, [tlBack(backLink(newer, older))]);
const madeWalk = verifyBlockProof(made, start);
const two = [key200, makeBlock({ ...key200.form, genUtime: 1_500_001 })].map((block) => certificateUnder(start, block));

const basechain = parseAccountId(liveAnswer('account-absent-basechain.tl').account!);
const basechainAnswer = parseLiteAnswer(liveBytes('account-absent-basechain.tl'), 'account-state');
const allShards = parseLiteAnswer(liveBytes('all-shards.tl'), 'all-shards');

const libraryCell = beginCell().storeUint(7, 32).endCell();
const libraryHash = new Uint8Array(libraryCell.hash());
const libraries = [{ hash: libraryHash.slice(), data: bocOf(libraryCell) }];
const totals = totalsWith(libraryCell);
const stateWithLibrary = makeState({ seqno: 6, config: configCell({ elected: a }), totals });
const withLibrary = makeBlock({ seqno: 6, signedBy: a, prevKeyBlockSeqno: 0, state: stateWithLibrary });
const libraryProofs = { stateProof: wholeProof(withLibrary.root), dataProof: wholeProof(stateWithLibrary) };

const ROWS: Readonly<Record<string, Row<unknown>>> = {
  certificate: row({
    of: certificate,
    asks: {
      'verifyCertificate, an anchor': (of) => verifyCertificate(of, { anchor: LIVE.zerostate }),
      'verifyCertificate, a checkpoint': (of) => verifyCertificate(of, { checkpoint: liveZerostate() }),
      'verifyCertificate, nothing': (of) => verifyCertificate(of),
      'JSON.stringify': (of) => JSON.stringify(verifyCertificate(of, { anchor: LIVE.zerostate })),
      certificateToBoc: (of) => certificateToBoc(of),
      certificateToJson: (of) => certificateToJson(of),
      parseCertificate: (of) => parseCertificate(certificateToBoc(of)),
      'its block, for more facts': (of) => transactionOf(verifyCertificate(of, { anchor: LIVE.zerostate }).proven!, 1),
    },
  }),
  'two certificates': row({
    of: two,
    asks: { findEquivocation: ([one, other]) => findEquivocation(one!, other!, { anchor: key100.id }) },
  }),
  'the report of a certificate': row({
    of: verifyCertificate(certificate, { anchor: LIVE.zerostate }),
    asks: {
      blockOfReport: (of) => blockOfReport(of.report!),
      reportToJson: (of) => reportToJson(of.report!),
      'JSON.stringify': (of) => JSON.parse(JSON.stringify(of.report)),
      'its block, for facts': (of) => transactionOf(of.proven!, 1),
    },
  }),
  'a proven block': row({
    of: live,
    asks: {
      ...Object.fromEntries(
        liveTransactions.map((_, k) => [`verifyTransaction ${k}`, (of: typeof live) => transactionOf(of, k)]),
      ),
      verifyAccount: (of) => verifyAccount(accountAnswer, of, account),
      'verifyAccount, absent': (of) => {
        const file = 'account-absent.tl';
        const absent = parseAccountId(liveAnswer(file).account!);
        return verifyAccount(parseLiteAnswer(liveBytes(file), 'account-state'), of, absent);
      },
      verifyConfig: (of) => verifyConfig(parseLiteAnswer(liveBytes('config-from-state.tl'), 'config'), of, 34),
      verifyBlockTransactions: (of) =>
        verifyBlockTransactions(parseLiteAnswer(liveBytes('list-transactions.tl'), 'block-transactions'), of),
      'verifyShardTop, a state': (of) => verifyShardTop(basechainAnswer, of, basechain),
      'verifyShardTop, a list': (of) => verifyShardTop(allShards, of, basechain),
      'verifyShardTop, for what is below': (of) => verifyAccount(basechainAnswer, of, basechain),
      'a fact as JSON': (of) => factToJson(transactionOf(of, 2)),
    },
  }),
  'a block with a library': row({
    of: assumeFinal(withLibrary.id),
    asks: {
      verifyLibrary: (of) => verifyLibrary(libraryProofs, of, libraryHash),
      'verifyLibrary, whole': (of) => verifyLibrary({ ...libraryProofs, libraries }, of, libraryHash),
      'verifyLibrary, absent': (of) => verifyLibrary(libraryProofs, of, new Uint8Array(32)),
    },
  }),
  'a block that is assumed to be final': row({
    of: assumeFinal(links.masterchainId),
    asks: { shardBlock: (of) => verifyShardBlock(links, of) },
  }),
  'a fact of an account': row({
    of: accountFact,
    asks: {
      accountDataOf: (of) => (of.found ? accountDataOf(of) : 'absent'),
      verifyHistory: (of) => verifyHistory([parseLiteAnswer(liveBytes('history.tl'), 'transaction-list')], of as never),
    },
  }),
  'a fact of a transaction': row({
    of: transactionFact,
    asks: {
      messagesOf: (of) => messagesOf(of as never),
      messageToJson: (of) => messagesOf(of as never).map(messageToJson),
    },
  }),
  'a walk': row({
    of: walk,
    asks: {
      blockOfWalk: (of) => blockOfWalk(of),
      verifyBlockProof: (of) => {
        const { tip, reports } = verifyBlockProof(tlProof(LIVE.block, LIVE.block, []), of);
        return { tip, reports };
      },
      blockOfCheckpoint: (of) => blockOfCheckpoint(of.checkpoint),
      checkpointToJson: (of) => checkpointToJson(of.checkpoint),
    },
  }),
  'a walk of blocks made here': row({
    of: madeWalk,
    asks: {
      blockOfWalk: (of) => blockOfWalk(of),
      blockOfReport: (of) => blockOfReport(of.reports[0]!, of.tipHeader),
      'its header': (of) =>
        verifyBlock(signBlock(key200, a, 'simplex'), validators, { context: { header: of.tipHeader! } }),
    },
  }),
  'a checkpoint': row({
    of: start,
    asks: {
      blockOfCheckpoint: (of) => blockOfCheckpoint(of),
      checkpointToJson: (of) => checkpointToJson(of),
      verifyBlockProof: (of) => {
        const { tip, tipHeader, reports } = verifyBlockProof(made, of);
        return { tip, tipHeader, reports };
      },
      'advance, signatures': (of) => advanceCheckpoint({ block: key200.boc, signatures }, of),
      'advance, a stored proof': (of) => advanceCheckpoint({ block: key200.boc, storedProof: signed }, of),
      verifyStoredProof: (of) => verifyStoredProof(signed, of),
    },
  }),
  'a proven set': row({
    of: validators,
    asks: {
      verifyBlock: (of) => verifyBlock(signatures, of, { context }),
      'verifyBlock, strictly': (of) => verifyBlock(signatures, of, strict({ nowSeconds: 1_500_000, header })),
      checkSignatures: (of) => checkSignatures(signatures, of),
      blockOfReport: (of) => blockOfReport(verifyBlock(signatures, of), header),
      'a verifier': () => verifier.verify(signatures, { context }),
    },
  }),
  'a proven header': row({
    of: header,
    asks: {
      verifyBlock: (of) => verifyBlock(signatures, validators, { context: { header: of } }),
      blockOfReport: (of) => blockOfReport(verifyBlock(signatures, validators), of),
    },
  }),
  'a report': row({
    of: report,
    asks: {
      blockOfReport: (of) => blockOfReport(of),
      reportToJson: (of) => reportToJson(of),
      'JSON.stringify': (of) => JSON.parse(JSON.stringify(of)),
      judge: (of) => judge(of.coverage, validators, context),
    },
  }),
  'answers of servers': row({
    of: undefined,
    asks: {
      proveAncestor: () => proveAncestor(newer.block.id, back, older.id),
      verifyOlderBlock: () => {
        const tip = blockOfWalk(
          verifyBlockProof(tlProof(key100.id, newer.block.id, [tlForward(honestLink(key100, newer.block))]), start),
        );
        return verifyOlderBlock(back, tip);
      },
      verifyHeader: () => verifyHeader(configProof(key100), key100.id),
      shardLink: () => shardLink(shardAnswer(), key100.id),
    },
  }),
};

function shardAnswer() {
  const id = blockIdToAnswer(key100.id);
  return { from: id, mc_id: id, links: [], mc_proof: [] };
}

describe.each(Object.entries(ROWS))('%s', (_, { of, asks }) => {
  it.each(Object.entries(asks))('asked for %s gives the same when all that it gave was written over', (__, ask) => {
    const expected = textOf(ask(of));
    const [first, second] = [ask(of), ask(of)];
    scramble(first);
    expect(textOf(ask(of))).toBe(expected);
    expect(textOf(second)).toBe(expected);
  });

  it.each(Object.entries(asks))('asked for %s gives the same when it was written over itself', (__, ask) => {
    const earlier = ask(of);
    const expected = textOf(earlier);
    scramble(of);
    try {
      expect(textOf(earlier)).toBe(expected);
      expect(textOf(ask(of))).toBe(expected);
    } finally {
      scramble(of); // twice is not at all
    }
  });
});

it('has bytes to write over in every row', () => {
  const bare = [
    'certificateToJson',
    'checkpointToJson',
    'messageToJson',
    'a fact as JSON',
    'reportToJson',
    'JSON.stringify',
    'judge',
    'accountDataOf',
  ];
  for (const { of, asks } of Object.values(ROWS)) {
    for (const [name, ask] of Object.entries(asks))
      expect([name, bytesIn(ask(of)).length > 0]).toEqual([name, !bare.includes(name)]);
  }
});

describe('a lite server', () => {
  const recorded = JSON.parse(readFileSync(new URL('../../vectors/live/answers/index.json', import.meta.url), 'utf8'));
  const shard = idOf(
    recorded.answers.find(({ file }: { file: string }) => file === 'shard-block-proof.tl').shard_block,
  );
  const asks: Readonly<Record<string, (client: LiteServerClient) => Promise<unknown>>> = {
    masterchainInfo: (client) => client.masterchainInfo(),
    blockProof: (client) => client.blockProof(LIVE.zerostate, LIVE.block),
    header: (client) => client.header(LIVE.block),
    block: (client) => client.block(LIVE.block),
    shardProof: (client) => client.shardProof(shard),
    accountState: (client) => client.accountState(LIVE.block, account),
  };

  const connected = async <T>(use: (client: LiteServerClient) => Promise<T>, options: LiteClientOptions = {}) => {
    const standIn = await startLiteStandIn({ answer: ({ request }) => answerLive(request) ?? liteError(0, 'unknown') });
    const client = connectLite(standIn.server, { network: LIVE.zerostate, ...options });
    try {
      return await use(client);
    } finally {
      client.close();
      await standIn.close();
    }
  };

  it.each(Object.entries(asks))('asked for %s gives the same when all that it gave was written over', (_, ask) =>
    connected(async (client) => {
      const [first, second] = [await ask(client), await ask(client)];
      const expected = textOf(first);
      expect(bytesIn(first).length).toBeGreaterThan(0);
      scramble(first);
      expect(textOf(await ask(client))).toBe(expected);
      expect(textOf(second)).toBe(expected);
      const { tl, ...read } = second as { tl: Uint8Array };
      const before = textOf(read);
      scramble(tl);
      expect(textOf(read)).toBe(before);
    }),
  );

  it.each(Object.entries(asks))('asked for %s gives the same when what it recorded is written over', async (_, ask) => {
    const expected = await connected(async (client) => textOf(await ask(client)));
    const onAnswer = ({ request, answer }: RecordedLiteAnswer) => scramble([request, answer]);
    expect(await connected(async (client) => textOf(await ask(client)), { onAnswer })).toBe(expected);
  });
});
