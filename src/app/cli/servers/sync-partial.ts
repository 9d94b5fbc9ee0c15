/**
 * Keeps `OUT.partial`: the answers of an interrupted `sync`, in order. They are proven again from the block that the user pins, so the file
 * need not be trusted.
 */
import { closeSync, constants, ftruncateSync, openSync, readSync, writeFileSync } from 'node:fs';
import { encodeBase64 } from '../../../core/base/bytes.ts';
import { readBase64 } from '../../../core/base/fields.ts';
import { MAX_PROOF_ANSWER_BYTES, MAX_SYNC_ANSWERS } from '../../../core/base/limits.ts';
import { type BlockIdExt, formatBlockId } from '../../../core/block/block-id.ts';
import { type PartialBlockProof, parsePartialBlockProof } from '../../../core/chain/block-proof.ts';
import { NEWLINE } from '../../audit/file-lines.ts';
import { openFound } from '../../files/found-file.ts';
import { cannotWrite } from '../../files/system-error.ts';
import { remove } from '../../files/temporary-file.ts';

const SCHEMA = 'ton-finality/sync-partial@2';
/** 4096 links of 64 kB, in base64. The next run proves everything after that again. */
const MAX_BYTES = 360_000_000;
const MAX_LINK_LINE_BYTES = Math.ceil((MAX_PROOF_ANSWER_BYTES * 4) / 3) + 256;
const READ_AT_ONCE_BYTES = 1 << 20;

interface KeptHead {
  /** Absent if the answer is in the file and was not read. */
  readonly tl?: Uint8Array;
  readonly to: string;
}

/** Yields complete lines, without their ends. */
function* linesOf(handle: number): Generator<Buffer> {
  let rest: Buffer[] = [];
  let restBytes = 0;
  for (let total = 0; total <= MAX_BYTES; ) {
    const buffer = Buffer.allocUnsafe(READ_AT_ONCE_BYTES);
    const chunk = buffer.subarray(0, readSync(handle, buffer));
    if (chunk.length === 0) return; // an unfinished line is dropped
    total += chunk.length;
    let at = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, at)) {
      yield Buffer.concat([...rest, chunk.subarray(at, end)]);
      [rest, restBytes] = [[], 0];
      at = end + 1;
    }
    rest.push(chunk.subarray(at));
    restBytes += chunk.length - at;
    if (restBytes > MAX_LINK_LINE_BYTES) return;
  }
}

export class SyncPartial {
  readonly #path: string;
  readonly #start: string;
  readonly #kept: KeptHead[] = [];
  #bytes = 0;
  #handle: number | undefined;

  /**
   * Continues with what an earlier run from the same block left, or starts a new file.
   * @throws UsageError for a file that another user may have made
   */
  constructor(path: string, start: BlockIdExt) {
    this.#path = path;
    this.#start = formatBlockId(start);
    const handle = openFound(path);
    if (handle === undefined) return;
    try {
      for (const line of linesOf(handle)) {
        if (!this.#take(line)) break;
        this.#bytes += line.length + 1;
      }
    } finally {
      closeSync(handle);
    }
  }

  get #head(): string {
    return JSON.stringify({ schema: SCHEMA, start: this.#start });
  }

  /** The answers in order, each from the end of the one before. */
  get answers(): readonly Uint8Array[] {
    return this.#kept.flatMap(({ tl }) => tl ?? []);
  }

  /** The block that the answers lead to. */
  get end(): BlockIdExt | undefined {
    const last = this.answers.at(-1);
    return last && parsePartialBlockProof(last).to;
  }

  /** @returns whether the line belongs to such a file */
  #take(line: Buffer): boolean {
    if (this.#bytes === 0) return line.toString('latin1') === this.#head;
    try {
      this.#follow(readBase64(line.toString('latin1'), 'answer', MAX_PROOF_ANSWER_BYTES), true);
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Returns how many answers come before an answer. Returns `undefined` for an answer that is not kept: it begins inside another one, or
   * it is one more than a run may resume from. The next run reaches its block anyway.
   */
  #placeOf({ from }: PartialBlockProof): number | undefined {
    const begins = formatBlockId(from);
    const at = begins === this.#start ? 0 : this.#kept.findIndex((one) => one.to === begins) + 1;
    return (at === 0 && begins !== this.#start) || at >= MAX_SYNC_ANSWERS ? undefined : at;
  }

  /** Follows an answer. A run may begin again at an earlier block; the answers from there on are then dropped. */
  #follow(tl: Uint8Array, mayResume: boolean): void {
    const claimed = parsePartialBlockProof(tl);
    const at = this.#placeOf(claimed);
    if (at === undefined) return;
    this.#kept.splice(at, this.#kept.length, { to: formatBlockId(claimed.to), ...(mayResume ? { tl } : {}) });
  }

  /** Keeps one more answer, if a later run may resume from it. @throws UsageError */
  add(tl: Uint8Array): void {
    if (this.#placeOf(parsePartialBlockProof(tl)) === undefined) return;
    const line = `${encodeBase64(tl)}\n`;
    if (this.#bytes + line.length > MAX_BYTES) return;
    const { O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_WRONLY } = constants; // Windows lacks two of the flags
    try {
      if (this.#handle === undefined) {
        this.#handle = openSync(this.#path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o644);
        ftruncateSync(this.#handle, this.#bytes); // an unfinished line, or a file of another program
      }
      const text = this.#bytes === 0 ? `${this.#head}\n${line}` : line;
      writeFileSync(this.#handle, text);
      this.#bytes += text.length;
    } catch (error) {
      this.#cut();
      throw cannotWrite(this.#path, error);
    }
    this.#follow(tl, false);
  }

  /** Removes an incomplete line. */
  #cut(): void {
    try {
      if (this.#handle !== undefined) ftruncateSync(this.#handle, this.#bytes);
    } catch {
      // an invalid line ends what the next run reads
    }
  }

  /** Starts again: what was kept does not prove anything. */
  forget(): void {
    this.#kept.length = 0;
    this.#bytes = 0;
  }

  close(): void {
    if (this.#handle !== undefined) closeSync(this.#handle);
    this.#handle = undefined;
  }

  /** Removes the file when it is no longer needed. */
  remove(): void {
    this.close();
    remove(this.#path);
  }
}
