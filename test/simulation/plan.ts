/** A world before it runs: what is random in it is drawn here, so that a plan can be kept, read and made smaller. */
import type { Command } from './port.ts';
import { random } from './random.ts';

export type HeadLie =
  | 'truth'
  | 'older'
  | 'ghost'
  | 'echo'
  | 'highest'
  | 'fork'
  | 'held'
  | 'future'
  | 'busy'
  | 'silence'
  | 'garbage'
  | 'closed';
export type LookupLie = 'truth' | 'ghost' | 'fork' | 'other' | 'not-ready' | 'busy' | 'silence' | 'garbage' | 'closed';
export type ProofLie =
  | 'truth'
  | 'fork'
  | 'overshoot'
  | 'detour'
  | 'undershoot'
  | 'cut'
  | 'prefix'
  | 'omit'
  | 'repeat'
  | 'reorder'
  | 'back'
  | 'empty'
  | 'flag'
  | 'unsigned'
  | 'elsewhere'
  | 'busy'
  | 'not-ready'
  | 'silence'
  | 'garbage'
  | 'closed';

export type ByteLie = (typeof BYTE_LIES)[number];

/** A server that has the honest history, and what is wrong with it. */
export interface HonestServer {
  readonly kind: 'honest';
  /** Names its random numbers. */
  readonly id: number;
  readonly latencyMs: number;
  readonly lagSeconds: number;
  /** Seconds by which its clock is ahead. */
  readonly skewSeconds: number;
  /** Questions out of one that are never answered, or answered with 429. */
  readonly loss: number;
  readonly busy: number;
  /** Proofs only: 429, pruned, or no answer. */
  readonly proofs: 'well' | 'busy' | 'not-ready' | 'silence';
  /** Blocks that it keeps, counted from its head. */
  readonly keeps: number;
  /** Milliseconds of the run at which it is down, from and to. */
  readonly down: readonly [number, number] | null;
  /** Milliseconds of the run at which it lacks each block that is asked for by number, from and to. No seed draws it. */
  readonly lacks?: readonly [number, number];
  /** A complete, empty answer for a block to itself; an error otherwise. */
  readonly isRust: boolean;
  /** Its operator does not take part in a hardfork. */
  readonly stays?: boolean;
}

/** A server of another network, which began with the same validators. */
export interface Stranger {
  readonly kind: 'stranger';
  readonly id: number;
  readonly latencyMs: number;
  /** It says our zerostate, and leads from our key blocks to its own. */
  readonly poses: boolean;
}

export interface Liar {
  readonly kind: 'liar';
  readonly id: number;
  readonly latencyMs: number;
  readonly skewSeconds: number;
  readonly head: HeadLie;
  readonly lookup: LookupLie;
  readonly proof: ProofLie;
  /** Questions out of one at which it does as it likes. */
  readonly whim: number;
  /** Where the ways of its fork are cut: after any key block, after the first, or not. */
  readonly cut: 'none' | 'first' | 'any';
  /** Blocks by which its heads are wrong. */
  readonly by: number;
  /** Milliseconds for a block that it admits to. */
  readonly heldMs: number;
  /** What it does to the bytes of its answers, and to how many of them out of one. Only where answers are bytes. */
  readonly bytes?: { readonly lie: ByteLie | 'any'; readonly share: number };
  /** Proofs out of one whose signatures are of a kind that nobody knows. */
  readonly newer?: number;
  /** Answers out of one that come late: just in time, or a piece at a time and so never in time. */
  readonly slow?: { readonly how: 'late' | 'drip'; readonly share: number };
}

export type ServerPlan = HonestServer | Liar | Stranger;

/**
 * The machine's clock is set, or the machine sleeps, at the n-th event of its kind: where the time is read, a question goes out, or
 * an answer or a proof comes. What is drawn in milliseconds seldom meets what a run does in one of them.
 */
export interface Moment {
  readonly at: 'read' | 'question' | 'answer' | 'proof';
  readonly nth: number;
  /** Seconds by which the clock is set, or for which the machine sleeps. */
  readonly seconds: number;
  readonly isSleep?: true;
  /** Times that it is read before the clock is right again. Without, it stays as it is. */
  readonly stays?: number;
}

