/** `ton-finality validators`: prints the set of a configuration, key block, state, proof or checkpoint as JSON. */
import { encodeHex } from '../../../core/base/bytes.ts';
import { UsageError } from '../../../core/base/errors.ts';
import { isObject } from '../../../core/base/json-structure.ts';
import { parseJsonBytes } from '../../../core/base/json-text.ts';
import { present } from '../../../core/base/present.ts';
import { isCheckpointJson, parseCheckpoint } from '../../../core/chain/checkpoint.ts';
import { findValidatorList } from '../../../core/chain/find-validator-list.ts';
import type { ValidatorSetTime } from '../../../core/validators/config-params.ts';
import { type ConfigReading, validatorConfigFromJson } from '../../../core/validators/from-config-json.ts';
import { defineCommand } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { OPENING_BRACE } from '../input/json-or-bytes.ts';
import { badFlag, flagRow, oneOfRow } from '../input/option-rows.ts';
import { inputName, readBytes } from '../input/read-file.ts';
import { printJson } from '../output.ts';

const TIMES = ['current', 'previous', 'next'] as const;

/** Space, tab, line ends, and the three bytes of a byte order mark. */
const BEFORE_JSON = [0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf];

/** Returns whether bytes look like JSON: an object starts with a brace, and a bag of cells with a byte that no text has. */
function looksLikeJson(bytes: Uint8Array): boolean {
  return bytes.find((byte) => !BEFORE_JSON.includes(byte)) === OPENING_BRACE;
}

function readJsonSource(bytes: Uint8Array, name: string, time: ValidatorSetTime): ConfigReading {
  const json = parseJsonBytes(bytes, name);
  if (isObject(json) && Object.hasOwn(json, 'validators')) {
    throw new UsageError('usage/bad-option', 'this is already a validator set: pass it to verify --validators', {
      path: name,
    });
  }
  if (!isObject(json) || !isCheckpointJson(json)) return validatorConfigFromJson(json, time);
  if (time !== 'current') {
    throw badFlag('set', 'expected current: a checkpoint contains only the current set');
  }
  const { config, shuffle } = parseCheckpoint(json);
  return { validators: config, shuffle };
}

function readSource(bytes: Uint8Array, name: string, time: ValidatorSetTime): ConfigReading {
  return looksLikeJson(bytes) ? readJsonSource(bytes, name, time) : findValidatorList(bytes, time);
}

/** Converts a set to the shape of `vectors/real/<case>/validators.json`, with ADNL addresses and, if known, the shuffle. */
function readingToJson({ validators, shuffle }: ConfigReading) {
  const total = validators.list.reduce((sum, { weight }) => sum + weight, 0n);
  return {
    utime_since: validators.utimeSince,
    utime_until: validators.utimeUntil,
    total: validators.list.length,
    main: validators.main,
    total_weight: total.toString(),
    ...present({ shuffle_mc_validators: shuffle }),
    validators: validators.list.map(({ publicKey, weight, adnlAddr }) => ({
      public_key: encodeHex(publicKey),
      weight: weight.toString(),
      ...(adnlAddr === undefined ? {} : { adnl_addr: encodeHex(adnlAddr) }),
    })),
  };
}

export const validatorsCommand = defineCommand({
  name: 'validators',
  usage: ['FILE|- [--set current|previous|next]'],
  about:
    'Prints a validator set as JSON, for verify --validators. Only the first `main` validators sign the masterchain.',
  words: {
    wanted: 'one FILE or -',
    count: [1, 1],
    rows: [
      [
        'FILE, or -',
        'cells: config parameter 34 (32, 36), a key block, a zerostate, a Merkle proof of one; or JSON: getConfigParam, getConfigAll, a checkpoint; - for standard input',
      ],
    ],
  },
  options: {
    set: oneOfRow(TIMES, 'which validator set of a whole configuration; default current'),
    json: flagRow('print JSON, which is also the default'),
  },
  notes: 'Take the file from a source you trust, or prove the validator set with ton-finality checkpoint.',
  examples: ['validators config-34.json > set.json', 'validators key-b.boc --set next'],
  exit: '0 printed, 2 bad input',
  async run({ options, words }) {
    const file = words[0]!; // exactly one is given
    await printJson(readingToJson(readSource(await readBytes(file), inputName(file), options.set ?? 'current')));
    return EXIT.final;
  },
});
