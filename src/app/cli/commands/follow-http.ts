/** `ton-finality follow --base-url`: prints every new block, verified under a fixed set. A later run can resume. */
import { present } from '../../../core/base/present.ts';
import type { VerificationReport } from '../../../core/verify/report.ts';
import { followBlocks } from '../../../net/follow/follow-blocks.ts';
import { firstOf } from '../../../net/sources/first-of.ts';
import { renderText } from '../../report/render-report.ts';
import { defineCommand } from '../command.ts';
import { requireOrder } from '../follow/follow-place.ts';
import { openFollowState } from '../follow/follow-state.ts';
import { HAND_OUT_OPTIONS, requireNoOtherStdin } from '../follow/hand-out.ts';
import { FOLLOW_EXIT, followedLine, runFollow, type ShownBlock } from '../follow/run-follow.ts';
import { needing, option } from '../input/option-rows.ts';
import { HTTP_OPTIONS, readSourcePlan, readWitnessTerms } from '../input/server-options.ts';
import { NETWORK_OPTION, STRICT_OPTION, TRUST_OPTIONS, WITNESS_OPTIONS } from '../input/shared-options.ts';
import { readValidators, VALID_UNTIL_OPTION } from '../input/trust-inputs.ts';
import { exitCodeOf } from '../output/exit-code.ts';
import { printEvent, printResult } from '../output/print.ts';
import { createServers, headersOf } from '../servers/http-servers.ts';

async function* shownBlocks(reports: AsyncIterable<VerificationReport>): AsyncGenerator<ShownBlock> {
  for await (const report of reports) yield { report, provenBy: 'signatures' };
}

export const followHttpCommand = defineCommand({
  usage: ['--base-url URL ... (--validators FILE | --checkpoint FILE) [options]'],
  about:
    'Prints one line for every new masterchain block that is final under the validator set you pass. Prints every block once; resumed with --state after a kill, it may print the last blocks again. HTTP servers have no proofs of key blocks, so the command ends with a message when the validators change.',
  options: {
    ...TRUST_OPTIONS,
    ...needing(['validators'], VALID_UNTIL_OPTION),
    ...HTTP_OPTIONS,
    ...NETWORK_OPTION,
    ...HAND_OUT_OPTIONS,
    from: option.seqno('first block; default: the newest'),
    to: option.seqno('exit after this block'),
    ...WITNESS_OPTIONS,
    ...STRICT_OPTION,
    'accept-stale-start': option.flag(
      'exception: accept blocks of validators that can have withdrawn their stakes, else the verdict is undecided. An attacker with the old keys could forge every one of these blocks',
    ),
    json: option.flag('print one JSON object a line'),
  },
  examples: [
    'follow --base-url https://host/api/v2 --validators set.json --state follow.json',
    'follow --base-url https://a/v2 --base-url https://b/v2 --checkpoint c.json --strict',
  ],
  exit: FOLLOW_EXIT,
  async run({ options }) {
    const plan = readSourcePlan('latest', options)!; // a URL is given, so there is a plan
    const { from, to } = options;
    requireOrder(from, to);
    requireNoOtherStdin(options, [options.validators, options.checkpoint]);
    const named = (await readValidators(options))!; // without a set, the server would have to name it, which `follow` does not allow
    const { v2 } = createServers(plan);
    const { witnesses, countEachServer } = readWitnessTerms(options, { v2, v3: undefined });
    const source = v2.length === 1 ? v2[0]! : firstOf(v2);
    const state = await openFollowState(options.state, { from, sync: options.sync });
    const first = state.kept?.after === undefined ? (state.kept?.from ?? from) : state.kept.after.seqno + 1;
    return await runFollow(options, state, {
      async follow(more) {
        const headerOf = headersOf(v2, named.validators, more);
        const reports = followBlocks(source, {
          validators: named.validators,
          ...present({ from: first }),
          contextOf: async (signatures, { signal, source: said }) =>
            present({ header: await headerOf(signatures, said, signal) }),
          others: v2,
          witnesses,
          countEachServer,
          acceptStaleStart: options['accept-stale-start'],
          ...more,
        });
        return shownBlocks(reports);
      },
      placeAfter: ({ report }) => ({ after: report.coverage.blockId }),
      async endBefore({ report }, finish) {
        if (report.verdict.status === 'final') return undefined;
        const { seqno } = report.coverage.blockId;
        const words = `block ${seqno} is not final, so the run ends before it`;
        await printEvent('not-final', words, options.json, { seqno });
        await finish(); // a reader may acknowledge each line that it reads, and this block does not count
        await printResult(options.json ? followedLine({ report, provenBy: 'signatures' }, true) : renderText(report));
        return exitCodeOf(report.verdict);
      },
    });
  },
});
