/** One line on a terminal that is written over and over, and is gone in the end. Nothing where nobody looks. */

export interface StatusLine {
  show(text: string): void;
  clear(): void;
}

/** Of a terminal that does not say. */
const COLUMNS = 100;

/** @param isWanted false for scripts: nothing is then ever written */
export function statusLine(isWanted: boolean, stream: NodeJS.WriteStream = process.stderr): StatusLine {
  if (!isWanted || stream.isTTY !== true) return { show() {}, clear() {} };
  let isShown = false;
  return {
    show(text) {
      isShown = true;
      // A line that is too long is cut: the terminal's own modes stay as they are, whatever ends the run.
      stream.write(`\r\u001b[K${text.slice(0, (stream.columns ?? COLUMNS) - 1)}`);
    },
    clear() {
      if (isShown) stream.write('\r\u001b[K');
      isShown = false;
    },
  };
}

const BAR_CHARS = 24;

/** `[#####.......]`; `done` of 0 to 1. */
export function bar(done: number): string {
  const filled = Math.round(BAR_CHARS * Math.min(1, Math.max(0, done)));
  return `[${'#'.repeat(filled)}${'.'.repeat(BAR_CHARS - filled)}]`;
}
