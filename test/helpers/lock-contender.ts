/**
 * A process that asks for locks as it is told to, and says what became of each. Beside every lock that it gets it makes a file
 * that must not be there yet: two owners are noticed by that, whatever the locks say.
 */
import { closeSync, openSync, unlinkSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { type FileLock, lockFile } from '../../src/app/files/lock-file.ts';

export type LockRequest =
  | { readonly take: readonly string[] }
  | { readonly release: string }
  /** Whether it is still held. */
  | { readonly look: string }
  /** Lets that many seconds pass on the clock that counts them while the machine sleeps. */
  | { readonly sleepSeconds: number };

export interface LockReply {
  readonly file: string;
  /** `twice`: another process was there. */
  readonly became: 'owner' | 'twice' | 'refused' | 'released' | 'held' | 'lost';
  readonly message?: string;
}

const held = new Map<string, FileLock>();
const reply = (answer: LockReply) => process.send?.(answer);
const wordsOf = (error: unknown) => `${(error as Error).message}; ${(error as { hint?: string }).hint ?? ''}`;

async function take(file: string): Promise<void> {
  try {
    held.set(file, await lockFile(file));
  } catch (error) {
    reply({ file, became: 'refused', message: wordsOf(error) });
    return;
  }
  try {
    closeSync(openSync(`${file}.inside`, 'wx'));
    reply({ file, became: 'owner' });
  } catch {
    reply({ file, became: 'twice' });
  }
}

function look(file: string): void {
  try {
    held.get(file)?.requireHeld();
    reply({ file, became: 'held' });
  } catch (error) {
    reply({ file, became: 'lost', message: wordsOf(error) });
  }
}

process.on('disconnect', () => process.exit(0));
process.on('message', (request: LockRequest) => {
  if ('take' in request) for (const file of request.take) void take(file);
  else if ('look' in request) look(request.look);
  else if ('release' in request) {
    unlinkSync(`${request.release}.inside`);
    held.get(request.release)?.release();
    held.delete(request.release);
    reply({ file: request.release, became: 'released' });
  } else {
    const { uptime } = os;
    os.uptime = () => uptime() + request.sleepSeconds;
    syncBuiltinESMExports();
    reply({ file: '', became: 'released' });
  }
});
reply({ file: '', became: 'released' }); // it is ready
