/** A process of its own: what it says, and how it ends. */
import { spawn } from 'node:child_process';

/** Starts it. @param env beside what this process has */
export function watchProcess(program: string, words: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}) {
  const child = spawn(program, words, { cwd, env: { ...process.env, ...env } });
  const said = { stdout: '', stderr: '' };
  const waiting: (() => void)[] = [];
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
      for (const look of waiting) look();
    });
  }
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const until = (isSo: () => boolean) =>
    new Promise<void>((resolve, reject) => {
      const look = () => void (isSo() && resolve());
      waiting.push(look);
      look();
      void ended.then(() => reject(new Error(`it ended: ${said.stderr}`)));
    });
  return { child, said, ended, until };
}
