/**
 * The hot loop: 100 signatures of one 68-byte message a block, verified by our engines and by what a user would pick instead.
 *
 * Steady state is interleaved (`harness.ts`); cold starts run in fresh processes. Every candidate must answer a good and a bad signature
 * as it should before it is timed. The packages compared with are installed by `npm ci` in `bench/`; without them they are left out.
 */
import { execFileSync } from 'node:child_process';
import { type KeyObject, verify, webcrypto } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import * as noble from '@noble/ed25519';
import { sha512 } from '@noble/hashes/sha2.js';
import { chooseEngine } from '../src/core/ed25519/choose.ts';
import type { KeyRing } from '../src/core/ed25519/engine.ts';
import { createKernelEngineSync, type KernelEngine } from '../src/core/ed25519/kernel.ts';
import { hasVariant } from '../src/core/ed25519/kernel-module.ts';
import type { KernelKeyRing } from '../src/core/ed25519/kernel-ring.ts';
import { opensslEngine } from '../src/core/ed25519/openssl.ts';
import { referenceEngine } from '../src/core/ed25519/reference.ts';
import { createWorkerPool } from '../src/core/ed25519/workers.ts';
import { ROOT } from '../test/helpers/vectors.ts';
import { firstCalls } from './first-calls.ts';
import { type Fixture, makeFixture, nativeKeys } from './fixture.ts';
import { type Candidate, compare } from './harness.ts';

const VALIDATORS = 100;
const MESSAGES = 64;
const BASELINE = 'node:crypto, cached keys';
const WIDTHS = [0, 4, 5, 6, 7, 8] as const;

/** Verifies signature `n` of a block; may be asynchronous. */
type VerifyOne = (signature: Uint8Array, message: Uint8Array, n: number) => boolean | Promise<boolean>;

interface LoopCandidate {
  readonly name: string;
  /** Signatures in one unit of work: slow candidates do fewer. */
  readonly signatures: number;
  readonly check: (good: Uint8Array, bad: Uint8Array, message: Uint8Array) => boolean | Promise<boolean>;
  readonly run: () => unknown;
}

function ringCandidate(name: string, ring: KeyRing, { indexes, blocks }: Fixture): LoopCandidate {
  let next = 0;
  return {
    name,
    signatures: indexes.length,
    check: (good, bad, message) =>
      ring.verify(message, [0], [good])[0] === true && ring.verify(message, [0], [bad])[0] === false,
    run() {
      const block = blocks[next++ % blocks.length]!;
      if (!ring.verify(block.message, indexes, block.signatures).every(Boolean)) throw new Error(`${name}: wrong`);
    },
  };
}

function oneByOne(name: string, count: number, verifyOne: VerifyOne, { blocks }: Fixture): LoopCandidate {
  let next = 0;
  return {
    name,
    signatures: count,
    check: async (good, bad, message) => (await verifyOne(good, message, 0)) && !(await verifyOne(bad, message, 0)),
    run() {
      const block = blocks[next++ % blocks.length]!;
      for (let n = 0; n < count; n++) {
        if (verifyOne(block.signatures[n]!, block.message, n) !== true) throw new Error(`${name}: wrong`);
      }
    },
  };
}

function inFlight(name: string, verifyOne: VerifyOne, { blocks }: Fixture): LoopCandidate {
  let next = 0;
  return {
    ...oneByOne(name, VALIDATORS, verifyOne, { blocks, publicKeys: [], indexes: [] }),
    async run() {
      const block = blocks[next++ % blocks.length]!;
      const verdicts = await Promise.all(
        block.signatures.map((signature, n) => verifyOne(signature, block.message, n)),
      );
      if (!verdicts.every(Boolean)) throw new Error(`${name}: wrong`);
    },
  };
}

/** Packages of `bench/package.json`, or undefined with a word on stderr. */
async function installed<T>(name: string): Promise<T | undefined> {
  const require = createRequire(join(ROOT, 'bench/package.json'));
  try {
    const found = (await import(pathToFileURL(require.resolve(name)).href)) as T & { readonly default?: T }; // the caller knows the package
    return found.default !== undefined && Object.keys(found).length <= 2 ? found.default : found;
  } catch {
    process.stderr.write(`bench: ${name} is not installed (npm ci in bench/), left out\n`);
    return undefined;
  }
}