export type Step =
  | {
      readonly kind: 'run';
      readonly command: Omit<Command, 'seqno'>;
      /** The block asked for: so far below the head then. */
      readonly back: number;
      /** Seconds after which the user stops it. */
      readonly seconds: number;
      /** Dies at this question, report or write. */
      readonly killAt: number | null;
      /** The machine sleeps: milliseconds after the start, and for how many seconds. */
      readonly sleep: readonly [number, number] | null;
      /** The power goes with it: what was not brought to disk is lost, or half of it is. */
      readonly isPowerCut?: boolean;
      /** The machine's clock is set: milliseconds after the start, and by how many seconds. */
      readonly clockStep?: readonly [number, number];
      readonly moment?: Moment;
      /** The disk is full: milliseconds after the start, and for how many. */
      readonly full?: readonly [number, number];
      /** Milliseconds after which the same command is started once more, on the same files. */
      readonly secondAfterMs?: number;
    }
  | { readonly kind: 'rest'; readonly seconds: number; readonly blocks: number }
  /** The user pins the newest key block anew, and drops what was kept; or what a follower kept is left there. */
  | { readonly kind: 'pin'; readonly keepsState?: boolean };

export interface Plan {
  readonly seed: number;
  readonly chain: {
    readonly keyEvery: number;
    readonly electedSeconds: number;
    readonly blocks: number;
    /** Seconds between two blocks before the user comes, and while the user is there. */
    readonly gapSeconds: number;
    readonly blockSeconds: number;
    readonly sameSetShare: number;
    readonly simplexFrom: number;
    /** Blocks out of one that are signed by a candidate that is empty. */
    readonly emptyShare?: number;
    /** No block is made: seconds of the world, and for how many. */
    readonly pause?: readonly [number, number];
    /** Milliseconds of the world from which on blocks are signed in a form that this version does not know. */
    readonly upgradeAfterMs?: number;
    /** Worlds of one name have one chain, and its blocks are made once. Set where blocks and answers are real bytes. */
    readonly pool?: string;
  };
  /** none: less than 1/3 now. old: all sets past their stakes. current: a set in office or within its stakes, too. */
  readonly adversary: 'none' | 'old' | 'current';
  readonly fork: {
    readonly offset: number;
    readonly firstKey: number;
    readonly keyEvery: number;
    readonly lead: number;
    readonly fromBase: boolean;
  };
  readonly servers: readonly ServerPlan[];
  /** Milliseconds of the world until the newest blocks are replaced by hand, and how many. */
  readonly hardfork?: { readonly afterMs: number; readonly replaces: number; readonly isSigned: boolean };
  readonly user: {
    /** Key blocks between the pinned one and the newest. */
    readonly rootBack: number;
    readonly isPinned: boolean;
    readonly isRootEvil: boolean;
    readonly knowsNetwork: boolean;
    readonly skewSeconds: number;
    /** The server that the user leaves out by name. */
    readonly without: number | null;
  };
  readonly steps: readonly Step[];
}

const HEADS: Record<HeadLie, number> = {
  truth: 6,
  older: 2,
  ghost: 3,
  echo: 1,
  highest: 1,
  fork: 3,
  held: 2,
  future: 1,
  busy: 1,
  silence: 1,
  garbage: 1,
  closed: 1,
};
const LOOKUPS: Record<LookupLie, number> = {
  truth: 6,
  ghost: 3,
  fork: 3,
  other: 1,
  'not-ready': 1,
  busy: 1,
  silence: 1,
  garbage: 1,
  closed: 1,
};
const PROOFS: Record<ProofLie, number> = {
  truth: 3,
  fork: 3,
  overshoot: 3,
  detour: 3,
  undershoot: 1,
  cut: 2,
  prefix: 1,
  omit: 1,
  repeat: 1,
  reorder: 1,
  back: 1,
  empty: 1,
  flag: 1,
  unsigned: 1,
  elsewhere: 1,
  busy: 1,
  'not-ready': 1,
  silence: 1,
  garbage: 1,
  closed: 1,
};
/**
 * What is done to an answer when it is written. flip: one bit. other: the answer to an earlier question. twice: signers who sign
 * twice, in place of enough others. stolen: signatures of another block. session: of another session. kind: those of another
 * block, said to be of the other kind.
 * pruned: no set in the configuration that is shown. header: another block's. root: a flag of the bag of cells, a hash of its root.
 */
