/** Defines options that mean the same in every command that has them. */
import { flagRow, hashRow, needing, type OptionTable, oneOfRow, seqnoRow, textRow, textRows } from './option-rows.ts';

export const JSON_OPTION = {
  json: flagRow('print the result as one JSON object; its schema is in schemas/'),
} satisfies OptionTable;

/** Options that name what is trusted. */
export const TRUST_OPTIONS = {
  validators: textRow('FILE', 'validator set: { main, validators: [...] } or { publicKey: weight }'),
  checkpoint: textRow('FILE', 'checkpoint that proves the validator set, see ton-finality checkpoint'),
} satisfies OptionTable;

/** Servers of either kind. */
const SERVERS = ['base-url', 'lite', 'config'];

export const NETWORK_OPTION = needing(SERVERS, {
  network: oneOfRow(['mainnet', 'testnet'], 'reject servers of a different network'),
});

/** Options that say which of several servers count, and as how many. */
export const SEVERAL_SERVERS_OPTIONS = needing(SERVERS, {
  'count-each-server': flagRow(
    'count each server as a witness; by default the servers of one address block (/24, /48) or host name count as one',
  ),
  without: textRows('SERVER', 'exclude a server, written as HOST:PORT or as messages name it; repeatable'),
});

/** Options of several servers, for commands that look for forks. */
export const ASKED_SERVERS_OPTIONS = {
  ...SEVERAL_SERVERS_OPTIONS,
  ...needing(SERVERS, {
    evidence: textRow(
      'FILE',
      'write fork evidence here if two blocks of one number are signed; default fork-evidence-SEQNO.json',
    ),
  }),
};

/** Options for comparing one block with the reports of other servers. */
export const WITNESS_OPTIONS = {
  ...needing(SERVERS, {
    witnesses: textRow(
      'K',
      'require K other servers to name the same block, else the verdict is undecided; --strict requires one',
    ),
  }),
  ...ASKED_SERVERS_OPTIONS,
};

export const STRICT_OPTION = {
  strict: flagRow(
    'for releasing funds: require a proven header and validator set, a bound block id, a recent block and, with servers, a witness; allow no exception',
  ),
} satisfies OptionTable;

export const STALE_START_OPTION = {
  'accept-stale-start': flagRow(
    'exception: accept a start whose validators can have withdrawn their stakes, without two more servers. An attacker with the old keys could forge every later block',
  ),
} satisfies OptionTable;

export const EXPECT_OPTIONS = {
  'expect-root-hash': hashRow('reject an answer about a block with a different root hash'),
  'expect-file-hash': hashRow('reject an answer about a block with a different file hash'),
} satisfies OptionTable;

export const QUIET_OPTION = { quiet: flagRow('print no progress') } satisfies OptionTable;

/** The first and the last block. */
export const RANGE_OPTIONS = {
  from: seqnoRow('first block'),
  to: seqnoRow('last block'),
} satisfies OptionTable;
