/** `ton-finality follow --base-url`: every new block, verified under a set that stays as it is; goes on where it stopped. */
import { UsageError } from '../../../core/base/errors.ts';
import { MAX_SEQNO } from '../../../core/base/limits.ts';
import { present } from '../../../core/base/present.ts';
import { followBlocks } from '../../../net/follow/follow.ts';
import type { AskOptions } from '../../../net/sources/block-source.ts';
import { crossCheck } from '../../../net/sources/cross-check.ts';
import { firstOf } from '../../../net/sources/first-of.ts';
import { renderText } from '../../report/render-report.ts';
import { EXIT, exitCodeOf } from '../exit-code.ts';
import { openFollowState } from '../follow-state.ts';
import { followedLine } from '../followed-line.ts';
import { HAND_OUT_OPTIONS, HAND_OUT_USAGE, handOut, requireStateFor } from '../hand-out.ts';
import { readCount } from '../input/counts.ts';
import { InputLog } from '../input/input-log.ts';
import { type OptionTable, parseOptions } from '../input/options.ts';
import { readSourcePlan, readWitnessTerms, WITNESS_OPTIONS, WITNESS_USAGE } from '../input/server-options.ts';
import { readValidators } from '../input/verify-inputs.ts';
import { tellFork } from '../keep-evidence.ts';
import { printEvent, printResult } from '../output.ts';
import { askInOrder, createServers, type Server } from '../servers.ts';
import { stallMembers, stallWords } from '../stall-words.ts';
import { statusLine } from '../status-line.ts';
import { tellWarning } from '../witness-words.ts';

const FOLLOW_HTTP_USAGE = `usage: ton-finality follow --base-url URL ... (--validators FILE | --checkpoint FILE) [options]

Prints one line for every new masterchain block that is final under the set you give, which stays as it is: servers over
HTTP have no proofs of key blocks, so when the validators change it ends, and says so. No gap, no duplicate.

  --base-url URL                    API v2, whole, as in https://host/api/v2; several: in order, the next on failure
  --validators FILE                 the validator set, or
  --checkpoint FILE                 the set proven by a checkpoint
  --valid-until SECONDS             until when the set of --validators was elected, where its file does not say: the newest
                                    block is judged by the clock
  --api-key-env NAME                environment variable with the key of the first URL; again for the second; - for none
  --network mainnet|testnet         refuse servers of another network
  --rate N                          requests a second and server; two a block are needed. Default 1 without a key, else 10
  --allow-http                      plain http to other machines
${HAND_OUT_USAGE}
${WITNESS_USAGE}
  --strict                          for money: at least one witness
  --from N                          first block; default: the head
  --until N                         ends after this block
  --json                            one object a line

exit code: 0 ended by --until, or its reader or standard input (--ack) did, 130 or 143 by a signal, 1 or 4 at a block that
           is not final, 2 bad input, 3 no server answers or two blocks of one number are signed, 4 too few witnesses`;

const OPTIONS = {
  ...HAND_OUT_OPTIONS,
  'base-url': { type: 'string', multiple: true },
  'api-key-env': { type: 'string', multiple: true },
  'allow-http': { type: 'boolean' },
  network: { type: 'string' },
  rate: { type: 'string' },
  ...WITNESS_OPTIONS,
  strict: { type: 'boolean' },
  validators: { type: 'string' },
  checkpoint: { type: 'string' },
  'valid-until': { type: 'string' },
  from: { type: 'string' },
  until: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies OptionTable;

/** Whether a command line means this command: lite servers have another. */
export function namesHttpServers(words: readonly string[]): boolean {
  return words.some((word) => word === '--base-url' || word.startsWith('--base-url='));
}

/** @param words the command line after `follow` @returns the exit code */
export async function followHttpCommand(words: readonly string[]): Promise<number> {
  // Help is asked for without a URL behind the option.
  if (words.includes('--help') || words.includes('-h')) {
    await printResult(FOLLOW_HTTP_USAGE);
    return 0;
  }
  const { values: options, positionals } = parseOptions(words, OPTIONS);
  if (positionals.length > 0) {
    throw new UsageError('usage/bad-option', 'expected options only', {
      hint: 'see ton-finality follow --base-url --help',
    });
  }
  const plan = readSourcePlan('latest', options, () => {})!; // there is a URL, so there is a plan
  const from = options.from === undefined ? undefined : readCount('from', options.from, 1, MAX_SEQNO);
  const last = options.until === undefined ? Number.POSITIVE_INFINITY : readCount('until', options.until, 1, MAX_SEQNO);
  requireStateFor(options, [options.validators, options.checkpoint]);
  const named = (await readValidators(options, new InputLog()))!; // only a set from the server is named by nobody
  const { v2 } = createServers(plan);
  const { witnesses, countEachServer } = readWitnessTerms(options, { v2, v3: undefined });
  const source = v2.length === 1 ? v2[0]! : firstOf(v2);
  const state = await openFollowState(options.state, { from, sync: options.sync });
  const first = state.kept?.after === undefined ? (state.kept?.from ?? from) : state.kept.after.seqno + 1;
  const asJson = options.json === true;
  const status = statusLine(!asJson);
  const hand = handOut(state, options, asJson);
  const witness = {
    name: source.name,
    async header(seqno: number, opts: AskOptions = {}) {
      const ask = (server: Server, share: AskOptions) => server.header(seqno, { ...opts, ...share });
      return (await askInOrder(v2, ask, [], { deadlineMs: opts.deadlineMs })).answer;
    },
  };
  try {
    const reports = followBlocks(source, {
      validators: named.validators,
      ...present({ from: first, signal: hand.signal }),
      async evidenceOf({ blockId }, { signal }) {
        const { header } = await crossCheck(blockId, source.name, { header: witness }, { signal });
        return header === undefined ? {} : { header };
      },
      others: v2,
      witnesses,
      countEachServer,
      onWarning(warning) {
        status.clear();
        void tellWarning(warning, options.evidence, asJson);
      },
      onTrouble: (error) => status.show(error.message),
      onStall(stall) {
        status.clear();
        void printEvent(stall.code, stallWords(stall), asJson, stallMembers(stall));
      },
    });
    for await (const report of reports) {
      status.clear();
      const { verdict, coverage } = report;
      if (verdict.status !== 'final') {
        const words = `block ${coverage.blockId.seqno} is not final, so nothing after it is printed`;
        await printEvent('not-final', words, asJson, { seqno: coverage.blockId.seqno });
        await printResult(asJson ? followedLine({ report, provenBy: 'signatures' }, true) : renderText(report));
        return exitCodeOf(verdict);
      }
      const line = followedLine({ report, provenBy: 'signatures' }, asJson);
      if (!(await hand.give(coverage.blockId.seqno, line, { after: coverage.blockId }))) break;
      if (coverage.blockId.seqno >= last) break;
    }
    status.clear();
    await hand.finish();
    return EXIT.final;
  } catch (error) {
    await tellFork(error, options);
    throw error;
  } finally {
    status.clear();
    hand.close();
    state.keep();
    state.close();
  }
}