export const BYTE_LIES = [
  'flip',
  'truncate',
  'trail',
  'constructor',
  'other',
  'huge',
  'twice',
  'stolen',
  'session',
  'kind',
  'pruned',
  'header',
  'root',
] as const;
export const HEAD_LIES = Object.keys(HEADS) as HeadLie[];
export const LOOKUP_LIES = Object.keys(LOOKUPS) as LookupLie[];
export const PROOF_LIES = Object.keys(PROOFS) as ProofLie[];

const HOUR = 3600;
const DAY = 24 * HOUR;

/**
 * Worlds of one kind, beside those in which everything is drawn by itself: what wants several things at once is rare otherwise.
 * sleeper: old keys, and a follower that sleeps past the stakes. number: a block by its number, and a liar about it who answers
 * first. newest: a follower at the very key block that is the head. forger: a fork of a set in office, and honest servers
 * that may fail. ghosts: heads that do not exist. held: a quick server that admits to a block now and then. hardfork: the newest
 * blocks are replaced by hand. strangers: a server of another network. clocks: most servers have a wrong one. restarts: a
 * follower that is killed, and started again on what it left.
 */
type Kind =
  | 'any'
  | 'sleeper'
  | 'number'
  | 'newest'
  | 'forger'
  | 'ghosts'
  | 'held'
  | 'hardfork'
  | 'strangers'
  | 'clocks'
  | 'restarts';