interface NobleCurves {
  readonly ed25519: { verify(signature: Uint8Array, message: Uint8Array, key: Uint8Array): boolean };
}
interface Tweetnacl {
  readonly sign: {
    readonly detached: { verify(message: Uint8Array, signature: Uint8Array, key: Uint8Array): boolean };
  };
}
interface Libsodium {
  readonly ready: Promise<void>;
  crypto_sign_verify_detached(signature: Uint8Array, message: Uint8Array, key: Uint8Array): boolean;
}
interface Dalek {
  readonly Ed25519Wasm: {
    initBundled(): Promise<unknown>;
    readonly Memory: new (bytes: Uint8Array) => object;
    readonly Ed25519VerifyingKey: {
      from_bytes(bytes: object): { verify(message: object, signature: object): boolean };
    };
    readonly Ed25519Signature: { from_bytes(bytes: object): object };
  };
}

async function otherLibraries(fixture: Fixture): Promise<LoopCandidate[]> {
  const { publicKeys } = fixture;
  noble.hashes.sha512 = sha512;
  const keys = nativeKeys(publicKeys);
  const verifyAsync = promisify<null, Uint8Array, KeyObject, Uint8Array, boolean>(verify);
  const webKeys = await Promise.all(
    publicKeys.map((key) =>
      webcrypto.subtle.importKey('raw', Uint8Array.from(key), { name: 'Ed25519' }, false, ['verify']),
    ),
  );
  const webVerify: VerifyOne = (signature, message, n) =>
    webcrypto.subtle.verify('Ed25519', webKeys[n]!, Uint8Array.from(signature), Uint8Array.from(message));
  const candidates = [
    inFlight('node:crypto, asynchronous, 100 in flight', (s, m, n) => verifyAsync(null, m, keys[n]!, s), fixture),
    inFlight('WebCrypto, 100 in flight', webVerify, fixture),
    oneByOne('@noble/ed25519', 10, (s, m, n) => noble.verify(s, m, publicKeys[n]!), fixture),
  ];
  const curves = await installed<NobleCurves>('@noble/curves/ed25519.js');
  if (curves)
    candidates.push(oneByOne('@noble/curves', 10, (s, m, n) => curves.ed25519.verify(s, m, publicKeys[n]!), fixture));
  const nacl = await installed<Tweetnacl>('tweetnacl');
  if (nacl)
    candidates.push(oneByOne('tweetnacl', 2, (s, m, n) => nacl.sign.detached.verify(m, s, publicKeys[n]!), fixture));
  for (const name of ['libsodium-wrappers', 'sodium-native']) {
    const sodium = await installed<Libsodium>(name);
    if (!sodium) continue;
    await sodium.ready;
    const buffers = publicKeys.map((key) => Buffer.from(key));
    const verifyOne: VerifyOne = (s, m, n) => sodium.crypto_sign_verify_detached(s, m, buffers[n]!);
    candidates.push(oneByOne(name, VALIDATORS, verifyOne, fixture));
  }
  const dalek = (await installed<Dalek>('@hazae41/ed25519.wasm'))?.Ed25519Wasm;
  if (dalek) {
    await dalek.initBundled();
    const { Memory, Ed25519VerifyingKey, Ed25519Signature } = dalek;
    const dalekKeys = publicKeys.map((key) => Ed25519VerifyingKey.from_bytes(new Memory(key)));
    const verifyOne: VerifyOne = (s, m, n) =>
      dalekKeys[n]!.verify(new Memory(m), Ed25519Signature.from_bytes(new Memory(s)));
    candidates.push(oneByOne('dalek in WebAssembly (@hazae41/ed25519.wasm)', 50, verifyOne, fixture));
  }
  return candidates;
}

interface TableCost {
  readonly name: string;
  readonly tableBytes: number;
  readonly buildMs: number;
}

function openBuilt(name: string, engine: KernelEngine, { publicKeys }: Fixture, costs: TableCost[]): KernelKeyRing {
  const ring = engine.open(publicKeys);
  const start = performance.now();
  ring.buildTables();
  costs.push({ name, tableBytes: ring.tableBytes, buildMs: performance.now() - start });
  return ring;
}

