/** Makes the `run` member of the command's JSON: which program judged, when, and from which inputs, each with name and SHA-256. */
import { createHash } from 'node:crypto';
import { printable } from '../../../core/base/errors.ts';
import type { RecordedAnswer } from '../../../net/toncenter/toncenter-options.ts';
import { readVersion } from '../package-files.ts';

export const MAX_NAME_CHARS = 5000;

export class InputLog {
  /** In the order in which they were read. */
  readonly #list: { readonly name: string; readonly sha256: string }[] = [];

  /**
   * @param name a path as given, `standard input`, or the question to a server without keys
   * @param bytes as read; of a server's answer without keys, as `--save` writes it
   */
  add(name: string, bytes: Uint8Array): void {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    this.#list.push({ name: printable(name, MAX_NAME_CHARS), sha256 });
  }

  addAnswer({ source, operation, query, body }: RecordedAnswer): void {
    const words = new URLSearchParams(query).toString();
    this.add(`${source}/${operation}${words === '' ? '' : `?${words}`}`, body);
  }

  /** @param nowSeconds Unix seconds by which ages were judged; `undefined` if none were */
  async runMember(nowSeconds: number | undefined) {
    const judgedAt = nowSeconds ?? Math.floor(Date.now() / 1000);
    return { tool: 'ton-finality', version: await readVersion(), judgedAt, inputs: this.#list };
  }
}
