/** Reads the command line of `audit`: range, source of the blocks, trust and policy. */
import { MAX_SEQNO } from '../../../core/base/limits.ts';
import { present } from '../../../core/base/present.ts';
import { type FirstOfOptions, firstOf } from '../../../net/sources/first-of.ts';
import type { AuditOptions } from '../../audit/audit-options.ts';
import type { AuditSource } from '../../audit/audit-source.ts';
import { auditFiles, statSource } from '../../audit/file-source.ts';
import { type AskHeader, auditServers } from '../../audit/http-source.ts';
import { auditLite } from '../../audit/lite-source.ts';
import { partOfRange, type SeqnoRange } from '../../audit/split-range.ts';
import { counted } from '../../report/layout.ts';
import { printEvent } from '../output/print.ts';
import { withFlagName } from './flag-in-error.ts';
import { LITE_OPTIONS, openLite, readLitePlan } from './lite-options.ts';
import { badFlag, type OptionTable, type OptionValues, option, shown, under } from './option-rows.ts';
import { HTTP_OPTIONS, type PaceOf, readSourcePlan } from './server-options.ts';
import { NETWORK_OPTION, SEVERAL_SERVERS_OPTIONS, STALE_START_OPTION, TRUST_OPTIONS } from './shared-options.ts';
import { BOUND_ID_OPTION, readValidators, THRESHOLD_OPTION, UNBOUND_OPTION } from './trust-inputs.ts';

/** The limit of missing blocks. */
export const MAX_FAILURES_OPTION = {
  'max-failures': option.seqno('tolerate up to N blocks that cannot be fetched; one more ends the run; default 10', 0),
} satisfies OptionTable;

/** Source and trust: the same options for an audit and for a worker of a fleet. */
export const AUDIT_SOURCE_OPTIONS = {
  ...under('block source (one of)', {
    'from-files': option.text(
      'DIR|FILE',
      'answers of getMasterchainBlockSignatures in .json files, with blocks or header proofs in .boc files named by seqno; or FILE.ndjson with one line for each block, in order: an answer, or {"answer": ..., "block": base64}',
    ),
    ...HTTP_OPTIONS,
    ...LITE_OPTIONS,
    ...NETWORK_OPTION,
    ...SEVERAL_SERVERS_OPTIONS,
  }),
  ...under('trust (one of)', {
    ...TRUST_OPTIONS,
    ...STALE_START_OPTION,
  }),
} satisfies OptionTable;

/** Range and policy: the same options for an audit and for the plan of a fleet. */
export const AUDIT_RANGE_OPTIONS = {
  from: option.seqno('first block'),
  to: option.seqno('last block'),
  'sign-every': option.count(
    'N',
    1,
    4096,
    'check signatures of every N-th block and of key blocks, and prove the others by their hash links; not with --base-url',
  ),
  ...THRESHOLD_OPTION,
  ...BOUND_ID_OPTION,
  ...UNBOUND_OPTION,
  ...MAX_FAILURES_OPTION,
} satisfies OptionTable;

export type AuditSourceValues = OptionValues<typeof AUDIT_SOURCE_OPTIONS>;
export type AuditRangeValues = OptionValues<typeof AUDIT_RANGE_OPTIONS>;

/** Questions at a time with a shared budget: more would only wait for their turn, and waiting counts. */
const AHEAD_OF_SHARED = 2;

/** Callbacks for questions to servers and for their health. */
export type AuditObservers = Pick<FirstOfOptions, 'onServer' | 'onHealth'>;

async function serverSource(
  options: AuditSourceValues,
  paceOf: PaceOf | undefined,
  { onServer, onHealth }: AuditObservers,
): Promise<AuditSource> {
  const { createServers } = await import('../servers/http-servers.ts'); // a third of all that `audit` reads
  const plan = readSourcePlan('1', options, present({ onServer, paceOf }))!; // a server is given
  const list = createServers(plan).v2;
  const source = list.length === 1 ? list[0]! : firstOf(list, present({ onHealth }));
  const limit = present({ deadlineMs: plan.deadlineMs });
  const header = list.map(
    (server): AskHeader =>
      (seqno, opts) =>
        server.header(seqno, { ...limit, ...opts }),
  );
  return auditServers(source, {
    ...(options.checkpoint === undefined ? {} : { header }),
    ...present({ ahead: paceOf && AHEAD_OF_SHARED }),
  });
}