function ofKind(kind: Kind, plan: Plan, next: Draw): Plan {
  if (kind === 'any') return plan;
  const { chain, user, servers, fork } = plan;
  const calm = { ...user, isRootEvil: false, skewSeconds: 0, without: null };
  const young = { ...chain, gapSeconds: next.int(2, 100) };
  const kept = servers.slice(0, 5);
  const liar = makeLiar(next, 90, plan.adversary);
  const forger: Liar = { ...liar, head: 'fork', lookup: 'fork', proof: 'fork', whim: 0, skewSeconds: 0 };
  const honest = kept.filter((server) => server.kind === 'honest');
  const place = (one: Liar) => (next.chance(0.6) ? [one, ...honest] : [...honest, one]);
  const [first] = plan.steps;
  if (first?.kind !== 'run') return plan;
  const steps = (name: Command['name'], more: Partial<Extract<Step, { kind: 'run' }>>): Step[] => {
    const { witnesses } = first.command;
    const command = { name, acceptStaleStart: false, witnesses: Math.min(witnesses, honest.length) };
    return [{ ...first, command, killAt: null, sleep: null, ...more }, ...plan.steps.slice(1)];
  };
  switch (kind) {
    case 'sleeper':
      return {
        ...plan,
        adversary: 'old',
        chain: young,
        fork: { ...fork, fromBase: true },
        user: { ...calm, rootBack: next.int(0, 1) },
        servers: place(forger),
        steps: next.chance(0.3)
          ? steps(next.pick(['sync', 'latest', 'verify']), {
              seconds: 150,
              sleep: [next.int(10, 1500), next.pick([2, 7, 20]) * DAY],
            })
          : steps('follow', {
              seconds: next.int(30, 100),
              sleep: [next.int(4000, 20_000), next.pick([2, 5, 20]) * DAY],
            }),
      };
    case 'number':
      return {
        ...plan,
        adversary: 'none',
        user: calm,
        servers: place({
          ...liar,
          latencyMs: 1,
          lookup: 'ghost',
          proof: next.pick(['overshoot', 'detour', 'cut']),
          by: 1,
        }),
        steps: steps('verify', { back: next.int(0, 2 * chain.keyEvery), seconds: 150 }),
      };
    case 'newest':
      return {
        ...plan,
        adversary: 'none',
        chain: {
          ...young,
          blocks: Math.ceil(chain.blocks / chain.keyEvery) * chain.keyEvery,
          blockSeconds: next.pick([2, 15, 40]),
        },
        user: { ...calm, rootBack: 0 },
        servers: honest.length > 0 ? honest : [makeHonest(next, 91)],
        steps: steps('follow', { seconds: next.int(20, 100) }),
      };
    case 'forger':
      return {
        ...plan,
        adversary: 'current',
        chain: young,
        fork: { ...fork, fromBase: next.chance(0.7) },
        user: calm,
        servers: place({ ...forger, cut: next.pick(['first', 'any', 'none']) }),
        steps: steps(next.pick(['sync', 'latest', 'verify', 'follow']), { seconds: 120 }),
      };
    case 'held':
      return {
        ...plan,
        adversary: 'none',
        chain: { ...young, blockSeconds: next.pick([0.5, 1]) },
        user: { ...calm, rootBack: 0 },
        servers: place({ ...liar, latencyMs: 1, head: 'held', lookup: 'truth', proof: 'truth', whim: 0 }).concat(
          wellServer(next, 93),
        ),
        steps: steps('follow', { seconds: next.int(80, 110) }),
      };
    case 'hardfork': {
      const again = steps(next.pick(['sync', 'latest', 'verify', 'prove']), { seconds: 150, back: next.int(1, 12) });
      const rest = (): Step => ({ kind: 'rest', seconds: next.pick([5, 60, 600]), blocks: next.int(0, 20) });
      return {
        ...plan,
        adversary: 'none',
        chain: young,
        user: { ...calm, rootBack: next.int(0, 2) },
        hardfork: { afterMs: next.int(0, 40_000), replaces: next.int(1, 8), isSigned: next.chance(0.5) },
        servers: [
          ...(next.chance(0.3) ? [{ ...liar, latencyMs: 1 }] : []),
          ...honest.map((server): HonestServer => (next.chance(0.3) ? { ...server, stays: true } : server)),
          wellServer(next, 93),
        ],
        steps: [
          ...steps(next.pick(['follow', 'follow', 'sync', 'verify']), { seconds: next.int(50, 90) }).slice(0, 1),
          rest(),
          ...again.slice(0, 1),
          rest(),
          ...(next.chance(0.7) ? [{ kind: 'pin' } as const] : []),
          ...steps(next.pick(['sync', 'verify', 'follow']), { seconds: 80 }).slice(0, 1),
        ],
      };
    }
    case 'strangers': {
      const strangers = Array.from(
        { length: next.int(1, 3) },
        (_, at): Stranger => ({
          kind: 'stranger',
          id: 94 + at,
          latencyMs: next.pick([1, 30, 400]),
          poses: next.chance(0.5),
        }),
      );
      const name = next.pick(['sync', 'latest', 'verify', 'prove', 'follow'] as const);
      return {
        ...plan,
        adversary: 'none',
        chain: young,
        user: { ...calm, rootBack: next.int(0, 3) },
        servers: next.chance(0.6) ? [...strangers, ...honest, wellServer(next, 93)] : [...honest, ...strangers],
        steps: steps(name, { seconds: name === 'follow' ? 80 : 150 }),
      };
    }
    case 'clocks': {
      const side = next.pick([-1, 1]);
      const wrong = [0, 1, 2].map(
        (at): HonestServer => ({ ...wellServer(next, 94 + at), skewSeconds: side * next.pick([40, 600, DAY]) }),
      );
      const all = [...wrong, wellServer(next, 93)];
      return {
        ...plan,
        chain: young,
        user: calm,
        servers: next.chance(0.7) ? [{ ...liar, latencyMs: 1 }, ...all] : all.reverse(),
        steps: steps(next.pick(['sync', 'latest', 'verify', 'follow']), { seconds: 90 }),
      };
    }
    case 'restarts': {
      const isSynced = next.chance(0.5);
      const run = (killAt: number | null): Step[] =>
        steps('follow', {
          seconds: next.int(15, 40),
          killAt,
          isPowerCut: killAt !== null && next.chance(0.4),
          command: {
            name: 'follow',
            witnesses: 0,
            acceptStaleStart: false,
            signEverySeconds: next.pick([0, 1, 5]),
            hasState: true,
            isSynced,
            ...(next.chance(0.3) ? { consumerMs: next.pick([40, 200, 3000]) } : {}),
          },
        }).slice(0, 1);
      const rest = (): Step => ({ kind: 'rest', seconds: next.pick([1, 30, 600]), blocks: next.int(0, 5) });
      return {
        ...plan,
        chain: { ...young, blockSeconds: next.pick([0.5, 1, 2]) },
        user: { ...calm, rootBack: next.int(0, 1) },
        servers: [...(next.chance(0.6) ? [{ ...liar, latencyMs: 1 }] : []), ...kept, wellServer(next, 93)],
        steps: [
          ...run(next.int(1, 60)),
          rest(),
          ...run(next.int(20, 400)),
          ...run(next.int(20, 400)),
          rest(),
          ...run(null),
        ],
      };
    }
    case 'ghosts':
      return {
        ...plan,
        chain: young,
        user: calm,
        servers: [
          ...kept,
          wellServer(next, 93),
          {
            ...liar,
            head: 'ghost',
            lookup: next.pick(['ghost', 'truth']),
            proof: next.pick(['elsewhere', 'truth', 'silence', 'busy']),
          },
          { ...makeLiar(next, 92, 'none'), head: next.pick(['ghost', 'echo', 'highest']) },
        ],
        steps: steps(next.pick(['sync', 'latest', 'verify']), { seconds: 150 }),
      };
  }
}