interface SteadyRow {
  readonly name: string;
  readonly microseconds: number;
  readonly p10: number;
  readonly p90: number;
  readonly timesNode: number;
  readonly timesNoble: number;
}

async function steady(fixture: Fixture, rounds: number): Promise<{ rows: SteadyRow[]; tables: TableCost[] }> {
  const tables: TableCost[] = [];
  const keys = nativeKeys(fixture.publicKeys);
  const candidates = [
    oneByOne(BASELINE, VALIDATORS, (s, m, n) => verify(null, m, keys[n]!, s), fixture),
    ringCandidate(
      'kernel, default 32 MiB',
      openBuilt('default 32 MiB', createKernelEngineSync(), fixture, tables),
      fixture,
    ),
    ringCandidate(
      'kernel, 64 MiB',
      openBuilt('64 MiB', createKernelEngineSync({ maxTableBytes: 2 ** 26 }), fixture, tables),
      fixture,
    ),
    ...WIDTHS.map((tableWidth) =>
      ringCandidate(
        tableWidth === 0 ? 'kernel, no tables' : `kernel, width ${tableWidth}`,
        openBuilt(
          `width ${tableWidth}`,
          createKernelEngineSync({ tableWidth, maxTableBytes: 2 ** 26 }),
          fixture,
          tables,
        ),
        fixture,
      ),
    ),
    ...(hasVariant('relaxed')
      ? [
          ringCandidate(
            'kernel without relaxed vectors, default 32 MiB',
            openBuilt(
              'default 32 MiB, without relaxed vectors',
              createKernelEngineSync({ variant: 'simd' }),
              fixture,
              tables,
            ),
            fixture,
          ),
        ]
      : []),
    ringCandidate(
      'kernel without vectors, default 32 MiB',
      openBuilt('default 32 MiB, without vectors', createKernelEngineSync({ variant: 'scalar' }), fixture, tables),
      fixture,
    ),
    ringCandidate('openssl engine', opensslEngine.open(fixture.publicKeys), fixture),
    { ...ringCandidate('reference engine', referenceEngine.open(fixture.publicKeys), fixture), signatures: 10 },
    ...(await otherLibraries(fixture)),
  ].map((candidate) => (candidate.name === 'reference engine' ? fewer(candidate, fixture) : candidate));
  const [{ message, signatures }] = [fixture.blocks[0]!];
  const bad = signatures[0]!.slice();
  bad[40] = bad[40]! ^ 1;
  for (const { name, check } of candidates) {
    if (!(await check(signatures[0]!, bad, message))) throw new Error(`${name} answers wrongly`);
  }
  const sizes = new Map(candidates.map(({ name, signatures: count }) => [name, count]));
  const timings = await compare(
    candidates.map(({ name, run }): Candidate => ({ name, run })),
    { rounds, warmUpRounds: 5, unitsPerRound: (name) => (name.startsWith('kernel') ? 10 : 1) },
  );
  const microseconds = (name: string, ms: number): number => (ms * 1000) / sizes.get(name)!;
  const nobleRow = timings.find(({ name }) => name === '@noble/ed25519')!;
  const perNode = (name: string, ratio: number): number => sizes.get(name)! / VALIDATORS / ratio;
  return {
    tables,
    rows: timings.map(({ name, medianMs, p10Ms, p90Ms, ratio }) => ({
      name,
      microseconds: microseconds(name, medianMs),
      p10: microseconds(name, p10Ms),
      p90: microseconds(name, p90Ms),
      timesNode: perNode(name, ratio),
      timesNoble: perNode(name, ratio) / perNode(nobleRow.name, nobleRow.ratio),
    })),
  };
}

