/** In place of `src/app/cli/output/print.ts`: what a command says is told to the world. */
import { port } from './host.ts';

export async function printEvent(code: string): Promise<void> {
  port().report({ what: 'stall', code });
}

export async function printNote(): Promise<void> {}
export async function printResult(): Promise<boolean> {
  return true;
}
