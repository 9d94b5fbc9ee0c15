/** Makes the `run` member of the command's JSON: which program judged, when, and from which inputs. */
import type { InputHash, InputLog } from './input/input-log.ts';
import { readVersion } from './version.ts';

export interface RunMember {
  readonly tool: 'ton-finality';
  readonly version: string;
  /** Unix seconds; if ages were judged, the time that they were judged by. */
  readonly judgedAt: number;
  readonly inputs: readonly InputHash[];
}

export async function runMember(log: InputLog, nowSeconds: number | undefined): Promise<RunMember> {
  const judgedAt = nowSeconds ?? Math.floor(Date.now() / 1000);
  return { tool: 'ton-finality', version: await readVersion(), judgedAt, inputs: log.list };
}
