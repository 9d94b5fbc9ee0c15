/** `ton-finality prove`: a transaction, a message, an account or a parameter, from files, up to a checkpoint. */
import { UsageError } from '../../base/errors.ts';
import type { FactInput } from '../../certificate/build-fact.ts';
import { verifyAccountState } from '../../inclusion/account-state.ts';
import { verifyConfigParam } from '../../inclusion/config-param.ts';
import { decodeJettonNotification } from '../../inclusion/jetton.ts';
import { type MessageFact, messagesOf } from '../../inclusion/messages.ts';
import type { ProvenBlock } from '../../inclusion/proven-block.ts';
import { shardBlock } from '../../inclusion/shard-top.ts';
import { type Fact, factToJson, messageToJson } from '../../inclusion/to-json.ts';
import { verifyTransaction } from '../../inclusion/transaction.ts';
import { factLines, messageRows, pathLines } from '../../report/facts.ts';
import { EXIT } from '../exit-code.ts';
import {
  FACT_KINDS,
  FACT_OPTIONS,
  FACT_USAGE,
  type NamedFact,
  proveBlock,
  readBlockInputs,
  readFactInput,
} from '../fact-inputs.ts';
import { type OptionTable, parseOptions } from '../input/options.ts';
import { printJson, printResult } from '../output.ts';

const PROVE_USAGE = `usage: ton-finality prove transaction|message|account|config FILE [options]

Proves what stands in a final block, or that it does not, offline.

${FACT_USAGE}

  --require-success                            refuse a transaction that did not succeed
  --json                                       one object, schema ton-finality/inclusion@1

exit code: 0 proven, 1 proven absent, 2 bad input or a proof that does not hold`;

const OPTIONS = {
  ...FACT_OPTIONS,
  'require-success': { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies OptionTable;

/** The words after a command: which fact, and the file. */
export function readFactWords(words: readonly string[], command: string): { kind: NamedFact; file: string } {
  const [kind, file, ...surplus] = words;
  const known = FACT_KINDS.find((name) => name === kind);
  if (known === undefined || file === undefined || surplus.length > 0) {
    throw new UsageError('usage/bad-option', `expected ${FACT_KINDS.join(', ')} and one FILE`, {
      hint: `see ton-finality ${command} --help`,
    });
  }
  return { kind: known, file };
}

interface Proven {
  readonly fact: Exclude<Fact, { kind: 'block-transactions' | 'library' }>;
  readonly messages: readonly MessageFact[];
}

function below(block: ProvenBlock, input: FactInput): ProvenBlock {
  return 'way' in input && input.way !== undefined && 'links' in input.way ? shardBlock(input.way.links, block) : block;
}

function prove(input: FactInput, block: ProvenBlock, requireSuccess: boolean): Proven {
  if (input.kind === 'config') return { fact: verifyConfigParam(input.answer, block, input.param), messages: [] };
  if (input.kind === 'account') {
    return { fact: verifyAccountState(input.answer, below(block, input), input.account), messages: [] };
  }
  if (input.kind !== 'transaction')
    throw new UsageError('usage/bad-option', 'expected another fact', { path: input.kind });
  const { account, lt, message } = input;
  const fact = verifyTransaction(input.answer, below(block, input), { account, lt, requireSuccess });
  if (!fact.found || fact.transaction === undefined) return { fact, messages: [] };
  const all = messagesOf(fact);
  const wanted = all.filter(
    ({ direction, index }) => message === undefined || (message === 'in' ? direction === 'in' : index === message),
  );
  if (message !== undefined && wanted.length === 0) {
    throw new UsageError('usage/bad-option', `the transaction has no such message, but ${all.length} others`, {
      path: '--index',
    });
  }
  return { fact, messages: wanted };
}

/** @param words the command line after `prove` @returns the exit code */
export async function proveCommand(words: readonly string[]): Promise<number> {
  const { values: options, positionals } = parseOptions(words, OPTIONS);
  if (options.help === true) {
    await printResult(PROVE_USAGE);
    return EXIT.final;
  }
  const { kind, file } = readFactWords(positionals, 'prove');
  const input = await readFactInput(kind, file, options);
  const block = proveBlock(await readBlockInputs(options));
  const { fact, messages } = prove(input, block, options['require-success'] === true);
  if (options.json === true) {
    await printJson({
      ...factToJson(fact),
      ...(messages.length === 0 ? {} : { messages: messages.map(messageToJson) }),
    });
  } else {
    const rows = messages.flatMap((message) => messageRows(message, decodeJettonNotification(message)));
    await printResult([...factLines(fact), ...rows, ...pathLines(fact)].join('\n'));
  }
  const isThere = fact.kind === 'account' ? fact.exists : fact.found;
  return isThere ? EXIT.final : EXIT.notFinal;
}
