/** What `audit` is told on the command line: the range, where the blocks are, who is believed, how it is judged. */
import { existsSync } from 'node:fs';
import { UsageError } from '../../../core/base/errors.ts';
import { MAX_SEQNO } from '../../../core/base/limits.ts';
import type { Pace } from '../../../net/async/pace.ts';
import { connectLite } from '../../../net/lite/client.ts';
import { type FirstOfOptions, firstOf } from '../../../net/sources/first-of.ts';
import type { ToncenterOptions } from '../../../net/toncenter/toncenter-options.ts';
import type { AuditSource } from '../../audit/audit-source.ts';
import { auditFiles } from '../../audit/file-source.ts';
import { auditServers } from '../../audit/http-source.ts';
import { auditLite } from '../../audit/lite-source.ts';
import type { AuditOptions } from '../../audit/options.ts';
import { partOfRange, type SeqnoRange } from '../../audit/split-range.ts';
import { askInOrder, createServers } from '../servers.ts';
import { readCount } from './counts.ts';
import { withFlagName } from './error-with-flag.ts';
import { InputLog } from './input-log.ts';
import { LITE_OPTIONS, LITE_USAGE, readLitePlan } from './lite-options.ts';
import { type OptionTable, type ParsedOptions, readThresholdOption } from './options.ts';
import { readSourcePlan } from './server-options.ts';
import { readValidators } from './verify-inputs.ts';

/** Where blocks come from, and who is believed: the same for an audit and for a worker of a fleet. */
export const AUDIT_SOURCE_OPTIONS = {
  ...LITE_OPTIONS,
  'from-files': { type: 'string' },
  'base-url': { type: 'string', multiple: true },
  'api-key-env': { type: 'string', multiple: true },
  'allow-http': { type: 'boolean' },
  network: { type: 'string' },
  rate: { type: 'string' },
  deadline: { type: 'string' },
  validators: { type: 'string' },
  checkpoint: { type: 'string' },
  'accept-stale-start': { type: 'boolean' },
} as const satisfies OptionTable;

/** What is audited: the same for an audit and for the plan of a fleet. */
export const AUDIT_RANGE_OPTIONS = {
  from: { type: 'string' },
  to: { type: 'string' },
  'sign-every': { type: 'string' },
  threshold: { type: 'string' },
  'accept-unbound': { type: 'boolean' },
  'max-failures': { type: 'string' },
} as const satisfies OptionTable;

export const AUDIT_SOURCE_USAGE = `where the blocks are: one of
  --from-files DIR|FILE             answers of getMasterchainBlockSignatures in .json files, with blocks or proofs of their headers
                                    in .boc files named by seqno; or FILE.ndjson, a line a block, in order: an answer, or
                                    {"answer": ..., "block": base64}
  --base-url URL                    API v2, whole, as in https://host/api/v2; several: in order, the next on failure; with
                                    --api-key-env NAME, --rate N, --deadline SECONDS, --network NAME, --allow-http as in verify
${LITE_USAGE}

who is believed: one of
  --validators FILE                 one set for all blocks, which you vouch for
  --checkpoint FILE                 sets are proven from there on, from key block to key block; over --base-url, which serves
                                    no proofs, it covers the blocks up to the next key block
  --accept-stale-start              exception, lite servers: a checkpoint older than its set's stakes, without two more servers`;

export const AUDIT_RANGE_USAGE = `  --from N --to N                   first and last block
  --sign-every N                    signatures of every N-th block and of key blocks, the others by the hashes that lead down
                                    to them; not over --base-url
  --threshold N/D                   more than N/D of the weight must have signed, at least 2/3
  --accept-unbound                  exception: a server's word for the number of a block whose signatures do not cover it
  --max-failures N                  blocks that cannot be had and are written down as that; one more ends the run; default 10`;

export type AuditSourceValues = ParsedOptions<typeof AUDIT_SOURCE_OPTIONS>['values'];
export type AuditRangeValues = ParsedOptions<typeof AUDIT_RANGE_OPTIONS>['values'];

function bad(option: string, message: string, hint = 'see ton-finality audit --help'): UsageError {
  return new UsageError('usage/bad-option', message, { path: `--${option}`, hint });
}

export interface OpenedSource {
  readonly blocks: AuditSource;
  close(): void;
}

/** The budget that all workers of a fleet share, by server, in place of each process's own. */
export type SharedPace = ((server: string, requestsPerSecond: number) => Pace) | undefined;

/** Questions at a time where the budget is shared: more would only wait for their turn, and that counts. */
const AHEAD_OF_SHARED = 2;

/** Who is told of questions to servers, and of how they do. */
export type AuditObservers = Pick<FirstOfOptions, 'onServer' | 'onHealth'>;

