/** `ton-finality prove`: a transaction, a message, an account or a parameter, from files or lite servers, up to a checkpoint. */
import { UsageError } from '../../../core/base/errors.ts';
import { present } from '../../../core/base/present.ts';
import type { FactInput } from '../../../core/certificate/build-fact.ts';
import type { CertifiedMessage } from '../../../core/certificate/judge-fact.ts';
import type { KeyBlock } from '../../../core/chain/key-blocks.ts';
import { type MessageFact, messagesOf } from '../../../core/facts/messages.ts';
import type { ProvenBlock } from '../../../core/facts/proven-block.ts';
import { type Fact, factToJson, messageToJson } from '../../../core/facts/to-json.ts';
import { judgeFact } from '../../../net/lite/ask-fact.ts';
import { factLines, pathLines } from '../../report/render-facts.ts';
import { EXIT, exitCodeOfFacts } from '../exit-code.ts';
import {
  FACT_KINDS,
  FACT_OPTIONS,
  FACT_USAGE,
  type FactWords,
  type NamedFact,
  proveBlock,
  readBlockInputs,
  readCheckpoint,
  readFactInput,
  readQuestion,
  requireNoOther,
} from '../fact-inputs.ts';
import { LITE_OPTIONS, LITE_USAGE, type LitePlan, readLitePlan } from '../input/lite-options.ts';
import { helpHint, type OptionTable, type ParsedOptions, parseOptions } from '../input/options.ts';
import type { FetchedFact } from '../lite-facts.ts';
import { messageWords } from '../message-words.ts';
import { printJson, printResult } from '../output.ts';

export const ASK_USAGE = `over lite servers, in place of FILE, --proof, --signatures, --block and --shard
${LITE_USAGE}
  --seqno N                                    under this masterchain block; default the head. For a transaction of the
                                               masterchain: in this block, or proven absent there; default the block
                                               that a server names, or the one that lists it, and then no absence
                                               is proven: the next server is asked
  --evidence FILE                              where evidence goes if two blocks of one number are certified`;

const PROVE_USAGE = `usage: ton-finality prove transaction|message|account|config FILE [options]
       ton-finality prove transaction|message|account|config --lite HOST:PORT:KEY --checkpoint FILE [options]

Proves what stands in a final block, or that it does not: offline from files, or over lite servers, which are asked for
the way there too and of which none is believed.

${FACT_USAGE}

${ASK_USAGE}

  --require-success                            refuse a transaction that did not succeed
  --json                                       one object, schema ton-finality/inclusion@1

exit code: 0 proven, 1 proven absent, 2 bad input or a proof that does not hold, 3 no server has it or they disagree,
           4 the start is too old`;

/** Options of a fact that servers are asked for. */
export const ASK_OPTIONS = {
  ...LITE_OPTIONS,
  seqno: { type: 'string' },
  evidence: { type: 'string' },
} as const satisfies OptionTable;

