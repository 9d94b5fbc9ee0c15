/** Every recorded block with a validator set, from `vectors/real`. */
import { readFileSync } from 'node:fs';

const read = (path) => JSON.parse(readFileSync(new URL(`../../vectors/real/${path}`, import.meta.url), 'utf8'));

export function readCases() {
  const listed = read('index.json')
    .filter(({ validators_file }) => validators_file !== undefined)
    .map(({ id, signatures_file, validators_file }) => ({
      name: id,
      signatures: read(signatures_file),
      validators: read(validators_file),
    }));
  const validators = read('mainnet-genesis/validators.json');
  const first = read('mainnet-genesis/signatures-1-to-99.json');
  return [...listed, ...first.map((signatures, at) => ({ name: `genesis ${at + 1}`, signatures, validators }))];
}
