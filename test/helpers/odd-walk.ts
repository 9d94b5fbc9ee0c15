/**
 * Calls every exported function of every entry with odd values in every place, and in every member of its arguments. The entries are those of
 * the package, so what is exported later is called as well: with a right call where one is known, with nothing elsewhere.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FinalityError } from '../../src/core/base/errors.ts';
import { ODD, Theirs } from './odd-values.ts';
import { CALLS } from './public-calls.ts';
import { SERVICE_CALLS } from './service-calls.ts';
import { everyNth } from './share.ts';
import { ROOT } from './vectors.ts';

type Function = (...args: readonly unknown[]) => unknown;

export interface Door {
  readonly entry: string;
  readonly name: string;
  readonly run: Function;
  readonly args: readonly unknown[];
}

/** Functions of all entries, each once, however many entries have it. */
export async function publicFunctions(): Promise<readonly Door[]> {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    exports: Record<string, unknown>;
  };
  const calls = new Map(Object.values(CALLS).flatMap((entry) => Object.entries(entry)));
  const doors = new Map<unknown, Door>();
  for (const [entry, target] of Object.entries(exports)) {
    if (typeof target !== 'object') continue;
    const file = entry === '.' ? 'index' : entry.slice(2);
    const members = (await import(`../../src/${file}.ts`)) as Readonly<Record<string, unknown>>;
    for (const [name, run] of Object.entries(members)) {
      if (typeof run !== 'function' || run.prototype instanceof Error || doors.has(run)) continue;
      const args =
        calls.get(name)?.args ?? SERVICE_CALLS[name] ?? Array<unknown>(Math.max(run.length, 1)).fill(undefined);
      doors.set(run, { entry, name, run: run as Function, args });
    }
  }
  return [...doors.values()];
}

const SOON_MS = 5;

/** What was begun is given a moment, and then ended: what it comes to is looked at where it comes in time. */
async function settle(given: unknown): Promise<void> {
  if (typeof given !== 'object' || given === null) return;
  if (given instanceof Promise) {
    let timeout: ReturnType<typeof setTimeout> | undefined;
    const soon = new Promise<void>((resolve) => {
      timeout = setTimeout(resolve, SOON_MS);
    });
    await Promise.race([given.then(settle), soon]).finally(() => clearTimeout(timeout));
  } else if (Symbol.asyncIterator in given) {
    const iterator = given as AsyncGenerator;
    const first = iterator.next();
    await settle(first);
    iterator.return(undefined).catch(() => {});
  } else if ('close' in given && typeof given.close === 'function') await given.close();
}

/** What a call comes to that is neither a value nor an error of ours or of the caller's own. */
async function rawError(run: Function, args: readonly unknown[]): Promise<string | undefined> {
  try {
    await settle(run(...args));
  } catch (error) {
    if (error instanceof FinalityError || error instanceof Theirs) return undefined;
    return error instanceof Error
      ? `${error.name}: ${error.message} ${error.stack?.split('\n').slice(1, 3).join(' ')}`
      : String(error);
  }
  return undefined;
}

/** Raw errors of one function. @param memberStep 1 for all odd values in each member, n for every n-th */
export async function walk({ name, run, args }: Door, memberStep: number): Promise<readonly string[]> {
  const raw: string[] = [];
  const call = async (place: string, given: readonly unknown[]) => {
    const error = await rawError(run, given);
    if (error !== undefined) raw.push(`${name}(${place}): ${error}`);
  };
  let turn = 0;
  for (let place = 0; place <= args.length; place++) {
    const at = (value: unknown) => [...args.slice(0, place), value, ...args.slice(place + 1)];
    // One argument more than there are places is a right call, which takes as long as one.
    const odds = place === args.length ? everyNth(ODD, 6, name.length) : ODD;
    for (const [odd, make] of odds) await call(`${place}: ${odd}`, at(make()));
    const right = args[place];
    if (typeof right !== 'object' || right === null || right instanceof Uint8Array) continue;
    for (const member of Object.keys(right).slice(0, 16)) {
      for (const [odd, make] of ODD) {
        if (turn++ % memberStep !== 0) continue;
        const copy = Array.isArray(right) ? [...right] : { ...right };
        (copy as Record<string, unknown>)[member] = make();
        await call(`${place}.${member}: ${odd}`, at(copy));
      }
    }
  }
  return raw;
}

/** Rejections that nobody handles, while something runs. */
export async function unhandled(run: () => Promise<void>): Promise<readonly string[]> {
  const found: string[] = [];
  const onRejection = (error: unknown) => {
    if (!(error instanceof Theirs)) found.push(String(error));
  };
  process.on('unhandledRejection', onRejection);
  try {
    await run();
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.off('unhandledRejection', onRejection);
  }
  return found;
}
