/**
 * Remembers under which number each block was reported. An ordinary message signs two hashes and no number, so a server
 * can send one valid block under every number. A root hash, however, belongs to one block, and cannot come back under a
 * different number.
 */
import { encodeHex } from '../../core/base/bytes.ts';
import type { BlockIdExt } from '../../core/block/block-id.ts';
import { failureOf } from './failure-hints.ts';

/** The number of newest blocks that are remembered: about seven hours at 400 ms a block. */
const MAX_KNOWN_BLOCKS = 65_536;

/** Hex digits of a root hash that are kept. At 128 bits, a second block with the same digits cannot be found. */
const KEY_CHARS = 32;

/** Remembers reported blocks by their root hash. */
export function seenRootHashes(max: number = MAX_KNOWN_BLOCKS) {
  // in the order of insertion, so the first is the oldest
  const known = new Map<string, { readonly seqno: number; readonly said: string }>();
  const keyOf = ({ rootHash }: BlockIdExt): string => encodeHex(rootHash).slice(0, KEY_CHARS);

  /**
   * Checks that a block was not noted under a different number.
   * @param said the server that names this block now
   * @param body the bytes that it sent, kept in the error
   * @throws SourceError `source/wrong-block`, attributed to that server
   */
  function requireNew(id: BlockIdExt, said: string, body?: Uint8Array): void {
    const before = known.get(keyOf(id));
    if (before === undefined || before.seqno === id.seqno) return;
    const words = `block ${id.seqno} comes with root hash ${encodeHex(id.rootHash)}, which ${before.said} gave for block ${before.seqno}`;
    const hint = 'check the earlier report';
    throw failureOf(said, 'source/wrong-block', words, { body, hint });
  }

  return {
    requireNew,
    /** Remembers a block that is being reported. @throws SourceError as `requireNew` */
    note(id: BlockIdExt, said: string): void {
      requireNew(id, said);
      const key = keyOf(id);
      if (known.has(key)) return;
      known.set(key, { seqno: id.seqno, said });
      const [oldest] = known.keys();
      if (known.size > max && oldest !== undefined) known.delete(oldest);
    },
  };
}
