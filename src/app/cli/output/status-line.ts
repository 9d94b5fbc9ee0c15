/** Shows one line on a terminal, which is overwritten and finally removed. Without a terminal it does nothing. */

/** Width for a terminal that does not report one. */
const COLUMNS = 100;

/** @param isWanted false for scripts: then nothing is written */
export function statusLine(isWanted: boolean, stream: NodeJS.WriteStream = process.stderr) {
  if (!isWanted || stream.isTTY !== true) return { show(_: string) {}, clear() {} };
  let isShown = false;
  return {
    show(text: string) {
      isShown = true;
      // A long line is cut. The modes of the terminal stay unchanged, whatever ends the run.
      stream.write(`\r\u001b[K${text.slice(0, (stream.columns ?? COLUMNS) - 1)}`);
    },
    clear() {
      if (isShown) stream.write('\r\u001b[K');
      isShown = false;
    },
  };
}

const BAR_CHARS = 24;

/** Draws `[#####.......]`. @param done from 0 to 1 */
export function bar(done: number): string {
  const filled = Math.round(BAR_CHARS * Math.min(1, Math.max(0, done)));
  return `[${'#'.repeat(filled)}${'.'.repeat(BAR_CHARS - filled)}]`;
}
