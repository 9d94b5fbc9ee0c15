/** One line on a terminal that is written over and over, and is gone in the end. Nothing where nobody looks. */

export interface StatusLine {
  show(text: string): void;
  clear(): void;
}

const MAX_COLUMNS = 100;

/** @param isWanted false for scripts: nothing is then ever written */
export function statusLine(isWanted: boolean): StatusLine {
  const { stderr } = process;
  if (!isWanted || stderr.isTTY !== true) return { show() {}, clear() {} };
  let isShown = false;
  return {
    show(text) {
      isShown = true;
      stderr.write(`\r\u001b[K${text.slice(0, Math.min(MAX_COLUMNS, (stderr.columns ?? MAX_COLUMNS) - 1))}`);
    },
    clear() {
      if (isShown) stderr.write('\r\u001b[K');
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
