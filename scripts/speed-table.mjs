// The tables of docs/speed.md and README's three lines on speed, made from a results file: `node scripts/speed-table.mjs bench/results/FILE.json`.
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

const node = ({ node: version }) => `Node ${version.slice(1).split('.')[0]}`;

/** A row's columns: microseconds and the ratio to `node:crypto` for every Node version, and the ratio to noble on the first. */
function columns(runs, name) {
  const rows = runs.map(({ steady }) => steady.find((candidate) => candidate.name.startsWith(name)));
  const cells = rows.flatMap(({ microseconds, timesNode }) => [microseconds.toFixed(1), timesNode.toFixed(2)]);
  return [...cells, rows[0].timesNoble.toFixed(1)].join(' | ');
}

/** What is said of the first calls of a process; nothing of results of before it was measured. */
function firstCalls(runs) {
  if (runs.some((run) => run.firstCalls === undefined)) return [];
  const each = (pick) => runs.map((run) => pick(run.firstCalls)).join(', ');
  return [
    `- Calls 2 to 200 of a fresh process, p99 in times of \`node:crypto\`'s (${runs.map(node).join(', ')}): ${each((calls) => calls.p99TimesNode.toFixed(2))}. The kernel has taken over by call ${each((calls) => calls.takeoverCall)}. Calls 100 to 200 run at ${each((calls) => `${calls.from100TimesNode.toFixed(1)} x`)}.`,
  ];
}

/** What is said of the first block, for every Node version. */
function firstBlock(runs) {
  const ratios = runs.map(({ cold }) => cold.block1TimesNode.toFixed(2)).join(', ');
  const { first100Ms } = runs[0].cold.rows.find(({ name }) => name.startsWith('chooseEngine'));
  return `- First block of a fresh process with \`chooseEngine()\`, in times of \`node:crypto\`'s (${runs.map(node).join(', ')}): ${ratios}. The first 100 blocks take ${first100Ms.toFixed(0)} ms.`;
}

/** What is said of the command's start, likewise. */
function starts(runs) {
  if (runs.some((run) => run.start === undefined)) return [];
  const each = (command) =>
    runs.map(({ start }) => start.find(({ name }) => name.includes(command)).timesNode.toFixed(2)).join(', ');
  return [
    `- A process of the command, in times of \`node -e 0\` (${runs.map(node).join(', ')}): \`--version\` ${each('--version')}; \`verify FILE\` ${each('verify')}.`,
  ];
}

/** @param results what `npm run bench -- --save NAME` wrote, or a file of the format before, with one Node version */
export function speedTable(results) {
  const runs = results.runs ?? [results];
  const [main] = runs;
  const of = runs.length === 1 ? () => '' : (run) => ` ${node(run)}`;
  const { twoThreadsMany } = main.threads;
  const many = twoThreadsMany === undefined ? '' : `, ${twoThreadsMany.toFixed(2)} times with many blocks at once`;
  const [, whole] = main.endToEnd;
  const walk = main.chain.walk.at(-1);
  const cells = Object.values(main.chain.cells).map((timings) => timings.at(-1).ratio);
  const heads = runs.flatMap((run) => [`µs${of(run)}`, 'x node']);
  return [
    `| one signature of a 100-signature block, steady | ${heads.join(' | ')} | x noble |`,
    `| --- | ${heads.map(() => '---:').join(' | ')} | ---: |`,
    ...SHOWN.map(([name, shown]) => `| ${shown} | ${columns(runs, name)} |`),
    '',
    `- Two threads (\`createWorkerPool\`): ${main.threads.twoThreads.toFixed(2)} times one${many}.`,
    firstBlock(runs),
    ...firstCalls(runs),
    ...starts(runs),
    `- From the JSON text to the report, OpenSSL engine: ${whole.ratio.toFixed(2)} times the 100 bare \`crypto.verify\` calls in it.`,
    `- A bag of cells is parsed and hashed ${Math.min(...cells).toFixed(1)} to ${Math.max(...cells).toFixed(1)} times faster than by \`@ton/core\`. A proof of three links costs ${walk.ratio.toFixed(2)} times its bare signature checks.`,
  ].join('\n');
}

/** README's three lines: what one signature costs, against whom, and what a block costs at first. */
export function speedLines(results) {
  const [main] = results.runs ?? [results];
  const row = (name) => main.steady.find((candidate) => candidate.name.startsWith(name));
  const [kernel, node] = [row('kernel, default 32 MiB'), row('node:crypto, cached keys')];
  return [
    `- One signature of a block whose validators are known: ${kernel.microseconds.toFixed(1)} µs, ${kernel.timesNode.toFixed(1)} times as fast as \`node:crypto\` (${node.microseconds.toFixed(1)} µs), ${kernel.timesNoble.toFixed(0)} times as fast as noble.`,
    `- Two threads (\`createWorkerPool\`): ${main.threads.twoThreads.toFixed(2)} times one. The first block of a process: ${main.cold.block1TimesNode.toFixed(2)} times what \`node:crypto\` takes.`,
    `- ${results.machine.cores} cores of an ${results.machine.cpu}, Node ${main.node.slice(1)}. All figures, and what they are compared with: \`docs/speed.md\`.`,
  ].join('\n');
}

/** The paragraph of docs/speed.md above the table: which file, which machine, which Node versions. */
export function speedSource(results, file) {
  const runs = results.runs ?? [results];
  const versions = runs.map((run) => `${run.node.slice(1)} (OpenSSL ${run.openssl})`);
  const last = versions.pop();
  const nodes = versions.length === 0 ? last : `${versions.join(', ')} and ${last}`;
  const run = 'It is one run, compiled, interleaved, with medians, and one thread unless said otherwise.';
  const machine = `The machine has ${results.machine.cores} cores of an ${results.machine.cpu}.`;
  const used =
    runs.length === 1
      ? `The version is Node ${nodes}.`
      : `The versions are Node ${nodes}; where none is named, the first.`;
  return `The figures are from \`${file}\` of the repository. ${run} ${machine} ${used}`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  console.log(speedTable(JSON.parse(readFileSync(process.argv[2], 'utf8'))));
}
