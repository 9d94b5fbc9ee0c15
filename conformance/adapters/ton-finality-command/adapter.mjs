/** The command of this library before the suite: files in, exit code and one JSON object out, as scripts use it. Nothing of the library is imported. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const COMMAND = fileURLToPath(new URL('../../../build/bundle/app/cli/cli.js', import.meta.url));
const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'conformance-command-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const AT_ONCE = 2;
const hexOf = (shard) => BigInt.asUintN(64, BigInt(shard)).toString(16).padStart(16, '0');
const textOf = ({ workchain, shard, seqno, rootHash, fileHash }) =>
  `(${workchain},${hexOf(shard)},${seqno}):${rootHash}:${fileHash}`;

class Refused extends Error {}
class Unsupported extends Error {}

let files = 0;
function fileOf(data) {
  const path = join(folder, `${files++}`);
  writeFileSync(path, data);
  return path;
}

/** @param taken exit codes of what is final @returns the object that the command prints; a refusal for the other codes of a judgement */
function run(taken, ...args) {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [COMMAND, ...args, '--json'], { maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      if (taken.includes(code)) resolve(JSON.parse(stdout));
      else if (code === 1 || code === 2 || code === 4) reject(new Refused(`exit code ${code} ${stderr.slice(0, 300)}`));
      else reject(new Error(`exit code ${code} ${stderr}`));
    });
  });
}

const OPERATIONS = {
  /** `verify FILE --validators FILE` */
  async signatures({ json, block, validators }) {
    if (json === undefined) throw new Unsupported('the command reads the JSON of signatures alone');
    const list = validators.map(({ publicKey, weight }) => ({ public_key: publicKey, weight }));
    const set = JSON.stringify({ main: list.length, total: list.length, validators: list });
    const expected = ['--expect-root-hash', block.rootHash, '--expect-file-hash', block.fileHash];
    const report = await run([0], 'verify', fileOf(json), '--validators', fileOf(set), ...expected);
    // The command says which block is final; whoever asked about another number sees that it is not the one.
    if (report.block.seqno !== block.seqno) throw new Refused(`block ${report.block.seqno} is final`);
    return { signedWeight: report.signedWeight, totalWeight: report.totalWeight };
  },

  /** `verify --certificate FILE --anchor ID` */
  async certificate({ certificate, anchor }) {
    // 1: final, and something in it is proven to be absent.
    const report = await run(
      [0, 1],
      'verify',
      '--certificate',
      fileOf(Buffer.from(certificate, 'base64')),
      '--anchor',
      textOf(anchor),
    );
    const { workchain, shard, seqno, rootHash, fileHash } = report.block;
    return { block: { workchain, shard, seqno, rootHash, fileHash }, facts: report.facts.map(({ kind }) => kind) };
  },
};

const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
say({ implementation: 'ton-finality-command', version, language: 'TypeScript', operations: Object.keys(OPERATIONS) });

async function answer({ id, operation, input }) {
  try {
    say({ id, result: 'accept', value: await OPERATIONS[operation](input) });
  } catch (error) {
    if (error instanceof Refused) say({ id, result: 'reject', detail: error.message });
    else if (error instanceof Unsupported) say({ id, result: 'unsupported', detail: error.message });
    else throw error;
  }
}

const waiting = [];
let running = 0;
function next() {
  while (running < AT_ONCE && waiting.length > 0) {
    running++;
    answer(waiting.shift()).finally(() => {
      running--;
      next();
    });
  }
}
createInterface({ input: process.stdin }).on('line', (line) => {
  waiting.push(JSON.parse(line));
  next();
});