/** The reference engine on ten signatures a unit. */
function fewer(candidate: LoopCandidate, fixture: Fixture): LoopCandidate {
  const ring = referenceEngine.open(fixture.publicKeys);
  const ten = fixture.indexes.slice(0, 10);
  return {
    ...candidate,
    run: () => ring.verify(fixture.blocks[0]!.message, ten, fixture.blocks[0]!.signatures.slice(0, 10)),
  };
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!;

/** Runs in a fresh process: milliseconds of each block, engine and keys included in the first. */
async function coldProcess(which: string, blocks: number): Promise<number[]> {
  const fixture = makeFixture(VALIDATORS, 2);
  globalThis.gc?.(); // what the fixture left would be collected within the first block of one side or the other
  const times: number[] = [];
  let ring: KeyRing | undefined;
  let keys: KeyObject[] | undefined;
  for (let n = 0; n < blocks; n++) {
    const { message, signatures } = fixture.blocks[n % 2]!;
    const start = performance.now();
    let good: boolean;
    if (which === 'node') {
      keys ??= nativeKeys(fixture.publicKeys);
      const cached = keys;
      good = signatures.every((signature, at) => verify(null, message, cached[at]!, signature));
    } else {
      ring ??= (which === 'choose' ? await chooseEngine() : createKernelEngineSync()).open(fixture.publicKeys);
      good = ring.verify(message, fixture.indexes, signatures).every(Boolean);
    }
    times.push(performance.now() - start);
    if (!good) throw new Error(`${which}: wrong`);
  }
  return times;
}

interface ColdRow {
  readonly name: string;
  readonly block1Ms: number;
  readonly block2Ms: number;
  readonly block3Ms: number;
  readonly first100Ms: number;
  readonly slowestAfterFirstMs: number;
}

function cold(rounds: number): { rows: ColdRow[]; block1TimesNode: number } {
  const names = ['node', 'choose', 'kernel'];
  const runs = new Map<string, number[][]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      const args = ['--expose-gc', fileURLToPath(import.meta.url), '--cold', name];
      const out = execFileSync(process.execPath, args, { encoding: 'utf8' });
      runs.get(name)!.push(JSON.parse(out) as number[]); // printed by coldProcess below
    }
  }
  const rows = names.map((name): ColdRow => {
    const all = runs.get(name)!;
    const at = (n: number): number => median(all.map((times) => times[n]!));
    return {
      name: { node: BASELINE, choose: 'chooseEngine()', kernel: 'kernel alone' }[name]!,
      block1Ms: at(0),
      block2Ms: at(1),
      block3Ms: at(2),
      first100Ms: median(all.map((times) => times.reduce((sum, ms) => sum + ms, 0))),
      slowestAfterFirstMs: median(all.map((times) => Math.max(...times.slice(1)))),
    };
  });
  return { rows, block1TimesNode: rows[1]!.block1Ms / rows[0]!.block1Ms };
}

interface GrowthRow {
  readonly count: number;
  readonly microseconds: number;
  readonly timesNode: number;
}

/** Mean cost of a signature when a ring of chooseEngine() lives for so many blocks. */
async function growthByBlocks(fixture: Fixture, counts: readonly number[]): Promise<GrowthRow[]> {
  const keys = nativeKeys(fixture.publicKeys);
  const rows: GrowthRow[] = [];
  for (const count of counts) {
    const ring = (await chooseEngine()).open(fixture.publicKeys);
    let [own, node, nodeBlocks] = [0, 0, 0];
    for (let n = 0; n < count; n++) {
      const { message, signatures } = fixture.blocks[n % fixture.blocks.length]!;
      const start = performance.now();
      ring.verify(message, fixture.indexes, signatures);
      own += performance.now() - start;
      // node:crypto on a sample of the same blocks, in between
      if (count > 200 && n % 20 !== 0) continue;
      const startNode = performance.now();
      for (let at = 0; at < keys.length; at++) verify(null, message, keys[at]!, signatures[at]!);
      node += performance.now() - startNode;
      nodeBlocks++;
    }
    ring.close();
    const microseconds = (own * 1000) / count / keys.length;
    rows.push({ count, microseconds, timesNode: (node * 1000) / nodeBlocks / keys.length / microseconds });
  }
  return rows;
}

