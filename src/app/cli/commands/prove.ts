/** `ton-finality prove`: proves a transaction, message, account or parameter under a checkpoint, from files or lite servers. */
import { DecodeError } from '../../../core/base/errors.ts';
import type { FactInput } from '../../../core/certificate/build-fact.ts';
import type { CertifiedMessage } from '../../../core/certificate/judge-fact.ts';
import { jettonNotificationOf } from '../../../core/facts/jetton.ts';
import { type MessageFact, messagesOf } from '../../../core/facts/messages.ts';
import { factToJson, messageToJson } from '../../../core/facts/to-json.ts';
import { verifyFact } from '../../../net/lite/ask-fact.ts';
import { factLines, messageRows, pathLines } from '../../report/render-facts.ts';
import { defineCommand } from '../command.ts';
import {
  FACT_OPTIONS,
  FACT_WORDS,
  type LedTo,
  LITE_FACT_OPTIONS,
  leadTo,
  readBlockInputs,
  readFactInput,
  readNamedQuestion,
} from '../input/fact-inputs.ts';
import { readLitePlan } from '../input/lite-options.ts';
import { badFlag, option, under } from '../input/option-rows.ts';
import { readCheckpointFlag } from '../input/read-file.ts';
import { exitCodeOfFacts } from '../output/exit-code.ts';
import { printJson, printNote, printResult } from '../output/print.ts';

interface ProvenAnswer {
  readonly fact: ReturnType<typeof verifyFact>;
  /** The messages of the transaction, or the one that the user gave. */
  readonly messages: readonly MessageFact[];
  /** The requested message, with its transaction. */
  readonly message?: CertifiedMessage;
}

function proveInput(input: FactInput, { block }: LedTo, requireSuccess: boolean): ProvenAnswer {
  const fact = verifyFact(input, block, requireSuccess);
  if (fact.kind !== 'transaction' || !fact.found) return { fact, messages: [] };
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

/**
 * Returns rows of a report on a message, with the jettons that it mentions. Any account can send a message whose body only starts like a
 * notification; the message is still proven.
 */
export async function messageWords(message: MessageFact): Promise<string[]> {
  try {
    return messageRows(message, jettonNotificationOf(message));
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    await printNote(`the body starts like a jetton notification but is not valid: ${error.message}`);
    return messageRows(message);
  }
}

export const proveCommand = defineCommand({
  usage: [
    'transaction|message|account|config FILE [options]',
    'transaction|message|account|config --lite HOST:PORT:KEY --checkpoint FILE [options]',
  ],
  about:
    'Proves that a final block contains a transaction, message, account or parameter, or that it does not. Works offline from files, or fetches all proofs from untrusted lite servers.',
  words: FACT_WORDS,
  options: {
    ...FACT_OPTIONS,
    ...LITE_FACT_OPTIONS,
    ...under('output', {
      'require-success': option.flag('reject a transaction that did not succeed'),
      json: option.flag('print one JSON object, schema ton-finality/inclusion@1'),
    }),
  },
  examples: [
    'prove account --account 0:HEX --config g.json --checkpoint c.json',
    'prove transaction answer.tl --account 0:HEX --lt 47 --checkpoint c.json --proof p.tl',
  ],
  exit: '0 proven, 1 proven absent, 2 bad input or an invalid proof, 3 no server has the fact or servers disagree, 4 the checkpoint is too old, or too few servers agree',
  async run({ options, words }) {
    const plan = await readLitePlan(options);
    const named = await readNamedQuestion(words, options, plan !== undefined);
    const judge = ({ input, ...led }: { readonly input: FactInput } & LedTo) => ({
      ...proveInput(input, led, options['require-success']),
      keyBlocks: led.keyBlocks,
    });
    const proven =
      plan === undefined
        ? judge({ input: await readFactInput(named, options), ...leadTo(await readBlockInputs(options)) })
        : await (await import('../servers/fetch-fact.ts')).fetchFact(
            plan,
            { ...named, checkpoint: await readCheckpointFlag(options), options },
            judge,
          );
    const { fact, messages, message, keyBlocks } = proven;
    if (options.json) {
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
