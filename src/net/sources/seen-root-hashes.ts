/**
 * Which number each block was reported under. An ordinary message signs two hashes and no number, so a server can send one
 * good block under every number; but a root hash is that of one block, and cannot come back under another number.
 */
import { encodeHex } from '../../core/base/bytes.ts';
import { SourceError } from '../../core/base/errors.ts';
import type { BlockIdExt } from '../../core/block/block-id.ts';

/** Blocks remembered, the newest: some seven hours at 400 ms a block. */
const MAX_KNOWN_BLOCKS = 65_536;

/** Hex digits of a root hash that are kept: 128 bits, which nobody finds twice. */
const KEY_CHARS = 32;

/** Reported blocks, by root hash. */
export function seenRootHashes(max: number = MAX_KNOWN_BLOCKS) {
  const known = new Map<string, { readonly seqno: number; readonly said: string }>(); // in the order of insertion, so the first is the oldest
  const keyOf = ({ rootHash }: BlockIdExt): string => encodeHex(rootHash).slice(0, KEY_CHARS);

  /**
   * @param said the server that names this block now
   * @param body what it sent, kept in the error
   * @throws SourceError `source/wrong-block`, attributed to it, for a root hash that was noted under another number
   */
  function requireNew(id: BlockIdExt, said: string, body?: Uint8Array): void {
    const before = known.get(keyOf(id));
    if (before === undefined || before.seqno === id.seqno) return;
    throw new SourceError(
      'source/wrong-block',
      `${said}: block ${id.seqno} comes with root hash ${encodeHex(id.rootHash)}, which ${before.said} gave for block ${before.seqno}`,
      {
        endpoint: said,
        body,
        hint: 'ask another server, and check the earlier report: one of the two numbers is wrong',
      },
    );
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
