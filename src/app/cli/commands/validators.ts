/** `ton-finality validators`: prints the set of a configuration, key block, state, proof or checkpoint as JSON. */
import { badOption } from '../../../core/base/arguments.ts';
import { encodeHex } from '../../../core/base/bytes.ts';
import { isObject } from '../../../core/base/json-structure.ts';
import { present } from '../../../core/base/present.ts';
import { isCheckpointJson, parseCheckpoint } from '../../../core/chain/checkpoint.ts';
import { findValidatorList, validatorConfigFromJson } from '../../../core/chain/find-validator-list.ts';
import type { ConfigReading, ValidatorSetTime } from '../../../core/validators/config-params.ts';
import { withFileName } from '../../files/with-file-name.ts';
import { defineCommand } from '../command.ts';
import { badFlag, option } from '../input/option-rows.ts';
import { inputName, readJsonOrBytes } from '../input/read-file.ts';
import { EXIT } from '../output/exit-code.ts';
import { printJson } from '../output/print.ts';

const TIMES = ['current', 'previous', 'next'] as const;

function readJsonSource(json: unknown, name: string, time: ValidatorSetTime): ConfigReading {
  if (isObject(json) && Object.hasOwn(json, 'validators')) {
    throw badOption('this is already a validator set: pass it to verify --validators', name);
  }
  if (!isObject(json) || !isCheckpointJson(json)) return validatorConfigFromJson(json, time);
  if (time !== 'current') {
    throw badFlag('set', 'expected current: a checkpoint contains only the current set');
  }
  const { config, shuffle } = parseCheckpoint(json);
  return { validators: config, shuffle };
}

async function readSource(file: string, time: ValidatorSetTime): Promise<ConfigReading> {
  const [read, name] = [await readJsonOrBytes(file), inputName(file)];
  return withFileName(name, () =>
    'json' in read ? readJsonSource(read.json, name, time) : findValidatorList(read.bytes, time),
  );
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
    set: option.oneOf(TIMES, 'which validator set of a whole configuration; default current'),
    json: option.flag('print JSON, which is also the default'),
  },
  notes: 'Take the file from a source you trust, or prove the validator set with ton-finality checkpoint.',
  examples: ['validators config-34.json > set.json', 'validators key-b.boc --set next'],
  exit: '0 printed, 2 bad input',
  async run({ options, words }) {
    await printJson(readingToJson(await readSource(words[0]!, options.set ?? 'current'))); // exactly one is given
    return EXIT.final;
  },
});
