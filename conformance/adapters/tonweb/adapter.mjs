/** tonweb before the suite. What is judged is `Cell.fromBoc`. It knows one hash of a cell, that of its representation, and no levels. */
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import boc from 'tonweb/src/boc/index.js';

const { dependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
const hashOf = async (cell) => Buffer.from(await cell.hash()).toString('hex');

async function judge({ id, input }) {
  try {
    const roots = [];
    for (const root of boc.Cell.fromBoc(new Uint8Array(Buffer.from(input.bytes, 'base64')))) {
      const hash = await hashOf(root);
      roots.push({ representationHash: hash, levelZeroHash: hash, depth: root.getMaxDepth() });
    }
    say({ id, result: 'accept', value: { roots } });
  } catch (error) {
    // It throws strings and plain errors of all kinds for bytes that it does not take.
    say({ id, result: 'reject', detail: String(error?.message ?? error) });
  }
}

say({ implementation: 'tonweb', version: dependencies.tonweb, language: 'JavaScript', operations: ['boc'] });
createInterface({ input: process.stdin }).on('line', (line) => void judge(JSON.parse(line)));
