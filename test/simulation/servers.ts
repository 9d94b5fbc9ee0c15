/** Servers of a world: what each answers to a question, and after how many milliseconds. */
import type { BlockIdExt } from '../../src/core/block/block-id.ts';
import {
  type Block,
  backLink,
  type Chain,
  forwardLink,
  ghost,
  type History,
  honestLinks,
  type LinkToken,
  type ProofToken,
  rulerAfter,
  type Strangers,
  sameId,
} from './chain.ts';
import {
  BYTE_LIES,
  HEAD_LIES,
  type HeadLie,
  type HonestServer,
  type Liar,
  LOOKUP_LIES,
  type LookupLie,
  PROOF_LIES,
  type ProofLie,
  type Stranger,
} from './plan.ts';
import type { Answer, Question } from './port.ts';
import { type Random, random } from './random.ts';

export interface Scene {
  readonly seed: number;
  readonly honest: Chain;
  /** Another network. */
  readonly strangers: Strangers;
  /** The adversary's history, from when it can make one. */
  fork(): Chain | undefined;
  /** Unix seconds, the true ones. */
  now(): number;
  /** Milliseconds since the run began. */
  runMs(): number;
  /** Unix seconds from which on blocks are signed in a form that this version does not know. */
  readonly upgradeAt: number;
  /** Blocks that liars have named and that are on no history. */
  readonly ghosts: Block[];
}

/** `undefined`: never. */
export type Reply = { readonly afterMs: number; readonly answer: Answer } | undefined;

const error = (code: number, text: string): Answer => ({ kind: 'error', code, text });
const NOT_READY = error(651, 'block is not in db');
const BUSY = error(429, 'too many requests');
const TIMEOUT = error(652, 'timeout');
const UNKNOWN = error(-400, 'block is unknown from the perspective of reference block');

export class Server {
  readonly plan: HonestServer | Liar | Stranger;
  readonly index: number;
  readonly #scene: Scene;
  readonly #random: Random;
  #named: Block | undefined;
  #heldSince: { readonly seqno: number; readonly atMs: number } | undefined;

  constructor(plan: HonestServer | Liar | Stranger, index: number, scene: Scene) {
    this.plan = plan;
    this.index = index;
    this.#scene = scene;
    this.#random = random('server', scene.seed, plan.id);
  }

  /** Nothing is wrong with it. */
  get isWell(): boolean {
    const { plan } = this;
    return (
      plan.kind === 'honest' &&
      plan.latencyMs <= 400 &&
      plan.lagSeconds <= 1 &&
      Math.abs(plan.skewSeconds) <= 5 &&
      plan.loss === 0 &&
      plan.busy === 0 &&
      plan.proofs === 'well' &&
      plan.keeps >= 1e9 &&
      plan.down === null &&
      !this.isBehind
    );
  }

  /** It took no part in the hardfork that was. */
  get isBehind(): boolean {
    return this.plan.kind === 'honest' && this.plan.stays === true && this.#scene.honest.before !== undefined;
  }

