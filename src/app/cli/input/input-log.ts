/** Records the inputs of a run, each with name and SHA-256, for the `run` member of its JSON. */
import { createHash } from 'node:crypto';
import { printable } from '../../../core/base/errors.ts';
import type { RecordedAnswer } from '../../../net/toncenter/toncenter-options.ts';

export interface InputHash {
  /** A path as given, `standard input`, or the question to a server without keys. */
  readonly name: string;
  /** Hex, of the bytes as read; for a server's answer without keys, as `--save` writes it. */
  readonly sha256: string;
}

export const MAX_NAME_CHARS = 5000;

export class InputLog {
  readonly #list: InputHash[] = [];

  /** Inputs in the order in which they were read. */
  get list(): readonly InputHash[] {
    return this.#list;
  }

  add(name: string, bytes: Uint8Array): void {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    this.#list.push({ name: printable(name, MAX_NAME_CHARS), sha256 });
  }

  addAnswer({ source, operation, query, body }: RecordedAnswer): void {
    const words = new URLSearchParams(query).toString();
    this.add(`${source}/${operation}${words === '' ? '' : `?${words}`}`, body);
  }
}
