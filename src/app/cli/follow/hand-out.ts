/**
 * Prints the blocks of `follow` and moves its state: as soon as the line is written, or with `--ack` when a line on standard input
 * acknowledges the block and all blocks before it.
 */
import { UsageError } from '../../../core/base/errors.ts';
import type { Signal } from '../../../core/base/runtime-types.ts';
import { onAbort } from '../../../net/async/on-abort.ts';
import { Silence } from '../../../net/async/silence.ts';
import { sleep } from '../../../net/async/timer.ts';
import { badFlag, needing, type OptionTable, type OptionValues, option } from '../input/option-rows.ts';
import { printEvent, printResult } from '../output/print.ts';
import type { FollowStateFile, SavedFollowState } from './follow-state.ts';

/** Most blocks that are printed and not acknowledged. */
const MAX_UNACKNOWLEDGED = 1024;

export const HAND_OUT_OPTIONS = {
  state: option.text('FILE', 'save the position here and resume from it; the checkpoint file is not changed'),
  ...needing(['state'], {
    ack: option.flag(
      `move the saved position only when standard input acknowledges a block: each line is the number of a printed block and acknowledges it and all blocks before it. At most ${MAX_UNACKNOWLEDGED} blocks wait. Exits when standard input closes`,
    ),
    sync: option.flag('make the state file survive a power cut, not only a kill'),
  }),
} satisfies OptionTable;

/** Most characters of a line on standard input: longer than any number, with room for blanks, which get an error message. */
const MAX_LINE_CHARS = 64;
/** Milliseconds to read what a reader wrote before it closed. */
const LAST_LINES_MS = 1_000;

type HandOutValues = OptionValues<typeof HAND_OUT_OPTIONS>;

/** @param files of other options @throws UsageError */
export function requireNoOtherStdin({ ack }: Pick<HandOutValues, 'ack'>, files: readonly (string | undefined)[]): void {
  if (!ack || !files.includes('-')) return;
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
  { ack }: Pick<HandOutValues, 'ack'>,
  asJson: boolean,
  streams: Streams = { input: process.stdin, print: printResult },
): HandOut {
  if (ack) return acknowledged(state, asJson, streams);
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

function badLine(message: string): UsageError {
  const hint = 'with --ack, write the number of a printed block and a newline when you have processed it';
  return new UsageError('usage/bad-option', message, { path: 'standard input', hint });
}

/** Takes the block that a line acknowledges, and all blocks before it, from those that wait. @throws UsageError */
function acknowledge(waiting: PrintedBlock[], line: string): PrintedBlock {
  const first = waiting[0]?.seqno;
  const wanted =
    first === undefined
      ? 'expected no line, because no block waits to be acknowledged'
      : `expected the number of a printed block, from ${first} to ${waiting.at(-1)?.seqno}`;
  const seqno = /^[1-9][0-9]{0,9}\r?$/.test(line) ? Number.parseInt(line, 10) : undefined;
  if (seqno === undefined) throw badLine(`${wanted}, got ${JSON.stringify(line.slice(0, MAX_LINE_CHARS))}`);
  if (first !== undefined && seqno < first) throw badLine(`${wanted}, got ${seqno}, which is already acknowledged`);
  const at = waiting.findIndex((one) => one.seqno === seqno);
  if (at < 0) throw badLine(`${wanted}, got ${seqno}`);
  return waiting.splice(0, at + 1).at(-1)!; // at least one
}

function acknowledged(state: FollowStateFile, asJson: boolean, { input, print }: Streams): HandOut {
  /** Fires when standard input is not read any more. */
  const stop = new AbortController();
  const { signal } = stop;
  /** Printed blocks that are not acknowledged, the oldest first. */
  const waiting: PrintedBlock[] = [];
  let rest = '';
  let failure: { readonly error: unknown } | undefined;
  let hasReader = true;
  let wake: () => void = () => {};
  const over = new Promise<false>((resolve) => onAbort(signal, () => resolve(false)));

  function finishReading(): void {
    input.pause();
    stop.abort();
    wake();
  }

  function fail(error: unknown): void {
    failure ??= { error };
    finishReading();
  }

  /** Takes all lines that arrived, and writes one note for them. */
  function take(text: string): void {
    let last: PrintedBlock | undefined;
    try {
      const lines = text.split('\n');
      rest = lines.pop()!; // there is one
      for (const line of lines) last = acknowledge(waiting, line);
      if (rest.length > MAX_LINE_CHARS) throw badLine(`expected lines of at most ${MAX_LINE_CHARS} characters`);
    } finally {
      if (last !== undefined) {
        state.note(last.place);
        state.keep();
        wake();
      }
    }
  }

  function onData(chunk: Uint8Array | string): void {
    if (signal.aborted) return;
    try {
      take(rest + (typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('latin1')));
    } catch (error) {
      fail(error);
    }
  }

  function onEnd(): void {
    const count = waiting.length;
    const cut = rest === '' ? '' : 'its last line has no newline and acknowledges nothing; ';
    if (count > 0 || cut !== '') {
      const again = `${count} printed ${count === 1 ? 'block is' : 'blocks are'} not acknowledged`;
      void printEvent('input-ended', `standard input ended: ${cut}${again}`, asJson);
    }
    finishReading();
  }

  input
    .on('data', onData)
    .on('end', onEnd)
    .on('error', (error) => fail(badLine(`cannot be read (${(error as NodeJS.ErrnoException).code})`)));

  /** Waits until at most `most` blocks are not acknowledged, and reports a long wait. */
  async function untilAtMost(most: number): Promise<void> {
    const silence = new Silence((forMs) => {
      const seconds = Math.round(forMs / 1000);
      const seqno = waiting[0]!.seqno; // some block waits
      const words = `no line on standard input for ${seconds} s: blocks ${seqno} to ${waiting.at(-1)?.seqno} are printed but not acknowledged`;
      void printEvent('unacknowledged', words, asJson, { seconds, seqno });
    });
    silence.begin();
    try {
      while (!signal.aborted && waiting.length > most) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        silence.begin();
      }
    } finally {
      silence.end();
    }
  }

  return {
    signal,
    async give(seqno, line, place) {
      await untilAtMost(MAX_UNACKNOWLEDGED - 1);
      if (signal.aborted) return false;
      state.begin(seqno);
      // The acknowledgement may arrive before the write is reported as done.
      waiting.push({ seqno, place });
      const isRead = await Promise.race([print(line), over]);
      if (!signal.aborted) hasReader = isRead;
      return isRead;
    },
    async finish() {
      if (hasReader) await untilAtMost(0);
      else if (!signal.aborted) {
        // Acknowledgements that the reader wrote before it closed still count.
        await sleep(LAST_LINES_MS, signal).catch(() => {});
      }
      if (failure !== undefined) throw failure.error;
    },
    close() {
      input.off('data', onData).off('end', onEnd);
      input.pause();
      input.destroy?.();
    },
  };
}
