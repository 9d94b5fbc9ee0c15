/** An adapter that does to each case what its input says. */
import { createInterface } from 'node:readline';

const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
const [mode] = process.argv.slice(2);

if (mode === 'mute') setInterval(() => {}, 1000);
else if (mode === 'no-hello') process.stdout.write('ready\n');
else say({ implementation: 'fake', version: '1', language: 'JavaScript', operations: ['boc'] });

let held;
const DEEDS = {
  accept: (id) => say({ id, result: 'accept' }),
  value: (id) => say({ id, result: 'accept', value: { b: [2], a: '1' } }),
  reject: (id) => say({ id, result: 'reject', detail: 'no' }),
  unsupported: (id) => say({ id, result: 'unsupported' }),
  hang: () => {},
  die: () => process.exit(3),
  abort: () => process.abort(),
  twice: (id) => {
    say({ id, result: 'reject' });
    say({ id, result: 'accept' });
  },
  garbage: () => process.stdout.write('Segmentation fault\n'),
  shape: (id) => say({ id, result: 'maybe' }),
  stranger: () => say({ id: 'nobody', result: 'accept' }),
  overlong: () => process.stdout.write('x'.repeat(3 * 2 ** 20)),
  hold: (id) => {
    held = id;
  },
  release: (id) => {
    say({ id, result: 'accept' });
    say({ id: held, result: 'accept' });
  },
  flood: (id) => {
    const line = `${JSON.stringify({ id, result: 'accept' })}\n`.repeat(1000);
    const more = () => process.stdout.write(line, () => setImmediate(more));
    more();
  },
};

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const { id, input } = JSON.parse(line);
  DEEDS[input.do](id);
});
// One that does not end with its input.
if (mode === 'stay') setInterval(() => {}, 1000);
