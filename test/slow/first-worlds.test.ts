/** The first worlds, in parts: what changes the machine place by place has to be noticed by one of them, or by a test of a rule. */
import { expect, it } from 'vitest';
import { loadSubject } from '../simulation/bundle.ts';
import { runWorlds, type Tried } from '../simulation/runner.ts';

const WORLDS = 200;
const PART = 10;

let loaded: Promise<Tried> | undefined;
/** Made once, with whatever is changed in it. */
function load(): Promise<Tried> {
  loaded ??= loadSubject(`first-worlds-${process.pid}`);
  return loaded;
}

const firsts = Array.from({ length: WORLDS / PART }, (_, at) => at * PART + 1);

it.each(firsts)('break no invariant from seed %i', { timeout: 60_000 }, async (from) => {
  const { failed, finals } = await runWorlds(await load(), from, PART);
  expect(failed).toEqual([]);
  expect(finals).toBeGreaterThan(0);
});