const OPTIONS = {
  ...FACT_OPTIONS,
  ...ASK_OPTIONS,
  'require-success': { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies OptionTable;

type Options = ParsedOptions<typeof OPTIONS>['values'];

/** The words after a command: which fact, and the file. */
export function readFactWords(words: readonly string[], command: string): { kind: NamedFact; file: string } {
  const [kind, file, ...surplus] = words;
  const known = FACT_KINDS.find((name) => name === kind);
  if (known === undefined || file === undefined || surplus.length > 0) throw wrongWords('one FILE', command);
  return { kind: known, file };
}

function wrongWords(files: string, command: string): UsageError {
  return new UsageError('usage/bad-option', `expected ${FACT_KINDS.join(', ')} and ${files}`, {
    hint: helpHint(command),
  });
}

/** Options that name files in place of what servers are asked for. */
const FILE_OPTIONS = ['proof', 'signatures', 'block', 'shard'] as const;

/** The word after a command that asks servers. */
function readLiteWord(words: readonly string[], { command, options }: FactWords): NamedFact {
  const known = FACT_KINDS.find((name) => name === words[0]);
  const surplus = FILE_OPTIONS.find((name) => options[name] !== undefined);
  if (known === undefined || words.length !== 1) throw wrongWords('no FILE, since servers are asked', command);
  if (surplus === undefined) return known;
  throw new UsageError('usage/bad-option', 'expected no files beside lite servers', { path: `--${surplus}` });
}

interface Proven {
  readonly fact: Exclude<Fact, { kind: 'block-transactions' | 'library' }>;
  /** Of the transaction, or the one that was asked for. */
  readonly messages: readonly MessageFact[];
  /** The message that was asked for, with its transaction. */
  readonly message?: CertifiedMessage;
  /** From the checkpoint on. */
  readonly keyBlocks?: readonly KeyBlock[];
}

function prove(input: FactInput, block: ProvenBlock, requireSuccess: boolean): Proven {
  const fact = judgeFact(input, block, requireSuccess);
  if (fact.kind !== 'transaction') return { fact, messages: [] };
  if (!fact.found) return { fact, messages: [] };
  const { message } = input as Extract<FactInput, { kind: 'transaction' }>; // it is what the fact is of
  if (message === undefined) return { fact, messages: fact.transaction === undefined ? [] : messagesOf(fact) };
  const all = messagesOf(fact); // refuses contents that nobody has shown: a message stands in them
  const wanted = all.find(({ direction, index }) => (message === 'in' ? direction === 'in' : index === message));
  if (wanted === undefined) {
    throw new UsageError('usage/bad-option', `the transaction has no such message, but ${all.length} others`, {
      path: '--index',
    });
  }
  const { block: held, masterchain, provenance, path } = fact;
  const place = { block: held, masterchain, provenance, path };
  return { fact, messages: [wanted], message: { kind: 'message', message: wanted, transaction: fact, ...place } };
}

type AskOptions = ParsedOptions<typeof ASK_OPTIONS>['values'];

/** @throws UsageError for an option that only servers are asked with */
export function requireNoAskOptions(options: AskOptions): void {
  const surplus = (['seqno', 'evidence'] as const).find((name) => options[name] !== undefined);
  if (surplus !== undefined) {
    throw new UsageError('usage/bad-option', 'expected --lite or --config beside it', { path: `--${surplus}` });
  }
}

async function fromFiles(words: readonly string[], options: Options): Promise<Proven> {
  requireNoAskOptions(options);
  const { kind, file } = readFactWords(words, 'prove');
  const asked: FactWords = { command: 'prove', options };
  const input = await readFactInput(kind, file, asked);
  const { block, keyBlocks } = proveBlock(await readBlockInputs(asked));
  return { ...prove(input, block, options['require-success'] === true), keyBlocks };
}

/**
 * Asks lite servers for the fact that the words of a command name.
 * @param forward for a certificate
 * @param judge makes something of what came
 */
export async function askOverLite<T extends Pick<Proven, 'fact'>>(
  plan: LitePlan,
  words: readonly string[],
  given: FactWords & { readonly options: AskOptions & { readonly json?: boolean | undefined } },
  forward: boolean,
  judge: (fetched: FetchedFact) => T,
): Promise<T> {
  const kind = readLiteWord(words, given);
  requireNoOther(kind, given);
  const question = readQuestion(kind, given);
  const { proveOverLite, readSeqno } = await import('../lite-facts.ts');
  const { evidence, json } = given.options;
  const seqno = readSeqno(given.options.seqno);
  const checkpoint = await readCheckpoint(given);
  const asked = { kind, question, checkpoint, forward, asJson: json === true, ...present({ seqno, evidence }) };
  return await proveOverLite(plan, asked, judge);
}

async function ask(plan: LitePlan, words: readonly string[], options: Options): Promise<Proven> {
  const given = { command: 'prove' as const, options };
  return await askOverLite(plan, words, given, false, ({ input, block, keyBlocks }) => ({
    ...prove(input, block, options['require-success'] === true),
    keyBlocks,
  }));
}

/** @param words the command line after `prove` @returns the exit code */
export async function proveCommand(words: readonly string[]): Promise<number> {
  const { values: options, positionals } = parseOptions(words, OPTIONS, 'prove');
  if (options.help === true) {
    await printResult(PROVE_USAGE);
    return EXIT.final;
  }
  const plan = await readLitePlan(options);
  const { fact, messages, message, keyBlocks } =
    plan === undefined ? await fromFiles(positionals, options) : await ask(plan, positionals, options);
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
}
