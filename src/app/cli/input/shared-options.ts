/** Options that mean the same in every command that has them, each in one place. */
import { flag, hash, needing, type OptionTable, oneOf, seqno, text, texts } from './option-rows.ts';

export const JSON_OPTION = { json: flag('the result as one object, its schema in schemas/') } satisfies OptionTable;

/** Who is believed. */
export const TRUST_OPTIONS = {
  validators: text('FILE', 'the set as { main, validators: [...] } or { publicKey: weight }'),
  checkpoint: text('FILE', 'the set proven by a checkpoint, see ton-finality checkpoint'),
} satisfies OptionTable;

/** Servers of either kind. */
const SERVERS = ['base-url', 'lite', 'config'];

export const NETWORK_OPTION = needing(SERVERS, {
  network: oneOf(['mainnet', 'testnet'], 'refuse servers of another network'),
});

/** Which of several servers count, and as how many. */
export const SEVERAL_SERVERS_OPTIONS = needing(SERVERS, {
  'count-each-server': flag('servers of one address block (/24, /48) or host name are a witness each, and not one'),
  without: texts('SERVER', 'leave out a server, by its host and port or as messages name it; may be given again'),
});

/** The same where forks are looked for. */
export const ASKED_SERVERS_OPTIONS = {
  ...SEVERAL_SERVERS_OPTIONS,
  ...needing(SERVERS, {
    evidence: text(
      'FILE',
      'where evidence goes if two blocks of one number are signed; default fork-evidence-SEQNO.json',
    ),
  }),
};

/** What one block is held against beside its signatures: the words of other servers. */
export const WITNESS_OPTIONS = {
  ...needing(SERVERS, {
    witnesses: text('K', 'K other servers must name the same block, else it is undecided; --strict asks for one'),
  }),
  ...ASKED_SERVERS_OPTIONS,
};

export const STRICT_OPTION = {
  strict: flag('for money: a proven header and set, a bound id, a young block, a witness among servers; no exception'),
} satisfies OptionTable;

export const STALE_START_OPTION = {
  'accept-stale-start': flag(
    "exception: a start older than its set's stakes, without two more servers. Who has the old keys could have made all that follows",
  ),
} satisfies OptionTable;

export const EXPECT_OPTIONS = {
  'expect-root-hash': hash('refuse an answer about another block'),
  'expect-file-hash': hash('the same by its other hash'),
} satisfies OptionTable;

export const QUIET_OPTION = { quiet: flag('no progress') } satisfies OptionTable;

/** The first and the last block. */
export const RANGE_OPTIONS = {
  from: seqno('the first block'),
  to: seqno('the last block'),
} satisfies OptionTable;
