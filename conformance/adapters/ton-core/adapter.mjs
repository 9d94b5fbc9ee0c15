/** @ton/core before the suite. What is judged is `Cell.fromBoc`: it proves nothing, and what does stands on it. */
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Cell } from '@ton/core';

const { dependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
const hex = (bytes) => bytes.toString('hex');

say({ implementation: '@ton/core', version: dependencies['@ton/core'], language: 'TypeScript', operations: ['boc'] });

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, input } = JSON.parse(line);
  try {
    const roots = Cell.fromBoc(Buffer.from(input.bytes, 'base64')).map((root) => ({
      representationHash: hex(root.hash()),
      levelZeroHash: hex(root.hash(0)),
      depth: root.depth(0),
    }));
    say({ id, result: 'accept', value: { roots } });
  } catch (error) {
    // It throws plain errors of all kinds for bytes that it does not take.
    say({ id, result: 'reject', detail: error.message });
  }
});