export function makePlan(seed: number): Plan {
  const next = random('kind', seed);
  const usual = next.weighted<Kind>({ any: 62, sleeper: 8, number: 7, newest: 5, forger: 9, ghosts: 6, held: 3 });
  const more = random('more', seed).weighted<Kind>({ any: 88, hardfork: 4, strangers: 4, clocks: 2, restarts: 2 });
  const kind = more === 'any' ? usual : more;
  const events = random('events', seed);
  const plan = withSlow(ofKind(kind, anyPlan(seed), next), events);
  const { chain, servers, upgradeAfterMs } = withUpgrade(plan, random('newer', seed));
  const pause = events.chance(0.04) ? ([events.int(-30, 40), events.int(20, 300)] as const) : undefined;
  return {
    ...plan,
    servers,
    chain: {
      ...chain,
      ...upgradeAfterMs,
      emptyShare: events.pick([0, 0.3]),
      ...(pause === undefined ? {} : { pause }),
    },
    steps: kind === 'any' ? plan.steps.map((step) => withEvents(step, events)) : plan.steps,
  };
}

/** A liar may say that the network is newer than this program, and it may become so. */
function withUpgrade({ chain, servers }: Plan, next: Draw) {
  const isUpgraded = next.chance(0.03);
  const afterMs = next.int(-20_000, 60_000);
  return {
    chain,
    upgradeAfterMs: isUpgraded ? { upgradeAfterMs: afterMs } : {},
    servers: servers.map((server): ServerPlan => {
      const [isSaid, newer] = [next.chance(0.1), next.pick([0.3, 1])];
      return server.kind === 'liar' && isSaid ? { ...server, newer } : server;
    }),
  };
}

function withSlow(plan: Plan, next: Draw): Plan {
  const servers = plan.servers.map((server): ServerPlan => {
    if (server.kind !== 'liar' || !next.chance(0.12)) return server;
    return { ...server, slow: { how: next.pick(['late', 'drip']), share: next.pick([0.3, 1]) } };
  });
  return { ...plan, servers };
}

/** What may happen to a machine and to its user while a command runs. */
function withEvents(step: Step, next: Draw): Step {
  if (step.kind === 'pin') return { ...step, keepsState: next.chance(0.4) };
  if (step.kind !== 'run') return step;
  const { command, killAt, sleep } = step;
  const { name } = command;
  const keepsFiles = name === 'sync' || name === 'follow';
  return {
    ...step,
    command: {
      ...command,
      ...(next.chance(0.04) ? { strict: true } : {}),
      ...(next.chance(0.04) && name !== 'follow' ? { maxHeadAgeSeconds: next.pick([5, 60, 86_400]) } : {}),
      ...(next.chance(sleep === null ? 0.7 : 0.2) && name === 'follow' ? { hasState: true } : {}),
      ...(next.chance(0.4) && name === 'follow' ? { isSynced: true } : {}),
    },
    ...(killAt === null
      ? {}
      : { killAt: next.pick([killAt, next.int(1, 20), next.int(1, 300)]), isPowerCut: next.chance(0.4) }),
    ...(next.chance(0.07) && name !== 'follow'
      ? { sleep: [next.int(10, 5000), next.pick([5, 60, HOUR, 7 * DAY, 20 * DAY])] as const }
      : {}),
    ...(next.chance(0.05)
      ? { clockStep: [next.int(100, 20_000), next.pick([-1, 1]) * next.pick([1, 3, 40, 600, DAY])] as const }
      : {}),
    ...(next.chance(0.06) && keepsFiles ? { full: [next.int(0, 20_000), next.int(1000, 30_000)] as const } : {}),
    ...(next.chance(0.04) && keepsFiles ? { secondAfterMs: next.pick([0, 50, 1000, 12_000]) } : {}),
    ...(next.chance(0.05) && name !== 'follow' ? { seconds: next.pick([0.05, 0.5, 2, 8]) } : {}),
  };
}

