/** The options of `verify` that name servers, and what they come to. Asks nobody. */
import { UsageError } from '../../../core/base/errors.ts';
import { MAX_SEQNO, QUESTIONS_IN_FLIGHT } from '../../../core/base/limits.ts';
import { createPace, type Pace } from '../../../net/async/pace.ts';
import { type Speaker, voicesOf } from '../../../net/machine/voices.ts';
import { isNetwork, type Network } from '../../../net/sources/network-guard.ts';
import type { RecordedAnswer, ToncenterOptions } from '../../../net/toncenter/toncenter-options.ts';
import { readCount } from './counts.ts';
import type { OptionTable, ParsedOptions } from './options.ts';

export const SOURCE_OPTIONS = {
  'base-url': { type: 'string', multiple: true },
  'v3-url': { type: 'string' },
  quorum: { type: 'string' },
  'api-key-env': { type: 'string', multiple: true },
  'allow-http': { type: 'boolean' },
  network: { type: 'string' },
  rate: { type: 'string' },
  deadline: { type: 'string' },
  save: { type: 'string' },
  'validators-from': { type: 'string' },
} as const satisfies OptionTable;

/** What a command asks of the servers beside the one that gives a block. */
export const WITNESS_OPTIONS = {
  witnesses: { type: 'string' },
  'count-each-server': { type: 'boolean' },
  without: { type: 'string', multiple: true },
  evidence: { type: 'string' },
} as const satisfies OptionTable;

export const WITNESS_USAGE = `  --witnesses K                     K other servers must name the same block, else it is undecided; --strict asks for one
  --count-each-server               servers of one address block (/24, /48) or host name are a witness each, and not one
  --without SERVER                  leave out a server, by its host or as messages name it; may be given again
  --evidence FILE                   where evidence goes if two blocks of one number are signed; default
                                    fork-evidence-SEQNO.json`;

export const SOURCE_USAGE = `from servers: SEQNO or latest instead of FILE
  --base-url URL                    API v2, whole, as in https://host/api/v2; several: in order, the next on failure
  --quorum K                        K of them must name the same block
  --v3-url URL                      compare the block id with an API v3 server
  --api-key-env NAME                environment variable with the key of the first URL; again for the second; - for none
  --network mainnet|testnet         refuse servers of another network
  --validators-from server          take the set from the server too: undecided, unless --accept-claimed
  --rate N                          requests a second and server, 0.01 to 1000; default 1 without a key, 10 with one
  --deadline SECONDS                for one question with all its attempts, 0.1 to 3600; default 30
  --allow-http                      plain http to other machines; to this one it is always allowed
  --save DIR                        keep every body as it came, to repeat the run offline
${WITNESS_USAGE}`;

export type SourceValues = ParsedOptions<typeof SOURCE_OPTIONS>['values'] &
  Partial<Pick<ParsedOptions<typeof WITNESS_OPTIONS>['values'], 'without'>>;

/** What the servers are asked for. */
export type Wanted = number | 'latest';

export interface SourcePlan {
  readonly wanted: Wanted;
  readonly v2: readonly ToncenterOptions[];
  readonly v3: ToncenterOptions | undefined;
  /** Milliseconds for one question; `undefined`: the default of each. */
  readonly deadlineMs: number | undefined;
  /** How many must agree; `undefined`: in order, the next on failure. */
  readonly need: number | undefined;
  readonly network: Network | undefined;
  readonly claimedSet: boolean;
  /** Servers to leave out, by host or label. */
  readonly without: readonly string[];
  readonly saveTo: string | undefined;
}

function bad(option: string, message: string, hint?: string): UsageError {
  return new UsageError('usage/bad-option', message, { path: `--${option}`, hint });
}

/** `latest` or a seqno; `undefined` for anything else, which is a file. */
export function readWanted(word: string): Wanted | undefined {
  if (word === 'latest') return 'latest';
  if (!/^[0-9]+$/.test(word)) return undefined;
  const seqno = Number(word);
  if (seqno > 0 && seqno <= MAX_SEQNO) return seqno;
  throw new UsageError('usage/bad-option', `expected a seqno from 1 to ${MAX_SEQNO}, got ${word.slice(0, 80)}`);
}

function readKey(name: string, at: number): string {
  const key = process.env[name]?.trim();
  if (key === undefined || key === '') {
    // What was given may be the key itself, so it is not repeated.
    throw bad(
      'api-key-env',
      `the environment variable named for the key of --base-url ${at + 1} is not set`,
      'give the name of the variable, not the key',
    );
  }
  return key;
}

/** Beyond these a wait has no end that anybody sees, or the timers of this machine no longer keep up. */
const BOUNDS = { rate: [0.01, 1000], deadline: [0.1, 3600] } as const;

function readBounded(option: keyof typeof BOUNDS, text: string): number {
  const [least, most] = BOUNDS[option];
  const value = /^[0-9]{1,9}(?:\.[0-9]{1,9})?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw bad(option, `expected ${least} to ${most}, got ${JSON.stringify(text.slice(0, 80))}`);
}

function readNeed(text: string | undefined, count: number): number | undefined {
  if (text === undefined) return undefined;
  const need = /^[0-9]{1,4}$/.test(text) ? Number(text) : 0;
  if (need >= 1 && need <= count) return need;
  throw bad('quorum', `expected 1 to ${count}, the number of --base-url, got ${JSON.stringify(text.slice(0, 80))}`);
}

