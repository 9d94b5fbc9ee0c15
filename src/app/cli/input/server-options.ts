/** Reads the options of `verify` that name servers. It asks no server. */
import { UsageError } from '../../../core/base/errors.ts';
import { MAX_SEQNO, QUESTIONS_IN_FLIGHT } from '../../../core/base/limits.ts';
import { present } from '../../../core/base/present.ts';
import { createPace, type Pace } from '../../../net/async/pace.ts';
import { type Speaker, voicesOf } from '../../../net/machine/witness-count.ts';
import type { Verification } from '../../../net/sources/verify-from.ts';
import type { ToncenterOptions } from '../../../net/toncenter/toncenter-options.ts';
import { badFlag, needing, type OptionTable, type OptionValues, option, shown } from './option-rows.ts';
import { NETWORK_OPTION, type STRICT_OPTION, type WITNESS_OPTIONS } from './shared-options.ts';

/** Servers over HTTP, and how they are asked. */
export const HTTP_OPTIONS = {
  'base-url': option.texts('URL', 'API v2 base URL, as in https://host/api/v2; repeatable: servers are tried in order'),
  ...needing(['base-url'], {
    'api-key-env': option.texts(
      'NAME',
      'environment variable that holds the API key of the first URL; repeat for the next URL; - for no key',
    ),
    'allow-http': option.flag('allow plain http to other machines (this machine is always allowed)'),
    rate: option.decimal('N', 0.01, 1000, 'requests per second and server; default 1 without a key, 10 with a key'),
    deadline: option.decimal('SECONDS', 0.1, 3600, 'time limit of one request with its retries; default 30'),
  }),
} satisfies OptionTable;

export const SOURCE_OPTIONS = {
  ...HTTP_OPTIONS,
  ...NETWORK_OPTION,
  ...needing(['base-url'], {
    quorum: option.count('K', 1, 9999, 'require K servers to name the same block'),
    'v3-url': option.text('URL', 'compare the block id with an API v3 server'),
    'validators-from': option.oneOf(
      ['server'],
      'fetch the validator set from the server too; undecided without --accept-claimed',
    ),
    save: option.text('DIR', 'save every response as received, to repeat the run offline'),
  }),
} satisfies OptionTable;

export type SourceValues = OptionValues<typeof HTTP_OPTIONS & typeof NETWORK_OPTION> &
  Partial<OptionValues<typeof SOURCE_OPTIONS> & Pick<OptionValues<typeof WITNESS_OPTIONS>, 'without'>>;

/** The block to ask for. */
export type Wanted = number | 'latest';

export type SourcePlan = Readonly<NonNullable<ReturnType<typeof readSourcePlan>>>;

/** Returns `latest` or a seqno; `undefined` for anything else, which is a file. */
export function readSeqnoOrLatest(word: string): Wanted | undefined {
  if (word === 'latest') return 'latest';
  if (!/^[0-9]+$/.test(word)) return undefined;
  const seqno = Number(word);
  if (seqno > 0 && seqno <= MAX_SEQNO) return seqno;
  throw new UsageError('usage/bad-option', `expected a seqno from 1 to ${MAX_SEQNO}, got ${word.slice(0, 80)}`);
}

function readKey(name: string, at: number): string {
  const key = process.env[name]?.trim();
  if (key === undefined || key === '') {
    // The text may be the key itself, so the message does not repeat it.
    const message = `the environment variable for the key of --base-url ${at + 1} is not set`;
    throw badFlag('api-key-env', message, 'pass the name of the variable, not the key');
  }
  return key;
}

/** Returns the host of a URL, or an invalid text unchanged: `createEndpoint` reports it. */
function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

/** Makes the budget of requests that servers of one host share. */
export type PaceOf = (host: string, requestsPerSecond: number, concurrency: number) => Pace;

const ownPace: PaceOf = (_, requestsPerSecond, concurrency) => createPace({ requestsPerSecond, concurrency });

/** @param which says what the most is @throws UsageError if more servers must agree than there are */
export function requireQuorum(need: number | undefined, most: number, which: string): void {
  if ((need ?? 0) > most) throw badFlag('quorum', `expected 1 to ${most}, ${which}, got ${need}`);
}