function anyPlan(seed: number): Plan {
  const next = random('plan', seed);
  const adversary = next.weighted({ none: 40, old: 35, current: 25 });
  const keyEvery = next.int(3, 16);
  const blocks = keyEvery + next.int(0, 90);
  const isLong = next.chance(0.5);
  // Young: trust begins within the stakes whatever block is pinned. Old: it begins days before, or at a key block that is new.
  const gapSeconds = isLong ? next.int(2 * HOUR, DAY) : next.int(2, 200);
  const keyBlocks = Math.floor(blocks / keyEvery);
  const chain = {
    keyEvery,
    electedSeconds: Math.max(next.int(HOUR, 18 * HOUR), keyEvery * Math.min(gapSeconds, 2 * HOUR)),
    blocks,
    gapSeconds,
    blockSeconds: next.pick([0.5, 1, 2, 4]),
    sameSetShare: next.pick([0, 0.3, 0.8]),
    simplexFrom: next.pick([0, 0, next.int(1, blocks + 20), 1e9]),
  };
  const count = next.pick([1, 2, 2, 3, 3, 3, 4, 4, 5, 6, 8, 12]);
  const liars = next.weighted({ some: 75, none: 15, all: 10 });
  const share = next.pick([0.2, 0.4, 0.6]);
  const servers = Array.from({ length: count }, (_, at): ServerPlan => {
    const isLiar = liars === 'all' || (liars === 'some' && (next.chance(share) || (at === 0 && next.chance(0.6))));
    return isLiar ? makeLiar(next, at, adversary) : makeHonest(next, at);
  });
  return {
    seed,
    chain,
    adversary,
    fork: {
      offset: next.int(1, keyEvery),
      firstKey: next.pick([0, 0, 1, 2, next.int(0, 12)]),
      keyEvery: next.int(1, 10),
      lead: next.pick([0, 0, 1, 5]),
      fromBase: next.chance(0.7),
    },
    servers,
    user: {
      rootBack: next.pick([0, 0, 1, 2, next.int(0, keyBlocks), keyBlocks]),
      isPinned: next.chance(0.3),
      isRootEvil: adversary !== 'none' && next.chance(0.06),
      knowsNetwork: next.chance(0.7),
      skewSeconds: next.chance(0.08) ? next.pick([-1, 1]) * next.pick([40, 600, DAY, 30 * DAY]) : next.int(-5, 5),
      without: count > 1 && next.chance(0.03) ? next.int(0, count - 1) : null,
    },
    steps: makeSteps(next, blocks, count),
  };
}

type Draw = ReturnType<typeof random>;

function makeHonest(next: Draw, id: number): HonestServer {
  const isWell = next.chance(0.6);
  const often = <T>(share: number, value: T, otherwise: T) => (!isWell && next.chance(share) ? value : otherwise);
  return {
    kind: 'honest',
    id,
    latencyMs: often(0.2, 2500, next.pick([5, 30, 80, 150, 400])),
    lagSeconds: often(0.3, next.int(3, 90), next.pick([0, 0, 1])),
    skewSeconds: often(0.15, next.pick([-1, 1]) * next.pick([60, 900, DAY]), next.int(-3, 3)),
    loss: often(0.25, 0.2, 0),
    busy: often(0.25, 0.3, 0),
    proofs: often<HonestServer['proofs']>(0.35, next.pick(['busy', 'not-ready', 'silence']), 'well'),
    keeps: often(0.15, next.int(5, 40), 1e9),
    down: often<readonly [number, number] | null>(0.2, [next.int(0, 20_000), next.int(20_000, 60_000)], null),
    isRust: next.chance(0.4),
  };
}

