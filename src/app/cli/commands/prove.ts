/** `ton-finality prove`: proves a transaction, message, account or parameter under a checkpoint, from files or lite servers. */
import { UsageError } from '../../../core/base/errors.ts';
import { present } from '../../../core/base/present.ts';
import type { FactInput } from '../../../core/certificate/build-fact.ts';
import type { CertifiedMessage } from '../../../core/certificate/judge-fact.ts';
import type { KeyBlock } from '../../../core/chain/key-blocks.ts';
import type { AccountId } from '../../../core/facts/account-id.ts';
import { type MessageFact, messagesOf } from '../../../core/facts/messages.ts';
import type { ProvenBlock } from '../../../core/facts/proven-block.ts';
import { type Fact, factToJson, messageToJson } from '../../../core/facts/to-json.ts';
import { verifyFact } from '../../../net/lite/ask-fact.ts';
import { factLines, pathLines } from '../../report/render-facts.ts';
import { defineCommand } from '../command.ts';
import { exitCodeOfFacts } from '../exit-code.ts';
import {
  FACT_KINDS,
  FACT_OPTIONS,
  FACT_WORDS,
  leadTo,
  type NamedFact,
  readBlockInputs,
  readFactInput,
  readFactKind,
  readFactWords,
  readQuestion,
  requireNoOther,
} from '../fact-inputs.ts';
import { LITE_OPTIONS, type LitePlan, readLitePlan } from '../input/lite-options.ts';
import {
  badFlag,
  flagRow,
  needing,
  type OptionTable,
  type OptionValues,
  seqnoRow,
  under,
} from '../input/option-rows.ts';
import { readCheckpointFlag } from '../input/read-checkpoint.ts';
import { ASKED_SERVERS_OPTIONS, NETWORK_OPTION } from '../input/shared-options.ts';
import type { FetchedFact } from '../lite-facts.ts';
import { messageWords } from '../message-words.ts';
import { printJson, printResult } from '../output.ts';

/** Options of a fact that is fetched from servers. */
export const LITE_FACT_OPTIONS = under(
  'over lite servers, instead of FILE, --proof, --signatures, --block and --shard',
  {
    ...LITE_OPTIONS,
    ...NETWORK_OPTION,
    ...ASKED_SERVERS_OPTIONS,
    ...needing(['lite', 'config'], {
      seqno: seqnoRow(
        'masterchain block to prove under; default: the newest. A masterchain transaction is proven to be, or not to be, in this block. By default a server names the block; if the transaction is not there, the next server is asked and no absence is proven',
      ),
    }),
  },
);

const OPTIONS = {
  ...FACT_OPTIONS,
  ...LITE_FACT_OPTIONS,
  ...under('output', {
    'require-success': flagRow('reject a transaction that did not succeed'),
    json: flagRow('print one JSON object, schema ton-finality/inclusion@1'),
  }),
} satisfies OptionTable;

type ProveFlags = OptionValues<typeof OPTIONS>;

/** Reads the word after a command that asks servers. */
function readLiteWord(words: readonly string[]): NamedFact {
  const [word, ...files] = words;
  const known = readFactKind(word);
  if (files.length === 0) return known;
  throw new UsageError('usage/bad-option', `expected no FILE with --lite or --config, got ${files.length}`);
}

interface ProvenAnswer {
  readonly fact: Exclude<Fact, { kind: 'block-transactions' | 'library' }>;
  /** The messages of the transaction, or the one that the user gave. */
  readonly messages: readonly MessageFact[];
  /** The requested message, with its transaction. */
  readonly message?: CertifiedMessage;
  /** Key blocks from the checkpoint on. */
  readonly keyBlocks?: readonly KeyBlock[];
}

