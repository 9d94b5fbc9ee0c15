/** What crosses between a world and the code that is tried in it. Neither knows more of the other. */

import type { BlockIdExt } from '../../src/core/block/block-id.ts';
import type { Checkpoint } from '../../src/core/chain/checkpoint.ts';
import type { Warning } from '../../src/core/verify/report.ts';
import type { Block, ProofToken } from './chain.ts';
import type { FileSystem } from './disk.ts';
import type { ByteLie } from './plan.ts';
import type { Random } from './random.ts';

/** A server waits until it has this block, at most so many milliseconds. */
export interface Wait {
  readonly seqno: number;
  readonly ms: number;
}

export type Question = { readonly wait?: Wait } & (
  | { readonly kind: 'head' }
  | { readonly kind: 'lookup'; readonly seqno: number }
  | { readonly kind: 'header'; readonly id: BlockIdExt }
  | { readonly kind: 'proof'; readonly known: BlockIdExt; readonly target: BlockIdExt }
  | { readonly kind: 'other' }
);

export type Answer =
  | {
      readonly kind: 'head';
      readonly last: BlockIdExt;
      readonly utime: number;
      readonly now: number;
      readonly zerostate: BlockIdExt;
    }
  | { readonly kind: 'header'; readonly id: BlockIdExt; readonly block: Block }
  | { readonly kind: 'proof'; readonly proof: ProofToken }
  | { readonly kind: 'error'; readonly code: number; readonly text: string }
  | { readonly kind: 'garbage' }
  /** An answer whose bytes are changed when it is written. */
  | { readonly kind: 'spoiled'; readonly lie: ByteLie; readonly answer: Answer; readonly random: Random }
  /** An answer as it travels. */
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'closed' };

/** What a user sees, and what is done to servers and files. */
export type Report =
  /** `asked`: the block that the user named by number. */
  | {
      readonly what: 'final';
      readonly id: BlockIdExt;
      readonly asked?: number;
      readonly how: 'signatures' | 'descendant' | 'ancestor' | 'start';
      readonly warnings: readonly Warning[];
    }
  | { readonly what: 'undecided'; readonly reason: string; readonly id?: BlockIdExt }
  | {
      readonly what: 'failed';
      readonly code: string;
      readonly message: string;
      readonly isTyped: boolean;
      readonly signers?: readonly string[];
    }
  | { readonly what: 'refuted'; readonly server: number; readonly why: string }
  /** The server is not asked any more in this run. */
  | { readonly what: 'out'; readonly server: number }
  | { readonly what: 'trouble'; readonly code: string; readonly message: string }
  /** Why there is nothing yet. */
  | { readonly what: 'stall'; readonly code: string }
  /** The consumer of a follower has taken the block that was handed out last. */
  | { readonly what: 'taken' }
  | { readonly what: 'done' };

/** Where trust stands on disk: a key block with its configuration, and the last block that was handed out. */
export interface Kept {
  readonly keyBlock: Block;
  /** The block that was pinned. */
  readonly anchor: BlockIdExt;
  /** How trust began, as the file says. */
  readonly staleStart: Checkpoint['staleStart'];
  readonly after?: BlockIdExt;
}

export type FileName = 'checkpoint' | 'state';

/** Processes of the machine. */
export interface Processes {
  readonly self: number;
  /** How often the machine was started. */
  readonly boots: number;
  isRunning(pid: number): boolean;
  /** Those in which it slept are among them. */
  uptimeSeconds(): number;
}

export interface Port {
  /** Milliseconds that only move on, and this machine's Unix time in milliseconds. */
  nowMs(): number;
  unixMs(): number;
  after(ms: number, call: () => void): () => void;
  random(): number;
  /** The answer comes later, or never. @returns takes the question back */
  ask(server: number, question: Question, done: (answer: Answer) => void): () => void;
  report(report: Report): void;
  readonly disk: FileSystem;
  readonly processes: Processes;
}

export interface Command {
  readonly name: 'sync' | 'verify' | 'latest' | 'prove' | 'follow';
  readonly witnesses: number;
  readonly acceptStaleStart: boolean;
  /** The block that is asked for by number. */
  readonly seqno?: number;
  readonly strict?: boolean;
  readonly maxHeadAgeSeconds?: number;
  readonly signEverySeconds?: number;
  /** A follower notes in a file how far it came. */
  readonly hasState?: boolean;
  /** What a follower notes is there after a power cut, too. */
  readonly isSynced?: boolean;
  /** Milliseconds that the consumer of a follower takes for a block. */
  readonly consumerMs?: number;
  /** The block at which the consumer throws, counted from the first. */
  readonly throwsAt?: number;
}

/** What the user gives: a block that is pinned, with its token, and who is asked. */
export interface Given {
  /** Those that are asked, by their numbers: the user may leave some out by name. */
  readonly servers: readonly number[];
  readonly root: Block;
  /** Begins at the bare id, not at a checkpoint. */
  readonly isPinned: boolean;
  readonly zerostate: BlockIdExt;
  readonly knowsNetwork: boolean;
}

export interface Running {
  /** The user stops it. */
  abort(): void;
}

/** The code that is tried. */
export interface Subject {
  start(command: Command, given: Given, port: Port): Running;
  /** What stands in a file. `undefined`: nothing of which trust could go on. @throws for one that is not whole */
  read(file: FileName, content: Uint8Array): Kept | undefined;
  /** The same code in a process of its own. */
  second(): Promise<Subject>;
}
