/**
 * Draws the README's speed chart from a results file of the bench, the first Node version in it; computes nothing but bar lengths.
 *
 *   node scripts/draw-chart.mjs bench/results/<file>.json docs/verify-speed.svg
 */
import { readFileSync, writeFileSync } from 'node:fs';

const [, , from, to] = process.argv;
if (from === undefined || to === undefined) throw new Error('usage: draw-chart.mjs RESULTS.json OUT.svg');
const results = JSON.parse(readFileSync(from, 'utf8'));
const { machine, commit } = results;
const [{ steady, node }] = results.runs ?? [results];

const LABELS = new Map([
  ['kernel, 64 MiB', 'kernel, 64 MiB of tables'],
  ['kernel, default 32 MiB', 'kernel, default'],
  ['kernel without vectors, default 32 MiB', 'kernel, no SIMD'],
  ['sodium-native', 'sodium-native ¹'],
  ['kernel, no tables', 'kernel, no tables'],
  ['node:crypto, cached keys', 'node:crypto'],
  ['libsodium-wrappers', 'libsodium-wrappers ¹'],
  ['dalek in WebAssembly (@hazae41/ed25519.wasm)', 'dalek in WebAssembly ¹'],
  ['@noble/ed25519', '@noble/ed25519 ¹'],
]);

const bars = steady
  .filter(({ name }) => LABELS.has(name))
  .map(({ name, microseconds }) => ({
    label: LABELS.get(name),
    ours: name.startsWith('kernel'),
    perSecond: 1e6 / microseconds,
  }))
  .sort((a, b) => b.perSecond - a.perSecond);

const [left, width, row, top] = [190, 470, 26, 44];
const longest = bars[0].perSecond;
const height = top + bars.length * row + 44;
const rows = bars
  .map(({ label, ours, perSecond }, n) => {
    const y = top + n * row;
    const length = Math.max(1, Math.round((perSecond / longest) * width));
    const text = Math.round(perSecond).toLocaleString('en-US');
    return `<text x="${left - 8}" y="${y + 14}" text-anchor="end">${label}</text><rect x="${left}" y="${y}" width="${length}" height="18" rx="2" fill="${ours ? '#0a7ea4' : '#9aa5b1'}"/><text x="${left + length + 6}" y="${y + 14}">${text}</text>`;
  })
  .join('\n');

writeFileSync(
  to,
  `<svg xmlns="http://www.w3.org/2000/svg" width="760" height="${height}" viewBox="0 0 760 ${height}" font-family="system-ui, sans-serif" font-size="13" fill="#57606a" role="img" aria-label="Ed25519 signatures verified per second">
<text x="${left}" y="24" font-size="15" font-weight="600">Ed25519 signatures verified per second, repeated keys</text>
${rows}
<text x="${left}" y="${height - 26}" font-size="11">${machine.cpu}, Node ${node.slice(1)}, commit ${commit}; one thread unless said, medians of one interleaved run</text>
<text x="${left}" y="${height - 10}" font-size="11">¹ another accept set than the TON node's</text>
</svg>
`,
);