/**
 * Reads the source, without opening it or asking a server.
 * @param paceOf the budget that all workers of a fleet share for each server; default: each process has its own
 * @returns the source; `close` ends its connections and names the files that it skipped
 * @throws UsageError unless exactly one source is given
 */
export async function readAuditSource(
  options: AuditSourceValues & { readonly json: boolean },
  paceOf?: PaceOf,
  observers: AuditObservers = {},
) {
  const { 'from-files': files, 'base-url': urls, lite, config, 'accept-stale-start': acceptStaleStart } = options;
  const isLite = lite.length > 0 || config !== undefined;
  if ([files !== undefined, urls.length > 0, isLite].filter(Boolean).length !== 1) {
    throw badFlag('from-files', 'expected one of --from-files, --base-url, and --lite or --config');
  }
  if (files !== undefined) {
    if (options.without.length > 0)
      throw badFlag('without', 'requires --base-url, --lite or --config, got --from-files');
    await statSource(files); // checked before a ledger is begun
    const blocks = auditFiles(files);
    return {
      blocks,
      async close() {
        if (blocks.skipped === undefined) return;
        const { count, first } = blocks.skipped;
        const words = `${counted('.boc file', count)} without a number in the path cannot be read`;
        await printEvent('file-skipped', `${words}, the first is ${first.message}`, options.json);
      },
    };
  }
  if (urls.length > 0) return { blocks: await serverSource(options, paceOf, observers), async close() {} };
  const plan = (await readLitePlan(options))!; // one of the options is given
  const clients = openLite(plan, present({ onServer: observers.onServer }));
  return {
    blocks: auditLite(clients, { acceptStaleStart, countEachServer: plan.countEachServer }),
    async close() {
      for (const client of clients) client.close();
    },
  };
}

/** Reads the trust of an audit. @throws UsageError, DecodeError, TrustError */
export async function readAuditTrust(
  options: Pick<AuditSourceValues, 'validators' | 'checkpoint'> & { readonly json: boolean },
): Promise<Pick<AuditOptions, 'validators'> | Pick<AuditOptions, 'checkpoint'>> {
  const { validators, checkpoint } = (await readValidators(options))!; // no server may name the set
  return checkpoint === undefined ? { validators } : { checkpoint };
}

/** Range and policy of an audit, without source and trust. */
export type PlannedAudit = SeqnoRange &
  Pick<AuditOptions, 'whole' | 'signEvery' | 'threshold' | 'acceptUnbound' | 'requireBoundId' | 'maxFailures'>;

export function readAuditPlan(options: AuditRangeValues): PlannedAudit {
  const { from: first, to: last, 'sign-every': signEvery, 'max-failures': maxFailures, threshold } = options;
  const [from, to] = [first!, last!]; // required
  if (to < from) throw badFlag('to', `expected ${from} to ${MAX_SEQNO}, got ${to}`);
  const { 'accept-unbound': acceptUnbound, 'require-bound-id': requireBoundId } = options;
  return { from, to, acceptUnbound, requireBoundId, ...present({ signEvery, maxFailures, threshold }) };
}

/** Returns the part that `--part i/n` names. @throws UsageError */
export function readPart(plan: PlannedAudit, given: string | undefined): PlannedAudit {
  if (given === undefined) return plan;
  const [, index = '0', count = '0'] = /^([1-9][0-9]{0,5})\/([1-9][0-9]{0,5})$/.exec(given) ?? [];
  if (Number(index) < 1 || Number(index) > Number(count)) {
    throw badFlag('part', `expected I/N, as in 1/4, got ${shown(given)}`);
  }
  return withFlagName('--part', () => ({
    ...plan,
    ...partOfRange(plan, Number(index), Number(count), plan.signEvery),
    whole: { from: plan.from, to: plan.to },
  }));
}