function prove(input: FactInput, block: ProvenBlock, requireSuccess: boolean): ProvenAnswer {
  const fact = verifyFact(input, block, requireSuccess);
  if (fact.kind !== 'transaction') return { fact, messages: [] };
  if (!fact.found) return { fact, messages: [] };
  const { message } = input as Extract<FactInput, { kind: 'transaction' }>; // the fact has that kind
  if (message === undefined) return { fact, messages: fact.transaction === undefined ? [] : messagesOf(fact) };
  const all = messagesOf(fact); // throws if the proof leaves out contents, which hold the messages
  const wanted = all.find(({ direction, index }) => (message === 'in' ? direction === 'in' : index === message));
  if (wanted === undefined) {
    throw badFlag('index', `the transaction has no such message; it has ${all.length} others`);
  }
  const { block: held, masterchain, provenance, path } = fact;
  const place = { block: held, masterchain, provenance, path };
  return { fact, messages: [wanted], message: { kind: 'message', message: wanted, transaction: fact, ...place } };
}

async function fromFiles(words: readonly string[], options: ProveFlags): Promise<ProvenAnswer> {
  const { kind, file } = readFactWords(words);
  const input = await readFactInput(kind, file, options);
  const { block, keyBlocks } = leadTo(await readBlockInputs(options));
  return { ...prove(input, block, options['require-success'] === true), keyBlocks };
}

/**
 * Asks lite servers for the fact that a command line names.
 * @param forward for a certificate
 * @param judge checks the answers
 * @param wallet its state is fetched too
 */
export async function askOverLite<T extends Pick<ProvenAnswer, 'fact'>>(
  plan: LitePlan,
  words: readonly string[],
  options: Omit<ProveFlags, 'require-success'>,
  forward: boolean,
  judge: (fetched: FetchedFact) => T,
  wallet?: AccountId,
): Promise<T> {
  const kind = readLiteWord(words);
  requireNoOther(kind, options);
  const question = readQuestion(kind, options);
  const { proveOverLite } = await import('../lite-facts.ts');
  const { seqno, evidence } = options;
  const checkpoint = await readCheckpointFlag(options.checkpoint);
  const asked = {
    kind,
    question,
    checkpoint,
    forward,
    asJson: options.json === true,
    ...present({ seqno, evidence, wallet }),
  };
  return await proveOverLite(plan, asked, judge);
}

async function proveFromServers(plan: LitePlan, words: readonly string[], options: ProveFlags): Promise<ProvenAnswer> {
  return await askOverLite(plan, words, options, false, ({ input, block, keyBlocks }) => ({
    ...prove(input, block, options['require-success'] === true),
    keyBlocks,
  }));
}

export const proveCommand = defineCommand({
  name: 'prove',
  usage: [
    'transaction|message|account|config FILE [options]',
    'transaction|message|account|config --lite HOST:PORT:KEY --checkpoint FILE [options]',
  ],
  about:
    'Proves that a final block contains a transaction, message, account or parameter, or that it does not. Works offline from files, or fetches all proofs from untrusted lite servers.',
  words: { wanted: 'a fact and its FILE', count: [0, 9], rows: FACT_WORDS, choices: FACT_KINDS },
  options: OPTIONS,
  examples: [
    'prove account --account 0:HEX --config g.json --checkpoint c.json',
    'prove transaction answer.tl --account 0:HEX --lt 47 --checkpoint c.json --proof p.tl',
  ],
  exit: '0 proven, 1 proven absent, 2 bad input or an invalid proof, 3 no server has the fact or servers disagree, 4 the checkpoint is too old',
  async run({ options, words }) {
    const plan = await readLitePlan(options);
    const { fact, messages, message, keyBlocks } =
      plan === undefined ? await fromFiles(words, options) : await proveFromServers(plan, words, options);
    if (options.json === true) {
      await printJson({
        ...factToJson(fact),
        ...(fact.kind === 'transaction' && fact.found && fact.transaction !== undefined
          ? { success: fact.transaction.outcome.success }
          : {}),
        ...(messages.length === 0 ? {} : { messages: messages.map(messageToJson) }),
      });
    } else {
      const rows: string[][] = [];
      for (const one of messages) rows.push(await messageWords(one));
      const lines = message === undefined ? [...factLines(fact), ...rows.flat()] : factLines(message, rows[0]);
      await printResult([...lines, ...pathLines(fact, keyBlocks)].join('\n'));
    }
    return exitCodeOfFacts([fact]);
  },
});