/** An honest server with nothing wrong. */
function wellServer(next: Draw, id: number): HonestServer {
  const well = { lagSeconds: 0, skewSeconds: 0, loss: 0, busy: 0, proofs: 'well', keeps: 1e9, down: null } as const;
  return { ...makeHonest(next, id), ...well, latencyMs: next.pick([30, 150]) };
}

function makeLiar(next: Draw, id: number, adversary: Plan['adversary']): Liar {
  const common = {
    kind: 'liar' as const,
    id,
    latencyMs: next.pick([1, 1, 5, 30, 150, 400]),
    skewSeconds: next.chance(0.1) ? next.pick([-1, 1]) * next.pick([60, 3600, DAY]) : 0,
    cut: next.weighted({ none: 2, first: 2, any: 1 }),
    by: next.pick([1, 2, 5, 33, 100]),
    heldMs: next.pick([2500, 5000, 10_000]),
    whim: next.pick([0, 0, 0, 0.1, 0.4]),
  };
  if (adversary !== 'none' && next.chance(0.6)) return { ...common, head: 'fork', lookup: 'fork', proof: 'fork' };
  const proof = next.weighted(PROOFS);
  return { ...common, head: next.weighted(HEADS), lookup: next.weighted(LOOKUPS), proof };
}

function makeSteps(next: Draw, blocks: number, servers: number): Step[] {
  const run = (name: Command['name'], seconds: number, more: Partial<Extract<Step, { kind: 'run' }>> = {}): Step => ({
    kind: 'run',
    command: {
      name,
      witnesses: next.chance(0.75) ? 0 : Math.min(servers - 1, next.int(1, 3)),
      acceptStaleStart: next.chance(0.04),
      ...(name === 'follow' ? { signEverySeconds: next.pick([5, 5, 5, 1, 0]) } : {}),
      ...(name === 'follow' && next.chance(0.15) ? { consumerMs: next.pick([200, 3000, 20_000]) } : {}),
      ...(name === 'follow' && next.chance(0.06) ? { throwsAt: next.int(0, 20) } : {}),
    },
    back: Math.max(name === 'prove' ? 1 : 0, next.pick([0, 1, next.int(0, 20), next.int(0, blocks)])),
    seconds,
    killAt: next.chance(0.12) ? next.int(1, 60) : null,
    sleep: null,
    ...more,
  });
  const rest = (): Step => ({
    kind: 'rest',
    seconds: next.pick([5, 600, 6 * HOUR, 2 * DAY, 20 * DAY]),
    blocks: next.pick([0, 2, 10, 40]),
  });
  const follow = (): Step =>
    run('follow', next.int(20, 100), {
      sleep: next.chance(0.3) ? [next.int(1000, 30_000), next.pick([60, HOUR, 2 * DAY, 20 * DAY])] : null,
    });
  const once = (): Step => {
    const name = next.weighted({ sync: 30, verify: 25, latest: 8, prove: 10, follow: 30 });
    return name === 'follow' ? follow() : run(name, 150);
  };
  const steps: Step[] = [once()];
  while (steps.length < 5 && next.chance(0.35)) {
    if (next.chance(0.5)) steps.push(rest());
    else if (next.chance(0.2)) steps.push({ kind: 'pin' });
    steps.push(once());
  }
  return steps;
}

function wordsOfMoment({ at, nth, seconds, isSleep, stays }: Moment): string {
  const when = `at ${at} ${nth}`;
  if (isSleep === true) return `asleep ${when} for ${seconds} s`;
  return `the clock is set by ${seconds} s ${when}${stays === undefined ? '' : `, and is right again once it was read ${stays} times`}`;
}