  /** The history that it has if it is honest. */
  get #own(): History {
    const { honest } = this.#scene;
    return this.isBehind ? honest.before! : honest; // it is behind something
  }

  /** The newest block that it has at a time. */
  headAt(unixSeconds: number): Block {
    const lag = this.plan.kind === 'honest' ? this.plan.lagSeconds : 0;
    const { blocks } = this.#own;
    let at = blocks.length - 1;
    while (at > 0 && blocks[at]!.genUtime + lag > unixSeconds) at -= 1;
    return blocks[at]!;
  }

  /** What it answers. Called again while it waits for a block. `undefined`: never */
  reply(question: Question): Reply {
    const reply = this.#reply(question);
    return reply?.answer.kind === 'proof' ? { ...reply, answer: this.#inItsForm(reply.answer) } : reply;
  }

  #inItsForm(answer: Extract<Answer, { kind: 'proof' }>): Answer {
    const { upgradeAt } = this.#scene;
    const isUpgraded = answer.proof.links.some(
      (link) => link.kind === 'forward' && link.dest.chain === 'honest' && link.dest.genUtime >= upgradeAt,
    );
    const isSaid = this.plan.kind === 'liar' && this.plan.newer !== undefined && this.#random.chance(this.plan.newer);
    return isUpgraded || isSaid ? { kind: 'proof', proof: { ...answer.proof, isNewer: true } } : answer;
  }

  #reply(question: Question): Reply {
    const { plan } = this;
    if (plan.kind === 'stranger') return this.#strangely(plan, question);
    return plan.kind === 'honest' ? this.#honestly(plan, question) : this.#lying(plan, question);
  }

  #jitter(ms: number): number {
    return ms * (0.8 + 0.4 * this.#random());
  }

  /** The truth, by a chain that it has up to a head. */
  #true(question: Question, chain: History, head: Block, keeps: number, isRust: boolean, skew: number): Answer {
    const { honest } = this.#scene;
    const now = () => this.#scene.now();
    const isKept = (seqno: number) => seqno === 0 || seqno > head.seqno - keeps;
    switch (question.kind) {
      case 'head':
        return { kind: 'head', last: head.id, utime: head.genUtime, now: now() + skew, zerostate: honest.zerostate.id };
      case 'lookup':
      case 'header': {
        const seqno = question.kind === 'lookup' ? question.seqno : question.id.seqno;
        const block = seqno <= head.seqno && seqno > 0 && isKept(seqno) ? chain.at(seqno) : undefined;
        if (block === undefined || (question.kind === 'header' && !sameId(block.id, question.id))) return NOT_READY;
        return { kind: 'header', id: block.id, block };
      }
      case 'proof': {
        const { known, target } = question;
        for (const id of [known, target]) {
          if (id.seqno > head.seqno || !isKept(id.seqno)) return NOT_READY;
          if (!chain.has(id)) return UNKNOWN;
        }
        if (sameId(known, target) && !isRust) return error(-400, 'known and target are one block');
        const way = honestLinks(chain, chain.at(known.seqno)!, chain.at(target.seqno)!);
        if (way === undefined) return error(-400, 'no proof of a hardfork');
        const { links, reached } = way;
        const complete = reached.seqno === target.seqno;
        return { kind: 'proof', proof: { complete, from: known, to: reached.id, links } };
      }
      case 'other':
        return error(621, 'unknown query');
    }
  }

  /** Milliseconds until it has the block that the question waits for; 0 where it has it. */
  #waitFor({ wait }: Question, head: Block, chain: History, lag: number): number | 'timeout' {
    if (wait === undefined || wait.seqno <= head.seqno) return 0;
    const block = chain.at(wait.seqno);
    // A block that is still to be made: it is looked for again.
    if (block === undefined) return wait.ms <= 0 ? 'timeout' : Math.min(wait.ms, 250);
    return Math.max(1, (block.genUtime + lag - this.#scene.now()) * 1000);
  }

  #honestly(plan: HonestServer, question: Question): Reply {
    const ms = this.#scene.runMs();
    if (plan.down !== null && ms >= plan.down[0] && ms < plan.down[1])
      return { afterMs: 20, answer: { kind: 'closed' } };
    const afterMs = this.#jitter(plan.latencyMs);
    if (this.#random.chance(plan.loss)) return undefined;
    if (this.#random.chance(plan.busy)) return { afterMs, answer: BUSY };
    const head = this.headAt(this.#scene.now());
    const waitMs = this.#waitFor(question, head, this.#own, plan.lagSeconds);
    if (waitMs === 'timeout' || waitMs > (question.wait?.ms ?? 0))
      return { afterMs: afterMs + (question.wait?.ms ?? 0), answer: TIMEOUT };
    if (waitMs > 0) {
      const wait = { seqno: question.wait!.seqno, ms: question.wait!.ms - waitMs };
      return { afterMs: waitMs, answer: { kind: 'again', wait } as unknown as Answer }; // the world asks again
    }
    const { lacks } = plan;
    if (question.kind === 'lookup' && lacks !== undefined && ms >= lacks[0] && ms < lacks[1])
      return { afterMs, answer: NOT_READY };
    if (question.kind === 'proof' && plan.proofs !== 'well') {
      if (plan.proofs === 'silence') return undefined;
      return { afterMs, answer: plan.proofs === 'busy' ? BUSY : NOT_READY };
    }
    return {
      afterMs,
      answer: this.#true(question, this.#own, head, plan.keeps, plan.isRust, plan.skewSeconds),
    };
  }

  /** By the history of another network: from a block of ours as well, where the same validators signed both. */
  #strangely({ poses, latencyMs }: Stranger, question: Question): Reply {
    const { strangers, honest } = this.#scene;
    const afterMs = this.#jitter(latencyMs);
    const head = strangers.twin(this.headAt(this.#scene.now()));
    const answer = this.#true(question, strangers, head, 1e9, true, 0);
    if (question.kind === 'head' && !poses)
      return { afterMs, answer: { ...answer, zerostate: strangers.at(0)!.id } as Answer };
    if (question.kind !== 'proof' || !poses || !honest.has(question.known) || !strangers.has(question.target))
      return { afterMs, answer };
    const { known, target } = question;
    const source = rulerAfter(honest.at(known.seqno)!);
    const way = honestLinks(strangers, strangers.twin(source), strangers.at(target.seqno)!);
    if (way === undefined || target.seqno <= source.seqno || way.links.length === 0) return { afterMs, answer };
    const [, ...rest] = way.links;
    const first = forwardLink(source, strangers.at(way.links[0]!.to.seqno)!); // there is one
    const back = source.seqno === known.seqno ? [] : [backLink(honest.at(known.seqno)!, source)];
    const links = [...back, first, ...rest];
    const complete = sameId(way.reached.id, target);
    return { afterMs, answer: { kind: 'proof', proof: { complete, from: known, to: way.reached.id, links } } };
  }

  #ghostAt(seqno: number, isKey = false): Block {
    if (this.#named?.seqno === seqno) return this.#named;
    const made = ghost(this.#scene.honest, seqno, `ghost ${this.index}`, Math.floor(this.#scene.now()), isKey);
    this.#named = made;
    this.#scene.ghosts.push(made);
    return made;
  }

  #lying(plan: Liar, question: Question): Reply {
    const isWhim = this.#random.chance(plan.whim);
    const pick = <T extends string>(own: T, all: readonly T[]): T => (isWhim ? this.#random.pick(all) : own);
    const afterMs = this.#jitter(plan.latencyMs);
    let answer: Answer | undefined;
    if (question.kind === 'head') answer = this.#headLie(plan, pick<HeadLie>(plan.head, HEAD_LIES));
    else if (question.kind === 'lookup') answer = this.#lookupLie(question, pick<LookupLie>(plan.lookup, LOOKUP_LIES));
    else if (question.kind === 'proof') answer = this.#proofLie(plan, question, pick<ProofLie>(plan.proof, PROOF_LIES));
    else answer = this.#true(question, this.#chain(), this.#chain().head, 1e9, true, 0);
    if (answer === undefined) return undefined;
    if (plan.bytes !== undefined && answer.kind !== 'closed' && this.#random.chance(plan.bytes.share)) {
      const lie = plan.bytes.lie === 'any' ? this.#random.pick(BYTE_LIES) : plan.bytes.lie;
      answer = { kind: 'spoiled', lie, answer, random: this.#random };
    }
    if (plan.slow !== undefined && this.#random.chance(plan.slow.share)) {
      const { how } = plan.slow;
      return { afterMs: how === 'late' ? this.#random.int(900, 9500) : this.#random.int(20_000, 90_000), answer };
    }
    // One that says nothing new yet waits as long as it was asked to, so as to be no slower than others.
    return { afterMs: isWhim && this.#random.chance(0.2) ? afterMs + this.#random.int(3000, 12_000) : afterMs, answer };
  }

  #chain(): Chain {
    return this.#scene.fork() ?? this.#scene.honest;
  }

  #common(lie: string): Answer | 'silence' | undefined {
    if (lie === 'busy') return BUSY;
    if (lie === 'not-ready') return NOT_READY;
    if (lie === 'garbage') return { kind: 'garbage' };
    if (lie === 'closed') return { kind: 'closed' };
    return lie === 'silence' ? 'silence' : undefined;
  }

  #headLie(plan: Liar, lie: HeadLie): Answer | undefined {
    const common = this.#common(lie);
    if (common !== undefined) return common === 'silence' ? undefined : common;
    const { honest, ghosts } = this.#scene;
    const now = () => this.#scene.now();
    const head = this.headAt(now());
    const told = (block: Block, utime = block.genUtime): Answer => ({
      kind: 'head',
      last: block.id,
      utime,
      now: now() + plan.skewSeconds,
      zerostate: honest.zerostate.id,
    });
    switch (lie) {
      case 'older':
        return told(honest.at(Math.max(1, head.seqno - plan.by)) ?? head);
      case 'ghost':
        return told(this.#named ?? this.#ghostAt(head.seqno + plan.by));
      case 'echo':
        return told(ghosts[0] ?? this.#ghostAt(head.seqno + plan.by));
      case 'highest':
        return told(this.#ghostAt(2 ** 31 - 1));
      case 'fork':
        return told(
          this.#chain().head.genUtime > now() + 5 ? (this.#chain().at(head.seqno) ?? head) : this.#chain().head,
        );
      case 'held': {
        const nowMs = now() * 1000;
        this.#heldSince ??= { seqno: head.seqno, atMs: nowMs };
        const { seqno, atMs } = this.#heldSince;
        return told(honest.at(Math.min(head.seqno, seqno + Math.floor((nowMs - atMs) / plan.heldMs))) ?? head);
      }
      case 'future':
        return told(this.#ghostAt(head.seqno + plan.by), Math.floor(now()) + 7200);
      default:
        return told(head);
    }
  }

  #lookupLie(question: Extract<Question, { kind: 'lookup' }>, lie: LookupLie): Answer | undefined {
    const common = this.#common(lie);
    if (common !== undefined) return common === 'silence' ? undefined : common;
    const { honest } = this.#scene;
    const now = () => this.#scene.now();
    const { seqno } = question;
    const header = (block: Block | undefined): Answer =>
      block === undefined || block.seqno === 0 ? NOT_READY : { kind: 'header', id: block.id, block };
    switch (lie) {
      case 'ghost':
        return header(this.#named?.seqno === seqno ? this.#named : this.#ghostAt(seqno, seqno % 7 === 0));
      case 'fork':
        return header(this.#chain().at(seqno));
      case 'other':
        return header(honest.at(seqno + 1) ?? honest.at(seqno - 1));
      default:
        return this.#true(question, honest, this.headAt(now()), 1e9, true, 0);
    }
  }

  #proofLie(plan: Liar, question: Extract<Question, { kind: 'proof' }>, lie: ProofLie): Answer | undefined {
    const common = this.#common(lie);
    if (common !== undefined) return common === 'silence' ? undefined : common;
    const { known, target } = question;
    const chain = lie === 'fork' ? this.#chain() : this.#scene.honest;
    const head = lie === 'fork' ? chain.head : this.headAt(this.#scene.now());
    const from = [chain, this.#scene.honest, this.#chain()].find((one) => one.has(known))?.at(known.seqno);
    if (from === undefined) return UNKNOWN;
    const on = chain.has(known) ? chain : this.#scene.honest.has(known) ? this.#scene.honest : this.#chain();
    const end = (on.has(target) ? on.at(target.seqno) : on.at(Math.min(target.seqno, head.seqno))) ?? on.head;
    const proof = (links: readonly LinkToken[], complete: boolean): Answer => {
      const to: BlockIdExt = links.at(-1)?.to ?? known;
      return { kind: 'proof', proof: { complete, from: known, to, links } satisfies ProofToken };
    };
    const way = (to: Block) => honestLinks(on, from, to) ?? { links: [], reached: from };
    const truth = way(end);
    const isWhole = sameId(truth.reached.id, target);
    const { links } = truth;
    const keyBlocks = links.filter(({ toKeyBlock, kind }) => toKeyBlock && kind === 'forward').length;
    /** The links up to the n-th key block. */
    const upTo = (nth: number) => {
      const kept: LinkToken[] = [];
      for (const link of links) {
        kept.push(link);
        if (link.kind === 'forward' && link.toKeyBlock && --nth <= 0) break;
      }
      return kept;
    };
    switch (lie) {
      case 'fork': {
        if (plan.cut === 'none' || keyBlocks === 0 || links.length < 2) return proof(links, isWhole);
        return proof(upTo(plan.cut === 'first' ? 1 : this.#random.int(1, keyBlocks)), false);
      }
      case 'overshoot':
      case 'detour': {
        if (from.seqno >= target.seqno) return BUSY; // it has led past the target, and leaves the others there
        const past =
          on.nextKeyBlock(Math.max(target.seqno, from.seqno), head.seqno) ?? on.nextKeyBlock(from.seqno, head.seqno);
        if (past === undefined) return proof(links, isWhole);
        const out = way(past);
        if (lie === 'overshoot') return proof(out.links, plan.by > 30);
        const back = on.at(target.seqno);
        if (back === undefined || out.reached !== past || back.seqno >= past.seqno) return proof(out.links, false);
        return proof([...out.links, backLink(past, back)], true);
      }
      case 'undershoot':
        return proof(upTo(1), true);
      case 'cut':
        return keyBlocks === 0 ? proof(links, isWhole) : proof(upTo(this.#random.int(1, keyBlocks)), false);
      case 'prefix':
        return from.chain === 'honest' && keyBlocks > 0 && this.#random.chance(0.5) ? proof(upTo(1), false) : undefined;
      case 'omit':
        return proof(
          links.filter((_, at) => at !== links.length >> 1),
          isWhole,
        );
      case 'repeat':
        return proof(links.length === 0 ? links : [...links.slice(0, 1), ...links], isWhole);
      case 'reorder':
        return proof([...links].reverse(), isWhole);
      case 'back': {
        const older = on.at(Math.max(0, from.seqno - plan.by));
        return older === undefined || older === from ? proof([], true) : proof([backLink(from, older)], true);
      }
      case 'empty':
        return proof([], this.#random.chance(0.5));
      case 'flag':
        return proof(
          links.map((link, at) => (at === links.length - 1 ? { ...link, toKeyBlock: !link.toKeyBlock } : link)),
          isWhole,
        );
      case 'unsigned':
        return proof(
          links.map((link) => (link.kind === 'forward' ? { ...link, signed: { ...link.signed, by: [0] } } : link)),
          isWhole,
        );
      case 'elsewhere': {
        // The way to the block that was asked for, whose last link nobody signed.
        const source = rulerAfter(from);
        const shown = [...this.#scene.ghosts].reverse().find(({ id }) => sameId(id, target));
        if (shown === undefined) return proof(links, true);
        return proof([forwardLink(source, shown, [0])], true);
      }
      default: {
        // The truth of a block that is on no history is that it is on none.
        if (!on.has(target)) return target.seqno > head.seqno ? NOT_READY : UNKNOWN;
        return proof(links, isWhole);
      }
    }
  }
}