function growthByValidators(
  counts: readonly number[],
  rounds: number,
): (GrowthRow & { readonly tableBytes: number })[] {
  return counts.map((count) => {
    const fixture = makeFixture(count, 8);
    const keys = nativeKeys(fixture.publicKeys);
    const ring = createKernelEngineSync().open(fixture.publicKeys);
    ring.buildTables();
    const [own, node]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      const { message, signatures } = fixture.blocks[round % 8]!;
      const start = performance.now();
      ring.verify(message, fixture.indexes, signatures);
      const between = performance.now();
      for (let at = 0; at < keys.length; at++) verify(null, message, keys[at]!, signatures[at]!);
      node.push(performance.now() - between);
      own.push(between - start);
    }
    const { tableBytes } = ring;
    ring.close();
    const ratio = median(node.map((ms, n) => ms / own[n]!));
    return { count, microseconds: (median(own) * 1000) / count, timesNode: ratio, tableBytes };
  });
}

/** Microseconds of a signature, and how many times faster two threads are than one. */
interface Threads {
  readonly one: number;
  readonly two: number;
  readonly twoThreads: number;
  /** The same with 30 blocks at once, so that the threads do not meet after each. */
  readonly twoMany: number;
  readonly twoThreadsMany: number;
}

/** One thread against two, on nothing else: a worker that sleeps while other candidates run is not what is asked here. */
async function threads(fixture: Fixture, rounds: number): Promise<Threads> {
  const BLOCKS = 30;
  const one = createKernelEngineSync({ tableWidth: 7, maxTableBytes: 2 ** 26 }).open(fixture.publicKeys);
  one.buildTables();
  const pool = await createWorkerPool({ threads: 2, tableWidth: 7, maxTableBytes: 2 ** 26 });
  const ring = pool.open(fixture.publicKeys);
  const two = ringCandidate('two', ring, fixture);
  for (let n = 0; n < 300; n++) two.run(); // until the tables are there
  const blocks = fixture.blocks.slice(0, BLOCKS).map((block) => ({ ...block, keyIndexes: fixture.indexes }));
  const many: Candidate = {
    name: 'two, many blocks',
    run() {
      if (!ring.verifyMany!(blocks).flat().every(Boolean)) throw new Error('two, many blocks: wrong'); // rings of a pool have it
    },
  };
  const timings = await compare([ringCandidate('one', one, fixture), two, many], {
    rounds,
    unitsPerRound: (name) => (name === many.name ? 1 : BLOCKS),
  });
  one.close();
  await pool.close();
  const [first, second, third] = [timings[0]!, timings[1]!, timings[2]!];
  return {
    one: (first.medianMs * 1000) / VALIDATORS,
    two: (second.medianMs * 1000) / VALIDATORS,
    twoThreads: 1 / second.ratio,
    twoMany: (third.medianMs * 1000) / VALIDATORS / BLOCKS,
    twoThreadsMany: BLOCKS / third.ratio,
  };
}

export async function verifyLoop({ quick }: { readonly quick: boolean }) {
  const fixture = makeFixture(VALIDATORS, MESSAGES);
  const { rows, tables } = await steady(fixture, quick ? 7 : 31);
  const oneAndTwo = await threads(fixture, quick ? 7 : 31);
  const first = cold(quick ? 9 : 41); // nine scatter by a tenth, 21 by a hundredth either way
  const calls = firstCalls(quick ? 3 : 9);
  const byBlocks = await growthByBlocks(
    fixture,
    quick ? [1, 10, 100] : [1, 2, 5, 10, 30, 100, 300, 1024, 3000, 10_000],
  );
  const byValidators = growthByValidators(quick ? [10, 100] : [10, 30, 100, 200, 400, 1000], quick ? 30 : 60);
  return {
    node: process.version,
    openssl: process.versions.openssl,
    block: { signatures: VALIDATORS, messageBytes: 68, distinctMessages: MESSAGES },
    steady: rows,
    tables,
    threads: oneAndTwo,
    cold: first,
    firstCalls: calls,
    growth: { blocks: byBlocks, validators: byValidators },
  };
}

export type VerifyLoop = Awaited<ReturnType<typeof verifyLoop>>;

if (process.argv[1] === fileURLToPath(import.meta.url) && process.argv[2] === '--cold') {
  process.stdout.write(JSON.stringify(await coldProcess(process.argv[3]!, 100)));
}