async function serverSource(
  options: AuditSourceValues,
  pace: SharedPace,
  { onServer, onHealth }: AuditObservers,
): Promise<OpenedSource> {
  const { rate } = options;
  const plan = readSourcePlan('1', options, () => {});
  if (plan === undefined) throw new TypeError('no server'); // one was named
  const shared = (given: ToncenterOptions): ToncenterOptions => {
    const one = onServer === undefined ? given : { ...given, onServer };
    const { baseUrl, apiKey } = one;
    if (pace === undefined || !URL.canParse(baseUrl)) return one;
    const perSecond = rate === undefined ? (apiKey === undefined ? 1 : 10) : Number(rate); // readSourcePlan has looked at it
    return { ...one, pace: pace(new URL(baseUrl).origin, perSecond) };
  };
  const list = createServers({ ...plan, v2: plan.v2.map(shared) }).v2;
  const [only] = list;
  const source =
    only !== undefined && list.length === 1 ? only : firstOf(list, onHealth === undefined ? {} : { onHealth });
  const limit = { deadlineMs: plan.deadlineMs };
  const header = async (seqno: number) =>
    (await askInOrder(list, (one, opts) => one.header(seqno, opts), [], limit)).answer;
  const more = {
    ...(options.checkpoint === undefined ? {} : { header }),
    ...(pace === undefined ? {} : { ahead: AHEAD_OF_SHARED }),
  };
  return { blocks: auditServers(source, more), close() {} };
}

/** Opens nothing yet, and asks nobody. @throws UsageError unless there is exactly one place to take blocks from */
export async function readAuditSource(
  options: AuditSourceValues,
  pace?: SharedPace,
  observers: AuditObservers = {},
): Promise<OpenedSource> {
  const { 'from-files': files, 'base-url': urls, lite, config, 'accept-stale-start': acceptStaleStart } = options;
  const isLite = lite !== undefined || config !== undefined;
  if ([files !== undefined, urls !== undefined, isLite].filter(Boolean).length !== 1) {
    throw bad('from-files', 'expected one of --from-files, --base-url, and --lite or --config');
  }
  if (files !== undefined) {
    if (options.without !== undefined) throw bad('without', 'expected servers beside it, got --from-files');
    if (!existsSync(files)) throw bad('from-files', `${files}: no such file or folder`); // before a ledger is begun
    return { blocks: auditFiles(files), close() {} };
  }
  if (urls !== undefined) return await serverSource(options, pace, observers);
  const plan = await readLitePlan(options);
  if (plan === undefined) throw new TypeError('no lite server'); // one of the options was seen
  const network = plan.network === undefined ? {} : { network: plan.network };
  const onServer = observers.onServer === undefined ? {} : { onServer: observers.onServer };
  const clients = plan.servers.map((server) => connectLite(server, { ...network, ...onServer }));
  return {
    blocks: auditLite(clients, { acceptStaleStart: acceptStaleStart === true, countEachServer: plan.countEachServer }),
    close() {
      for (const client of clients) client.close();
    },
  };
}

/** @throws UsageError, DecodeError, TrustError */
export async function readAuditTrust(
  options: Pick<AuditSourceValues, 'validators' | 'checkpoint'>,
): Promise<Pick<AuditOptions, 'validators'> | Pick<AuditOptions, 'checkpoint'>> {
  const { validators, checkpoint } = options;
  const named = await readValidators(
    { ...(validators === undefined ? {} : { validators }), ...(checkpoint === undefined ? {} : { checkpoint }) },
    new InputLog(),
  );
  if (named === undefined) throw new TypeError('no set'); // only --validators-from gives none
  return named.checkpoint === undefined ? { validators: named.validators } : { checkpoint: named.checkpoint };
}

/** The same for a ledger, which may name the one set itself. @throws UsageError, DecodeError, TrustError */
export async function readOwnTrust(
  options: AuditSourceValues,
): Promise<Pick<AuditOptions, 'validators'> | Pick<AuditOptions, 'checkpoint'>> {
  return options.validators === undefined && options.checkpoint === undefined ? {} : await readAuditTrust(options);
}

/** What is audited, without where and by whom. */
export type AuditPlan = SeqnoRange &
  Pick<AuditOptions, 'whole' | 'signEvery' | 'threshold' | 'acceptUnbound' | 'maxFailures'>;

/** `--max-failures`, of one audit or of parts that are joined. @throws UsageError */
export function readFailureLimit(failures: string | undefined): { readonly maxFailures?: number } {
  return failures === undefined ? {} : { maxFailures: readCount('max-failures', failures, 0, MAX_SEQNO) };
}

/** @throws UsageError */
export function readAuditPlan(options: AuditRangeValues): AuditPlan {
  const { from, to, 'sign-every': every, 'max-failures': failures, threshold } = options;
  if (from === undefined || to === undefined)
    throw bad(from === undefined ? 'from' : 'to', 'expected --from N and --to N');
  const first = readCount('from', from, 1, MAX_SEQNO);
  return {
    from: first,
    to: readCount('to', to, first, MAX_SEQNO),
    ...(every === undefined ? {} : { signEvery: readCount('sign-every', every, 1, 4096) }),
    ...readFailureLimit(failures),
    ...(threshold === undefined ? {} : { threshold: readThresholdOption('threshold', threshold) }),
    ...(options['accept-unbound'] === true ? { acceptUnbound: true } : {}),
  };
}

/** The part that `--shard i/n` names. @throws UsageError */
export function readPart(plan: AuditPlan, text: string | undefined): AuditPlan {
  if (text === undefined) return plan;
  const [, index = '0', count = '0'] = /^([1-9][0-9]{0,5})\/([1-9][0-9]{0,5})$/.exec(text) ?? [];
  if (Number(index) < 1 || Number(index) > Number(count)) {
    throw bad('shard', `expected I/N, as in 1/4, got ${JSON.stringify(text.slice(0, 80))}`);
  }
  return withFlagName('--shard', () => ({
    ...plan,
    ...partOfRange(plan, Number(index), Number(count), plan.signEvery),
    whole: { from: plan.from, to: plan.to },
  }));
}
