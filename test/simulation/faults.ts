/** Faults that worlds have found once, by what they look like from outside. */
import type { Plan } from './plan.ts';
import type { Outcome } from './world.ts';

export interface Fault {
  readonly name: string;
  /** What happened. */
  readonly words: string;
  seen(outcome: Outcome, plan: Plan): boolean;
}

const has = (outcome: Outcome, invariant: string, words: RegExp) =>
  outcome.violations.some((one) => one.invariant === invariant && words.test(one.what));
const liars = (plan: Plan, lie: (liar: Extract<Plan['servers'][number], { kind: 'liar' }>) => boolean) =>
  plan.servers.some((server) => server.kind === 'liar' && lie(server));
const runs = (plan: Plan, ...names: string[]) =>
  plan.steps.some((step) => step.kind === 'run' && names.includes(step.command.name));

export const FAULTS: readonly Fault[] = [
  {
    name: 'fork hidden by a cut',
    words:
      'a forger cuts its proof behind its first key block: honest servers, asked from there, look like liars, and the fork is final',
    seen: (outcome, plan) =>
      has(outcome, 'forks', /of the fork is final/) &&
      has(outcome, 'honest-servers', /called a liar: source\/other-chain/) &&
      liars(plan, ({ proof, cut }) => proof === 'fork' && cut !== 'none'),
  },
  {
    name: 'fork hidden by a hiccup',
    words: 'an honest server that cannot prove its block at this moment is called a liar',
    seen: (outcome) =>
      has(outcome, 'honest-servers', /called a liar: source\/(?:timeout|rate-limited|not-ready|server|upstream)/),
  },
  {
    name: 'another block',
    words: 'a block is reported for another one that was asked for by number',
    seen: (outcome) => has(outcome, 'asked-block', /./),
  },
  {
    name: 'old keys after a sleep',
    words: 'a follower that slept past the stakes of its set hands out blocks of the old keys',
    seen: (outcome, plan) => has(outcome, 'honest-chain', /of the fork/) && runs(plan, 'follow'),
  },
  {
    name: 'detour',
    words: 'a way past the target and back ends the run with a raw error',
    seen: (outcome) => has(outcome, 'typed-errors', /genUtime|without signatures|header/),
  },
  {
    name: 'honest servers out behind a liar that leads past the target',
    words: 'trust moves past the target, and a server that answers from there is put out',
    seen: (outcome, plan) =>
      has(outcome, 'honest-servers', /put out/) &&
      !has(outcome, 'honest-servers', /called a liar/) &&
      liars(plan, ({ proof, whim }) => ['overshoot', 'detour', 'cut'].includes(proof) || whim > 0) &&
      plan.adversary === 'none',
  },
  {
    name: 'follower at its checkpoint',
    words: 'a follower whose head is its checkpoint, or behind it, puts honest servers out',
    seen: (outcome, plan) =>
      runs(plan, 'follow') &&
      has(outcome, 'honest-servers', /put out/) &&
      plan.servers.every(({ kind }) => kind === 'honest'),
  },
  {
    name: 'follower held behind',
    words: 'a quick server that admits to few blocks holds a follower behind the others',
    seen: (outcome, plan) =>
      has(outcome, 'ends', /the follower is at block/) &&
      liars(plan, ({ head }) => ['held', 'older', 'truth'].includes(head)),
  },
  {
    name: 'ghosts end every run',
    words: 'servers that name a block which does not exist keep a run from its end',
    seen: (outcome, plan) =>
      has(
        outcome,
        'ends',
        /no final though a good server was there: source\/(?:not-ready|upstream|timeout|other-chain|disagree)/,
      ) &&
      liars(
        plan,
        ({ head, lookup }) =>
          ['ghost', 'echo', 'highest', 'fork', 'future'].includes(head) || ['ghost', 'fork'].includes(lookup),
      ),
  },
];
