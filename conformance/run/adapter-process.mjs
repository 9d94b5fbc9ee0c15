/** One life of an adapter: its process, its lines out, its lines in. Judges nothing. */
import { spawn } from 'node:child_process';

const MAX_LINE_BYTES = 1024 * 1024;
const KEPT_WORDS = 2000;
const AFTER_EXIT_MS = 2000;

/**
 * @param {{ command: string, args: string[], cwd: string }} how
 * @param {{ line: (text: string) => void, overlong: () => void, exit: (why: string) => void }} listener `exit` comes last, and once
 */
export function startProcess({ command, args, cwd }, listener) {
  // A group of its own: what an adapter starts is killed with it.
  const child = spawn(command, args, { cwd, stdio: ['pipe', 'pipe', 'pipe'], detached: process.platform !== 'win32' });
  const decoder = new TextDecoder('utf-8');
  let pending = [];
  let pendingBytes = 0;
  let words = '';
  let isOver = false;
  let startError;

  const kill = () => {
    if (child.pid === undefined) return;
    try {
      if (process.platform === 'win32') child.kill('SIGKILL');
      else process.kill(-child.pid, 'SIGKILL');
    } catch {
      child.kill('SIGKILL'); // the group is gone already
    }
  };
  const exit = (why) => {
    if (isOver) return;
    isOver = true;
    listener.exit(words.trim() === '' ? why : `${why}: ${words.trim().slice(-500)}`);
  };

  child.on('error', (error) => {
    startError = error;
    if (child.pid === undefined) exit(`cannot be started: ${error.message}`);
  });
  child.on('close', (code, signal) => {
    exit(
      startError === undefined ? (signal === null ? `exited with ${code}` : `ended by ${signal}`) : startError.message,
    );
  });
  child.on('exit', () => {
    // What it has started may hold its output open.
    setTimeout(() => child.stdout.destroy() && child.stderr.destroy(), AFTER_EXIT_MS).unref();
  });
  child.stdin.on('error', () => {}); // it ended; `close` tells
  child.stderr.on('data', (chunk) => {
    words = (words + chunk.toString('utf8')).slice(-KEPT_WORDS);
  });
  child.stdout.on('data', (chunk) => {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0 && !isOver; at = chunk.indexOf(10, from)) {
      const line = Buffer.concat([...pending, chunk.subarray(from, at)]);
      pending = [];
      pendingBytes = 0;
      from = at + 1;
      if (line.length > MAX_LINE_BYTES) listener.overlong();
      else listener.line(decoder.decode(line));
    }
    const rest = chunk.subarray(from);
    pendingBytes += rest.length;
    if (pendingBytes > MAX_LINE_BYTES) {
      pending = [];
      pendingBytes = 0;
      if (!isOver) listener.overlong();
    } else if (rest.length > 0) {
      pending.push(Buffer.from(rest));
    }
  });

  return {
    send: (line) => child.stdin.write(`${line}\n`),
    end: () => child.stdin.end(),
    kill,
    pid: child.pid,
  };
}