function readNetwork(name: string | undefined): Network | undefined {
  if (name === undefined || isNetwork(name)) return name;
  throw bad('network', `expected mainnet or testnet, got ${JSON.stringify(name.slice(0, 80))}`);
}

/** Host of a URL, or the text itself where it is none: `createEndpoint` has the words for that. */
function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

/** @throws UsageError when servers are named but not needed, or needed but not named */
export function readSourcePlan(
  word: string,
  options: SourceValues,
  onAnswer: (answer: RecordedAnswer) => void,
): SourcePlan | undefined {
  const urls = options['base-url'] ?? [];
  const wanted = readWanted(word);
  if (urls.length === 0) {
    const surplus = Object.keys(SOURCE_OPTIONS).find((name) => options[name as keyof SourceValues] !== undefined); // its own keys
    if (surplus !== undefined) throw bad(surplus, 'expected --base-url with it', 'it is for blocks from a server');
    if (wanted === undefined) return undefined;
    throw bad('base-url', `expected a server to fetch block ${word} from`, `for a file of that name write ./${word}`);
  }
  if (wanted === undefined) {
    throw bad('base-url', 'expected a SEQNO or latest with it, got a file', 'leave it out to verify a file offline');
  }
  const keyNames = options['api-key-env'] ?? [];
  if (keyNames.length > urls.length) throw bad('api-key-env', 'expected at most one for each --base-url');
  if (options['validators-from'] !== undefined && options['validators-from'] !== 'server') {
    throw bad('validators-from', `expected server, got ${JSON.stringify(options['validators-from'].slice(0, 80))}`);
  }
  const deadlineMs = options.deadline === undefined ? undefined : 1000 * readBounded('deadline', options.deadline);
  const common = {
    onAnswer,
    allowHttp: options['allow-http'] === true,
    // With another server to ask, it is not worth asking this one four times.
    ...(urls.length > 1 ? { retries: 1 } : {}),
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
  };
  const rate = options.rate === undefined ? undefined : readBounded('rate', options.rate);
  const paces = new Map<string, Pace>();
  const keys = urls.map((_, at) => {
    const name = keyNames[at];
    return name === undefined || name === '-' ? undefined : readKey(name, at);
  });
  const serverWith = (baseUrl: string, apiKey: string | undefined): ToncenterOptions => {
    // v2 and v3 of one host count as one against the limit of a key, and so do all questions without one.
    const counted = JSON.stringify([originOf(baseUrl), apiKey]);
    const pace =
      paces.get(counted) ??
      createPace({
        requestsPerSecond: rate ?? (apiKey === undefined ? 1 : 10),
        concurrency: apiKey === undefined ? 1 : QUESTIONS_IN_FLIGHT,
      });
    paces.set(counted, pace);
    return { baseUrl, pace, ...common, ...(apiKey === undefined ? {} : { apiKey }) };
  };
  /** A key goes to the host it was given for and to no other; of several for one host none is meant for v3. */
  const keyForV3 = (v3Url: string): string | undefined => {
    const ofHost = new Set(keys.filter((_, at) => originOf(urls[at]!) === originOf(v3Url)));
    return ofHost.size === 1 ? [...ofHost][0] : undefined;
  };
  const v3Url = options['v3-url'];
  return {
    wanted,
    v2: urls.map((url, at) => serverWith(url, keys[at])),
    v3: v3Url === undefined ? undefined : serverWith(v3Url, keyForV3(v3Url)),
    deadlineMs,
    need: readNeed(options.quorum, urls.length),
    network: readNetwork(options.network),
    claimedSet: options['validators-from'] === 'server',
    without: options.without ?? [],
    saveTo: options.save,
  };
}

const ONE_VOICE = 'servers of one address block or host name are one witness; --count-each-server counts each';

/** What one block is held against, beside its signatures. */
export interface WitnessTerms {
  readonly witnesses: number;
  readonly countEachServer: boolean;
  /** Unix seconds, by which the set is past its stakes or not. */
  readonly nowSeconds: number;
}

/** @throws UsageError for options about other servers where none is asked, and for more witnesses than there can be */
export function readWitnessTerms(
  options: ParsedOptions<typeof WITNESS_OPTIONS>['values'] & { readonly strict?: boolean },
  plan: { readonly v2: readonly Speaker[]; readonly v3: Speaker | undefined } | undefined,
  nowSeconds: number = Date.now() / 1000,
): WitnessTerms {
  const { witnesses, strict } = options;
  if (plan === undefined) {
    const [surplus] = Object.keys(WITNESS_OPTIONS).filter((name) => Object.hasOwn(options, name));
    if (surplus !== undefined) throw bad(surplus, 'expected --base-url with it', 'it is for blocks from a server');
    return { witnesses: 0, countEachServer: false, nowSeconds };
  }
  const countEachServer = options['count-each-server'] === true;
  const servers = [...plan.v2, ...(plan.v3 === undefined ? [] : [plan.v3])];
  const others = voicesOf(servers, undefined, countEachServer) - 1;
  const count = witnesses === undefined ? Number(strict === true) : readCount('witnesses', witnesses, 0, others);
  if (count > others) {
    const hint = servers.length > 1 ? ONE_VOICE : 'at least one other server has to name the block';
    throw bad('strict', 'expected another server beside --base-url', hint);
  }
  return { witnesses: count, countEachServer, nowSeconds };
}
