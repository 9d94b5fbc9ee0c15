/** `ton-finality validators`: prints the set in a configuration, key block, state, proof or checkpoint, as JSON. */
import { encodeHex } from '../../../core/base/bytes.ts';
import { UsageError } from '../../../core/base/errors.ts';
import { isObject } from '../../../core/base/json-structure.ts';
import { parseJsonBytes } from '../../../core/base/json-text.ts';
import { isCheckpointJson, parseCheckpoint } from '../../../core/chain/checkpoint.ts';
import { findValidatorList } from '../../../core/chain/find-validator-list.ts';
import type { ValidatorSetTime } from '../../../core/validators/config-params.ts';
import { type ConfigReading, validatorConfigFromJson } from '../../../core/validators/from-config-json.ts';
import { type OptionTable, parseOptions } from '../input/options.ts';
import { inputName, readBytes } from '../input/read-file.ts';
import { printJson, printResult } from '../output.ts';

const VALIDATORS_USAGE = `usage: ton-finality validators FILE|- [--set current|previous|next]

Prints a validator set as JSON, for verify --validators. Only the first \`main\` of its validators sign the masterchain.

  FILE, or - for standard input     cells: config parameter 34 (32, 36), a key block, a zerostate, a Merkle proof of one
                                    JSON: getConfigParam, getConfigAll, a checkpoint
  --set current|previous|next       which set of a whole configuration; default current

The set is as good as the file: take the file from a source you trust, or prove it with ton-finality checkpoint.`;

const OPTIONS = {
  set: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies OptionTable;

const TIMES: readonly ValidatorSetTime[] = ['current', 'previous', 'next'];

function readTime(text = 'current'): ValidatorSetTime {
  const time = TIMES.find((one) => one === text);
  if (time !== undefined) return time;
  throw new UsageError(
    'usage/bad-option',
    `expected current, previous or next, got ${JSON.stringify(text.slice(0, 80))}`,
    {
      path: '--set',
    },
  );
}

const OPENING_BRACE = 0x7b;
/** Space, tab, line ends, and the three bytes of a byte order mark. */
const BEFORE_JSON = [0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf];

/** JSON objects start with a brace; every bag of cells starts with a byte that no text does. */
function looksLikeJson(bytes: Uint8Array): boolean {
  return bytes.find((byte) => !BEFORE_JSON.includes(byte)) === OPENING_BRACE;
}

function readJsonSource(bytes: Uint8Array, name: string, time: ValidatorSetTime): ConfigReading {
  const json = parseJsonBytes(bytes, name);
  if (isObject(json) && Object.hasOwn(json, 'validators')) {
    throw new UsageError('usage/bad-option', 'this is a validator set already: give it to verify --validators', {
      path: name,
    });
  }
  if (!isObject(json) || !isCheckpointJson(json)) return validatorConfigFromJson(json, time);
  if (time !== 'current') {
    throw new UsageError('usage/bad-option', 'a checkpoint holds the current set only', { path: '--set' });
  }
  const { config, shuffle } = parseCheckpoint(json);
  return { validators: config, shuffle };
}

function readSource(bytes: Uint8Array, name: string, time: ValidatorSetTime): ConfigReading {
  return looksLikeJson(bytes) ? readJsonSource(bytes, name, time) : findValidatorList(bytes, time);
}

/** The shape of `vectors/real/<case>/validators.json`, with ADNL addresses and, where it is known, the shuffle. */
function readingToJson({ validators, shuffle }: ConfigReading) {
  const total = validators.list.reduce((sum, { weight }) => sum + weight, 0n);
  return {
    utime_since: validators.utimeSince,
    utime_until: validators.utimeUntil,
    total: validators.list.length,
    main: validators.main,
    total_weight: total.toString(),
    ...(shuffle === undefined ? {} : { shuffle_mc_validators: shuffle }),
    validators: validators.list.map(({ publicKey, weight, adnlAddr }) => ({
      public_key: encodeHex(publicKey),
      weight: weight.toString(),
      ...(adnlAddr === undefined ? {} : { adnl_addr: encodeHex(adnlAddr) }),
    })),
  };
}

/** @param words the command line after `validators` @returns the exit code */
export async function validatorsCommand(words: readonly string[]): Promise<number> {
  const { values: options, positionals } = parseOptions(words, OPTIONS);
  if (options.help === true) {
    await printResult(VALIDATORS_USAGE);
    return 0;
  }
  const [file, ...surplus] = positionals;
  if (file === undefined || surplus.length > 0) {
    throw new UsageError('usage/bad-option', `expected one FILE or -, got ${positionals.length}`, {
      hint: 'see ton-finality validators --help',
    });
  }
  const time = readTime(options.set);
  await printJson(readingToJson(readSource(await readBytes(file), inputName(file), time)));
  return 0;
}
