/** `ton-finality follow --base-url`: prints every new block, verified under a fixed set. A later run can resume. */
import { present } from '../../../core/base/present.ts';
import { followBlocks } from '../../../net/follow/follow.ts';
import type { AskOptions } from '../../../net/sources/block-source.ts';
import { crossCheck } from '../../../net/sources/cross-check.ts';
import { firstOf } from '../../../net/sources/first-of.ts';
import { renderText } from '../../report/render-report.ts';
import { defineCommand } from '../command.ts';
import { EXIT, exitCodeOf } from '../exit-code.ts';
import { hasFinished, requireOrder } from '../follow-place.ts';
import { openFollowState } from '../follow-state.ts';
import { FOLLOW_EXIT, followTelling } from '../follow-telling.ts';
import { followedLine } from '../followed-line.ts';
import { HAND_OUT_OPTIONS, handOut, requireNoOtherStdin } from '../hand-out.ts';
import { flagRow, needing, seqnoRow } from '../input/option-rows.ts';
import { HTTP_OPTIONS, readSourcePlan, readWitnessTerms } from '../input/server-options.ts';
import { NETWORK_OPTION, STRICT_OPTION, TRUST_OPTIONS, WITNESS_OPTIONS } from '../input/shared-options.ts';
import { readValidators, VALID_UNTIL_OPTION } from '../input/verify-inputs.ts';
import { tellFork } from '../keep-evidence.ts';
import { printEvent, printResult } from '../output.ts';
import { askInOrder, createServers, type V2Server } from '../servers.ts';

export const followHttpCommand = defineCommand({
  name: 'follow --base-url',
  usage: ['--base-url URL ... (--validators FILE | --checkpoint FILE) [options]'],
  about:
    'Prints one line for every new masterchain block that is final under the validator set you pass. Prints every block exactly once. HTTP servers have no proofs of key blocks, so the command ends with a message when the validators change.',
  options: {
    ...TRUST_OPTIONS,
    ...needing(['validators'], VALID_UNTIL_OPTION),
    ...HTTP_OPTIONS,
    ...NETWORK_OPTION,
    ...HAND_OUT_OPTIONS,
    from: seqnoRow('first block; default: the newest'),
    to: seqnoRow('exit after this block'),
    ...WITNESS_OPTIONS,
    ...STRICT_OPTION,
    json: flagRow('print one JSON object a line'),
  },
  examples: [
    'follow --base-url https://host --validators set.json --state follow.json',
    'follow --base-url https://a --base-url https://b --checkpoint c.json --strict',
  ],
  exit: FOLLOW_EXIT,
  async run({ options }) {
    const plan = readSourcePlan('latest', options, () => {})!; // a URL is given, so there is a plan
    const { from, to } = options;
    requireOrder(from, to);
    requireNoOtherStdin(options, [options.validators, options.checkpoint]);
    const named = (await readValidators(options))!; // without a set, the server would have to name it, which `follow` does not allow
    const { v2 } = createServers(plan);
    const { witnesses, countEachServer } = readWitnessTerms(options, { v2, v3: undefined });
    const source = v2.length === 1 ? v2[0]! : firstOf(v2);
    const state = await openFollowState(options.state, { from, sync: options.sync });
    const first = state.kept?.after === undefined ? (state.kept?.from ?? from) : state.kept.after.seqno + 1;
    const asJson = options.json === true;
    const hand = handOut(state, options, asJson);
    const { status, ...tell } = followTelling(options);
    const witness = {
      name: source.name,
      async header(seqno: number, opts: AskOptions = {}) {
        const ask = (server: V2Server, share: AskOptions) => server.header(seqno, { ...opts, ...share });
        return (await askInOrder(v2, ask, [], { deadlineMs: opts.deadlineMs })).answer;
      },
    };
    try {
      if (hasFinished(state.kept, to)) return EXIT.final;
      const reports = followBlocks(source, {
        validators: named.validators,
        ...present({ from: first, signal: hand.signal }),
        async contextOf({ blockId }, { signal }) {
          const { header } = await crossCheck(blockId, source.name, { header: witness }, { signal });
          return present({ header });
        },
        others: v2,
        witnesses,
        countEachServer,
        ...tell,
      });
      for await (const report of reports) {
        status.clear();
        const { verdict, coverage } = report;
        requireOrder(coverage.blockId.seqno, to);
        if (verdict.status !== 'final') {
          const words = `block ${coverage.blockId.seqno} is not final, so the run ends before it`;
          await printEvent('not-final', words, asJson, { seqno: coverage.blockId.seqno });
          await printResult(asJson ? followedLine({ report, provenBy: 'signatures' }, true) : renderText(report));
          return exitCodeOf(verdict);
        }
        const line = followedLine({ report, provenBy: 'signatures' }, asJson);
        if (!(await hand.give(coverage.blockId.seqno, line, { after: coverage.blockId }))) break;
        if (coverage.blockId.seqno === to) break;
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
  },
});
