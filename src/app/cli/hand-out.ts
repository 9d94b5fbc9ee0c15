/**
 * Prints the blocks of `follow` and moves its state: as soon as the line is written, or with `--ack` when a line on standard input
 * acknowledges the block and all blocks before it.
 */
import { UsageError } from '../../core/base/errors.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { Silence } from '../../net/async/silence.ts';
import type { FollowStateFile, SavedFollowState } from './follow-state.ts';
import { badFlag, flagRow, needing, type OptionTable, type OptionValues, textRow } from './input/option-rows.ts';
import { printEvent, printResult } from './output.ts';

/** Most blocks that are printed and not acknowledged. */
const MAX_UNACKNOWLEDGED = 1024;

export const HAND_OUT_OPTIONS = {
  state: textRow('FILE', 'save the position here and resume from it; the checkpoint file is not changed'),
  ...needing(['state'], {
    ack: flagRow(
      `move the saved position only when standard input acknowledges a block: each line is the number of a printed block and acknowledges it and all blocks before it. At most ${MAX_UNACKNOWLEDGED} blocks wait. Exits when standard input closes`,
    ),
    sync: flagRow('make the state file survive a power cut, not only a kill'),
  }),
} satisfies OptionTable;

/** Most characters of a line on standard input: longer than any number, with room for blanks, which get an error message. */
const MAX_LINE_CHARS = 64;
/** Milliseconds to read what a reader wrote before it closed. */
const LAST_LINES_MS = 1_000;

type HandOutValues = OptionValues<typeof HAND_OUT_OPTIONS>;

/** @param files of other options @throws UsageError */
export function requireNoOtherStdin({ ack }: HandOutValues, files: readonly (string | undefined)[]): void {
  if (ack !== true || !files.includes('-')) return;
  throw badFlag('ack', 'expected standard input to be free, got - for a file', 'pass a file instead of -');
}

export interface HandOut {
  /** Fires when no further block is wanted. */
  readonly signal?: Signal;
  /**
   * Waits until there is room, and prints the block.
   * @returns whether another block is wanted
   * @throws UsageError for a state that cannot be written, and for invalid lines on standard input
   */
  give(seqno: number, line: string, place: SavedFollowState): Promise<boolean>;
  /** Called at the end: waits for acknowledgements, and writes the state. @throws as `give` */
  finish(): Promise<void>;
  /** Stops reading, without writing. */
  close(): void;
}

/** The streams for blocks and for acknowledgements. */
interface Streams {
  readonly input: NodeJS.ReadableStream & { destroy?(): unknown };
  readonly print: (line: string) => Promise<boolean>;
}

/** @param asJson prints events on standard error as JSON */
export function handOut(
  state: FollowStateFile,
  { ack }: HandOutValues,
  asJson: boolean,
  streams: Streams = { input: process.stdin, print: printResult },
): HandOut {
  if (ack === true) return new Acknowledged(state, asJson, streams);
  return {
    async give(seqno, line, place) {
      state.begin(seqno);
      state.beforeNext();
      // Without a reader the state stays: the next run prints this block again.
      if (!(await printResult(line))) return false;
      state.note(place);
      return true;
    },
    async finish() {
      state.keep();
    },
    close() {},
  };
}

interface PrintedBlock {
  readonly seqno: number;
  readonly place: SavedFollowState;
}

class Acknowledged implements HandOut {
  readonly #state: FollowStateFile;
  readonly #asJson: boolean;
  readonly #streams: Streams;
  readonly #stop = new AbortController();
  readonly signal: Signal = this.#stop.signal;
  /** Printed blocks that are not acknowledged, the oldest first. */
  readonly #waiting: PrintedBlock[] = [];
  #rest = '';
  #failure: { readonly error: unknown } | undefined;
  #isOver = false;
  #hasReader = true;
  #wake: () => void = () => {};
  readonly #over: Promise<boolean>;
  #end: () => void = () => {};