/** The world in words. */
export function describe(plan: Plan): string[] {
  const { chain, adversary, servers, user, steps, fork } = plan;
  const lines = [
    `a chain of ${chain.blocks} blocks, ${chain.gapSeconds} s apart, then ${chain.blockSeconds} s; a key block every ${chain.keyEvery}, elected for ${chain.electedSeconds} s${chain.pause === undefined ? '' : `; no block for ${chain.pause[1]} s after ${chain.pause[0]} s`}`,
    adversary === 'none'
      ? 'the adversary holds less than 1/3 of any set'
      : `the adversary holds more than 2/3 of ${adversary === 'old' ? 'sets whose stakes are over' : 'a set within its stakes'}; its fork has its first key block ${fork.firstKey} blocks after its first, then one every ${fork.keyEvery}`,
    `the user pins the key block ${user.rootBack} before the newest${user.isPinned ? ', by its id alone' : ''}${user.isRootEvil ? ", which is the adversary's" : ''}; the machine's clock is ${user.skewSeconds} s ahead${user.without === null ? '' : `; server ${user.without} is left out by name`}`,
  ];
  if (plan.hardfork !== undefined) {
    const { afterMs, replaces, isSigned } = plan.hardfork;
    lines.push(
      `after ${afterMs} ms a hardfork replaces the newest ${replaces} blocks, and validators ${isSigned ? 'sign' : 'do not sign'} it`,
    );
  }
  for (const [at, server] of servers.entries()) {
    if (server.kind === 'stranger') {
      lines.push(
        `server ${at} is of another network${server.poses ? ', and poses as one of ours' : ''}: ${server.latencyMs} ms`,
      );
    } else if (server.kind === 'liar') {
      lines.push(
        `server ${at} lies: head ${server.head}, lookup ${server.lookup}, proof ${server.proof}; whim ${server.whim}, cut ${server.cut}, by ${server.by}, ${server.latencyMs} ms, clock ${server.skewSeconds} s${server.bytes === undefined ? '' : `; ${server.bytes.share} of its answers have their bytes changed: ${server.bytes.lie}`}${server.slow === undefined ? '' : `; ${server.slow.share} of them ${server.slow.how === 'late' ? 'come late' : 'drip'}`}`,
      );
    } else {
      const { latencyMs, lagSeconds, skewSeconds, loss, busy, proofs, keeps, down, lacks, stays } = server;
      lines.push(
        `server ${at} is honest: ${latencyMs} ms, ${lagSeconds} s behind, clock ${skewSeconds} s, loss ${loss}, busy ${busy}, proofs ${proofs}, keeps ${keeps}${down === null ? '' : `, down from ${down[0]} to ${down[1]} ms`}${lacks === undefined ? '' : `, lacks blocks from ${lacks[0]} to ${lacks[1]} ms`}${stays === true ? ', takes no part in a hardfork' : ''}`,
      );
    }
  }
  for (const step of steps) {
    if (step.kind === 'rest') lines.push(`then ${step.seconds} s and ${step.blocks} blocks go by`);
    else if (step.kind === 'pin')
      lines.push(`then the user pins the newest key block${step.keepsState === true ? ', and leaves the state' : ''}`);
    else {
      const { command, back, seconds, killAt, sleep } = step;
      const { clockStep, moment, full, secondAfterMs, isPowerCut } = step;
      const more = [
        ...(command.strict === true ? [', strict'] : []),
        ...(command.maxHeadAgeSeconds === undefined ? [] : [`, a head of at most ${command.maxHeadAgeSeconds} s`]),
        ...(command.hasState === true ? [`, with a state${command.isSynced === true ? ' brought to disk' : ''}`] : []),
        ...(isPowerCut === true ? [', by a power cut'] : []),
        ...(clockStep === undefined ? [] : [`, the clock is set by ${clockStep[1]} s after ${clockStep[0]} ms`]),
        ...(moment === undefined ? [] : [`, ${wordsOfMoment(moment)}`]),
        ...(full === undefined ? [] : [`, the disk is full for ${full[1]} ms after ${full[0]} ms`]),
        ...(secondAfterMs === undefined ? [] : [`, a second one is started after ${secondAfterMs} ms`]),
      ].join('');
      lines.push(
        `${command.name}${command.name === 'verify' || command.name === 'prove' ? ` of the block ${back} below the head or the base` : ''}, witnesses ${command.witnesses}${command.acceptStaleStart ? ', stale start accepted' : ''}${command.consumerMs === undefined ? '' : `, consumer takes ${command.consumerMs} ms`}${command.throwsAt === undefined ? '' : `, consumer throws at ${command.throwsAt}`}, at most ${seconds} s${killAt === null ? '' : `, killed at action ${killAt}`}${sleep === null ? '' : `, asleep after ${sleep[0]} ms for ${sleep[1]} s`}${more}`,
      );
    }
  }
  return lines;
}
