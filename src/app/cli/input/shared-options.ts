/** Defines options that mean the same in every command that has them. */
import { needing, type OptionTable, option } from './option-rows.ts';

export const JSON_OPTION = {
  json: option.flag('print the result as one JSON object, see docs/formats.md'),
} satisfies OptionTable;

/** Options that name what is trusted. */
export const TRUST_OPTIONS = {
  validators: option.text('FILE', 'validator set: { main, validators: [...] } or { publicKey: weight }'),
  checkpoint: option.text('FILE', 'checkpoint that proves the validator set, see ton-finality checkpoint'),
} satisfies OptionTable;

/** Servers of either kind. */
const SERVERS = ['base-url', 'lite', 'config'];

export const NETWORK_OPTION = needing(SERVERS, {
  network: option.oneOf(['mainnet', 'testnet'], 'reject servers of a different network'),
});

/** Options that say which of several servers count, and as how many. */
export const SEVERAL_SERVERS_OPTIONS = needing(SERVERS, {
  'count-each-server': option.flag(
    'count each server as a witness; by default the servers of one address block (/24, /48) or host name count as one',
  ),
  without: option.texts('SERVER', 'exclude a server, written as HOST:PORT or as messages name it; repeatable'),
});

/** Options of several servers, for commands that look for forks. */
const ASKED_SERVERS_OPTIONS = {
  ...SEVERAL_SERVERS_OPTIONS,
  ...needing(SERVERS, {
    evidence: option.text(
      'FILE',
      'write fork evidence here if two blocks of one number are signed; default fork-evidence-SEQNO.json',
    ),
  }),
};

/** Options for comparing one block with the reports of other servers. */
export const WITNESS_OPTIONS = {
  ...needing(SERVERS, {
    witnesses: option.text(
      'K',
      'require K other servers to name the same block, else the verdict is undecided; --strict requires one',
    ),
  }),
  ...ASKED_SERVERS_OPTIONS,
};

export const STRICT_OPTION = {
  strict: {
    ...option.flag(
      'for releasing funds: require a proven header and validator set, a bound block id, a recent block and, with servers, a witness; allow no exception',
    ),
    not: ['accept-stale-start'],
  },
} satisfies OptionTable;

export const STALE_START_OPTION = {
  'accept-stale-start': option.flag(
    'exception: accept a start whose validators can have withdrawn their stakes, without two more servers. An attacker with the old keys could forge every later block',
  ),
} satisfies OptionTable;

export const EXPECT_OPTIONS = {
  'expect-root-hash': option.hash('reject an answer about a block with a different root hash'),
  'expect-file-hash': option.hash('reject an answer about a block with a different file hash'),
} satisfies OptionTable;

export const QUIET_OPTION = { quiet: option.flag('print no progress') } satisfies OptionTable;