/** @throws UsageError when servers are named but not needed, or needed but not named */
export function readSourcePlan(
  word: string,
  options: SourceValues,
  { paceOf = ownPace, ...hooks }: Pick<ToncenterOptions, 'onAnswer' | 'onServer'> & { readonly paceOf?: PaceOf } = {},
) {
  const { 'base-url': urls, 'api-key-env': keyNames, rate, deadline, quorum: need, 'v3-url': v3Url } = options;
  const wanted = readSeqnoOrLatest(word);
  if (urls.length === 0) {
    if (wanted === undefined) return undefined;
    const block = wanted === 'latest' ? 'the newest block' : `block ${word}`;
    const hint = `pass --base-url URL, or --lite or --config for lite servers; if you mean a file of that name, write ./${word}`;
    throw badFlag('base-url', `expected a server to fetch ${block} from`, hint);
  }
  if (wanted === undefined) {
    throw badFlag('base-url', 'requires a SEQNO or latest, got a file', 'remove this option to verify a file offline');
  }
  if (keyNames.length > urls.length) throw badFlag('api-key-env', 'expected at most one for each --base-url');
  const deadlineMs = deadline && 1000 * deadline;
  const retries = urls.length > 1 ? 1 : undefined; // if another server can be asked, one retry is enough
  const common = { ...hooks, allowHttp: options['allow-http'], ...present({ retries, deadlineMs }) };
  const paces = new Map<string, Pace>();
  const keys = urls.map((_, at) => {
    const name = keyNames[at];
    return name === undefined || name === '-' ? undefined : readKey(name, at);
  });
  const serverWith = (baseUrl: string, apiKey: string | undefined): ToncenterOptions => {
    // v2 and v3 of one host share the limit of a key, and so do all questions without a key.
    const counted = JSON.stringify([originOf(baseUrl), apiKey]);
    const [perSecond, atOnce] = apiKey === undefined ? [1, 1] : [10, QUESTIONS_IN_FLIGHT];
    const pace = paces.get(counted) ?? paceOf(originOf(baseUrl), rate ?? perSecond, atOnce);
    paces.set(counted, pace);
    return { baseUrl, pace, ...common, ...present({ apiKey }) };
  };
  /** Sends a key only to the host of its URL. If one host has several keys, v3 gets none. */
  const keyForV3 = (v3Url: string): string | undefined => {
    const ofHost = new Set(keys.filter((_, at) => originOf(urls[at]!) === originOf(v3Url)));
    return ofHost.size === 1 ? [...ofHost][0] : undefined;
  };
  requireQuorum(need, urls.length, 'the number of --base-url');
  return {
    wanted,
    v2: urls.map((url, at) => serverWith(url, keys[at])),
    v3: v3Url === undefined ? undefined : serverWith(v3Url, keyForV3(v3Url)),
    /** Milliseconds for one question; `undefined`: the default of each source. */
    deadlineMs,
    /** How many servers must agree; `undefined`: one, and the next one after a failure. */
    need,
    network: options.network,
    claimedSet: options['validators-from'] !== undefined,
    /** Servers to leave out, by host or label. */
    without: options.without ?? [],
  };
}

const ONE_VOICE =
  'servers of one address block or host name count as one witness; pass --count-each-server to count each';

/** How one block is compared with the reports of other servers. */
export type WitnessFlags = Required<Pick<Verification, 'witnesses' | 'countEachServer' | 'nowSeconds'>>;

/** Reads how many other servers have to name a block, at most as many as there are. @throws UsageError */
export function readWitnesses(text: string | undefined, most: number): number | undefined {
  if (text === undefined) return undefined;
  if (most < 1 && /^[1-9]/.test(text)) {
    const message = `expected 0, because no other server counts as a witness, got ${shown(text)}`;
    throw badFlag('witnesses', message, `name one more server; ${ONE_VOICE}`);
  }
  return option.count('K', 0, Math.max(0, most), '').read([text], 'witnesses');
}

/** @throws UsageError for more witnesses than there can be */
export function readWitnessTerms(
  options: OptionValues<typeof WITNESS_OPTIONS & typeof STRICT_OPTION>,
  asked: { readonly v2: readonly Speaker[]; readonly v3: Speaker | undefined } | undefined,
  nowSeconds: number = Date.now() / 1000,
): WitnessFlags {
  if (asked === undefined) return { witnesses: 0, countEachServer: false, nowSeconds };
  const countEachServer = options['count-each-server'];
  const servers = asked.v3 === undefined ? asked.v2 : [...asked.v2, asked.v3];
  const others = voicesOf(servers, undefined, countEachServer) - 1;
  const witnesses = readWitnesses(options.witnesses, others) ?? Number(options.strict);
  if (witnesses > others) {
    const hint = servers.length > 1 ? ONE_VOICE : 'at least one other server must name the block';
    throw badFlag('strict', 'expected one more server, got only --base-url', hint);
  }
  return { witnesses, countEachServer, nowSeconds };
}