  constructor(state: FollowStateFile, asJson: boolean, streams: Streams) {
    this.#state = state;
    this.#asJson = asJson;
    this.#streams = streams;
    this.#over = new Promise((resolve) => {
      this.#end = () => resolve(false);
    });
    streams.input
      .on('data', this.#onData)
      .on('end', this.#onEnd)
      .on('error', (error) => this.#fail(this.#bad(`cannot be read (${(error as NodeJS.ErrnoException).code})`)));
  }

  #bad(message: string): UsageError {
    return new UsageError('usage/bad-option', message, {
      path: 'standard input',
      hint: 'with --ack, write the number of a printed block and a newline when you have processed it',
    });
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#finishReading();
  }

  #finishReading(): void {
    this.#isOver = true;
    this.#streams.input.pause();
    this.#stop.abort();
    this.#end();
    this.#wake();
  }

  readonly #onData = (chunk: Uint8Array | string): void => {
    if (this.#isOver) return;
    try {
      this.#take(this.#rest + (typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('latin1')));
    } catch (error) {
      this.#fail(error);
    }
  };

  /** Takes all lines that arrived, and writes one note for them. */
  #take(text: string): void {
    let last: PrintedBlock | undefined;
    try {
      let from = 0;
      for (let to = text.indexOf('\n'); to >= 0; to = text.indexOf('\n', from)) {
        last = this.#acknowledge(text.slice(from, to));
        from = to + 1;
      }
      this.#rest = text.slice(from);
      if (this.#rest.length > MAX_LINE_CHARS) throw this.#bad(`expected lines of at most ${MAX_LINE_CHARS} characters`);
    } finally {
      if (last !== undefined) {
        this.#state.note(last.place);
        this.#state.keep();
        this.#wake();
      }
    }
  }

  #acknowledge(line: string): PrintedBlock {
    const first = this.#waiting[0]?.seqno;
    const newest = this.#waiting.at(-1)?.seqno;
    const wanted =
      first === undefined
        ? 'expected no line, because no block waits to be acknowledged'
        : `expected the number of a printed block, from ${first} to ${newest}`;
    const shown = JSON.stringify(line.slice(0, MAX_LINE_CHARS));
    const seqno = /^[1-9][0-9]{0,9}\r?$/.test(line) ? Number.parseInt(line, 10) : undefined;
    if (seqno === undefined) throw this.#bad(`${wanted}, got ${shown}`);
    if (first !== undefined && seqno < first) throw this.#bad(`${wanted}, got ${seqno}, which is already acknowledged`);
    const at = this.#waiting.findIndex((one) => one.seqno === seqno);
    if (at < 0) throw this.#bad(`${wanted}, got ${seqno}`);
    return this.#waiting.splice(0, at + 1).at(-1)!; // at least one
  }

  readonly #onEnd = (): void => {
    const count = this.#waiting.length;
    const cut = this.#rest === '' ? '' : 'its last line has no newline and acknowledges nothing; ';
    if (count > 0 || cut !== '') {
      const again = `${count} printed ${count === 1 ? 'block is' : 'blocks are'} not acknowledged`;
      void printEvent('input-ended', `standard input ended: ${cut}${again}`, this.#asJson);
    }
    this.#finishReading();
  };

  /** Waits until at most `most` blocks are not acknowledged, and reports a long wait. */
  async #untilAtMost(most: number): Promise<void> {
    const silence = new Silence((forMs) => {
      const seconds = Math.round(forMs / 1000);
      const words = `no line on standard input for ${seconds} s: blocks ${this.#waiting[0]?.seqno} to ${this.#waiting.at(-1)?.seqno} are printed but not acknowledged`;
      void printEvent('unacknowledged', words, this.#asJson, { seconds, seqno: this.#waiting[0]!.seqno });
    });
    silence.begin();
    try {
      while (!this.#isOver && this.#waiting.length > most) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        silence.begin();
      }
    } finally {
      silence.end();
    }
  }

  async give(seqno: number, line: string, place: SavedFollowState): Promise<boolean> {
    await this.#untilAtMost(MAX_UNACKNOWLEDGED - 1);
    if (this.#isOver) return false;
    this.#state.begin(seqno);
    // The acknowledgement may arrive before the write is reported as done.
    this.#waiting.push({ seqno, place });
    const isRead = await Promise.race([this.#streams.print(line), this.#over]);
    if (!this.#isOver) this.#hasReader = isRead;
    return isRead;
  }

  async finish(): Promise<void> {
    if (this.#hasReader) await this.#untilAtMost(0);
    else if (!this.#isOver) {
      // Acknowledgements that the reader wrote before it closed still count.
      const timer = setTimeout(() => this.#end(), LAST_LINES_MS);
      await this.#over;
      clearTimeout(timer);
    }
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  close(): void {
    const { input } = this.#streams;
    input.off('data', this.#onData).off('end', this.#onEnd);
    input.pause();
    input.destroy?.();
  }
}
