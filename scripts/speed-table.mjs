// The tables of README's section on speed, made from a results file: `node scripts/speed-table.mjs bench/results/FILE.json`.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const SHOWN = [
  ['kernel, 64 MiB', '`createKernelEngine({ maxTableBytes: 64 MiB })`'],
  ['kernel, default 32 MiB', '`createKernelEngine()`, and `createVerifier()` once keys repeat'],
  ['sodium-native', 'sodium-native (another accept set)'],
  ['kernel, no tables', 'the kernel without tables'],
  ['node:crypto, cached keys', '`node:crypto`, cached keys'],
  ['openssl engine', '`opensslEngine`'],
  ['libsodium-wrappers', 'libsodium-wrappers (another accept set)'],
  ['reference engine', '`referenceEngine`'],
  ['@noble/ed25519', '@noble/ed25519 (another accept set)'],
  ['tweetnacl', 'tweetnacl (another accept set)'],
];

/** @param results what `npm run bench -- --save NAME` wrote */
export function speedTable(results) {
  const rows = SHOWN.map(([name, shown]) => {
    const row = results.steady.find((candidate) => candidate.name.startsWith(name));
    return `| ${shown} | ${row.microseconds.toFixed(1)} | ${row.timesNode.toFixed(2)} | ${row.timesNoble.toFixed(1)} |`;
  });
  const cold = results.cold.rows.find(({ name }) => name.startsWith('chooseEngine'));
  const [, whole] = results.endToEnd;
  const walk = results.chain.walk.at(-1);
  const cells = Object.values(results.chain.cells).map((timings) => timings.at(-1).ratio);
  return [
    '| one signature of a 100-signature block, steady | µs | x node | x noble |',
    '| --- | ---: | ---: | ---: |',
    ...rows,
    '',
    `- Two threads (\`createWorkerPool\`): ${results.threads.twoThreads.toFixed(2)} times one.`,
    `- First block of a fresh process, \`chooseEngine()\`: ${results.cold.block1TimesNode.toFixed(2)} times \`node:crypto\`'s; the first 100 blocks take ${cold.first100Ms.toFixed(0)} ms.`,
    `- From the JSON text to the report, OpenSSL engine: ${whole.ratio.toFixed(2)} times the 100 bare \`crypto.verify\` calls in it.`,
    `- A bag of cells is parsed and hashed ${Math.min(...cells).toFixed(1)} to ${Math.max(...cells).toFixed(1)} times faster than by \`@ton/core\`; a proof of three links costs ${walk.ratio.toFixed(2)} times its bare signature checks.`,
  ].join('\n');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  console.log(speedTable(JSON.parse(readFileSync(process.argv[2], 'utf8'))));
}
