/** Runs in the page: the root entry, with functions that take and give what can be copied between here and Node. */

import { reportToJson } from '../../src/app/report/report-json.ts';
import {
  chooseEngine,
  createKernelEngine,
  createVerifier,
  EngineError,
  nodeIdShort,
  parseSignatureList,
  parseValidatorSet,
  referenceEngine,
  signedMessage,
  verifyBlock,
} from '../../src/index.ts';
import type { Ed25519Vector } from '../helpers/vectors.ts';

function fromHex(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}

/** What `createVerifier` says `blocks` times, which must be the same each time, and what `verifyBlock` says. */
async function reports(answer: unknown, validatorsJson: unknown, blocks: number) {
  const set = parseSignatureList(answer);
  const validators = parseValidatorSet(validatorsJson);
  const verifier = await createVerifier(validators);
  const texts = new Set<string>();
  for (let n = 0; n < blocks; n++) texts.add(JSON.stringify(reportToJson(verifier.verify(set))));
  verifier.close();
  return {
    engine: verifier.engine,
    stream: [...texts].map((text): unknown => JSON.parse(text)),
    single: reportToJson(verifyBlock(set, validators)),
  };
}

/** What an engine says of each case; `kernel with tables` builds those of each key first. */
async function verdicts(
  engine: 'kernel' | 'kernel with tables' | 'reference',
  cases: readonly Ed25519Vector[],
): Promise<boolean[]> {
  const kernel = await createKernelEngine({ tableWidth: engine === 'kernel' ? 0 : 4 });
  return cases.map(({ public_key, message, signature }) => {
    const keys = [fromHex(public_key)];
    const kernelRing = engine === 'reference' ? undefined : kernel.open(keys);
    if (engine === 'kernel with tables') kernelRing!.buildTables();
    const ring = kernelRing ?? referenceEngine.open(keys);
    try {
      return ring.verify(fromHex(message), [0], [fromHex(signature)])[0]!;
    } finally {
      ring.close();
    }
  });
}

/** Which engine `chooseEngine` settles for, and why it could not be the kernel. */
async function engines() {
  const kernel = await createKernelEngine().then(
    ({ name }) => name,
    (error: unknown) => (error instanceof EngineError ? error.code : String(error)),
  );
  return { chosen: (await chooseEngine()).name, kernel };
}

type WorkerAnswer = { readonly id: number; readonly verdicts?: boolean[]; readonly error?: string };
interface Waiting {
  resolve(verdicts: boolean[]): void;
  reject(error: Error): void;
}

/** The page's side of the recipe in docs/kernel.md, word for word. */
class WorkerPool {
  readonly #workers: readonly Worker[];
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;

  constructor(url: string, size: number) {
    this.#workers = Array.from({ length: size }, () => new Worker(url, { type: 'module' }));
    for (const worker of this.#workers) {
      worker.onmessage = ({ data }: MessageEvent<WorkerAnswer>) => {
        const waiting = this.#waiting.get(data.id);
        this.#waiting.delete(data.id);
        if (data.verdicts === undefined) waiting?.reject(new Error(data.error));
        else waiting?.resolve(data.verdicts);
      };
      const rejectAll = (event: Event) => {
        for (const { reject } of this.#waiting.values()) reject(new Error(event.type));
        this.#waiting.clear();
      };
      worker.onerror = rejectAll;
      worker.onmessageerror = rejectAll;
    }
  }

  #ask(worker: Worker, question: object): Promise<boolean[]> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.postMessage({ id, ...question });
    });
  }

  /** Key i to worker i mod n. */
  open(publicKeys: readonly Uint8Array[]): Promise<boolean[][]> {
    const size = this.#workers.length;
    return Promise.all(
      this.#workers.map((worker, w) => this.#ask(worker, { publicKeys: publicKeys.filter((_, i) => i % size === w) })),
    );
  }

  /** Key i has index floor(i / n) there. */
  async verify(
    message: Uint8Array,
    keyIndexes: readonly number[],
    signatures: readonly Uint8Array[],
  ): Promise<boolean[]> {
    const size = this.#workers.length;
    const all: boolean[] = [];
    await Promise.all(
      this.#workers.map(async (worker, w) => {
        const entries = [...keyIndexes.keys()].filter((entry) => keyIndexes[entry]! % size === w);
        const part = await this.#ask(worker, {
          message,
          keyIndexes: entries.map((entry) => Math.floor(keyIndexes[entry]! / size)),
          signatures: entries.map((entry) => signatures[entry]!),
        });
        for (const [at, entry] of entries.entries()) all[entry] = part[at]!;
      }),
    );
    return all;
  }

  close(): void {
    for (const worker of this.#workers) worker.terminate();
  }
}

/** Verdicts of the recipe for one block, twice, and once more with a bit of the given entry's signature flipped. */
async function workerVerdicts(
  url: string,
  answer: unknown,
  validatorsJson: unknown,
  damaged: number,
  waitForKeys: boolean,
) {
  const set = parseSignatureList(answer);
  const { validators } = parseValidatorSet(validatorsJson);
  const message = signedMessage(set);
  const position = new Map(validators.map(({ publicKey }, at) => [nodeIdShort(publicKey).join(), at]));
  const keyIndexes = set.signatures.map((entry) => position.get(entry.nodeIdShort.join())!);
  const signatures = set.signatures.map(({ signature }) => signature);
  const pool = new WorkerPool(url, 2);
  try {
    const opened = pool.open(validators.map(({ publicKey }) => publicKey));
    if (waitForKeys) await opened;
    const first = pool.verify(message, keyIndexes, signatures);
    const second = pool.verify(message, keyIndexes, signatures);
    const flipped = signatures.map((signature, entry) =>
      entry === damaged ? signature.map((byte, at) => (at === 40 ? byte ^ 1 : byte)) : signature,
    );
    const third = pool.verify(message, keyIndexes, flipped);
    const [, ...blocks] = await Promise.all([opened, first, second, third]);
    return blocks;
  } finally {
    pool.close();
  }
}

/** Asks another server, from the page and from a worker, to show that either would be noticed. */
async function askElsewhere(fromPage: string, fromWorker: string): Promise<void> {
  await fetch(fromPage, { mode: 'no-cors' });
  const code = `fetch(${JSON.stringify(fromWorker)}, { mode: 'no-cors' }).finally(() => postMessage(0))`;
  const worker = new Worker(URL.createObjectURL(new Blob([code])));
  await new Promise((resolve) => worker.addEventListener('message', resolve));
  worker.terminate();
}

const program = { reports, verdicts, engines, workerVerdicts, askElsewhere };
export type RootProgram = typeof program;
Object.assign(globalThis, { program });
