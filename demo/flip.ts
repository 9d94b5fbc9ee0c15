/** Flips one byte of an answer, and writes the answer again. The page judges next what the form contains. */
import { parseSignatureList, type SignatureList, UsageError } from '../src/index.ts';
import type { FlipPart, FlipRequest, Given, Obtained } from './protocol.ts';
import { readSignatureJson } from './read-given.ts';
import { inPart } from './trouble.ts';

/** Which bit: the lowest, so that flipping twice is as if nothing had been done. */
const MASK = 1;

const base64 = (bytes: Uint8Array): string => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));

/** The answer as a server writes it; `parseSignatureList` reads the same set of it. */
export function answerText(set: SignatureList): string {
  const { blockId, signatures } = set;
  const common = {
    id: {
      '@type': 'ton.blockIdExt',
      workchain: blockId.workchain,
      shard: blockId.shard.toString(),
      seqno: blockId.seqno,
      root_hash: base64(blockId.rootHash),
      file_hash: base64(blockId.fileHash),
    },
    signatures: signatures.map(({ nodeIdShort, signature }) => ({
      '@type': 'blocks.signature',
      node_id_short: base64(nodeIdShort),
      signature: base64(signature),
    })),
  };
  const answer =
    set.kind === 'ordinary'
      ? { '@type': 'blocks.blockSignatures', ...common }
      : {
          '@type': 'blocks.blockSignatures.simplex',
          ...common,
          session_id: base64(set.sessionId),
          slot: set.slot,
          candidate: base64(set.candidate),
        };
  return JSON.stringify(answer, null, 1);
}

function flipped(bytes: Uint8Array, at: number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  const byte = copy[at];
  if (byte === undefined) {
    throw new UsageError('usage/bad-option', `expected a byte from 0 to ${copy.length - 1}, got ${at}`, {
      path: 'byte',
    });
  }
  copy[at] = byte ^ MASK;
  return copy;
}

function flippedSlot(slot: number, at: number): number {
  return new DataView(flipped(Uint8Array.of(slot, slot >>> 8, slot >>> 16, slot >>> 24), at).buffer).getUint32(0, true);
}

const WORDS: Readonly<Record<FlipPart, string>> = {
  signature: 'the signature',
  session: 'the session id',
  slot: 'the slot',
  candidate: 'the candidate',
  'root-hash': 'the root hash',
  'file-hash': 'the file hash',
};

/** @throws UsageError for a part that these signatures do not have */
export function flipIn(set: SignatureList, part: FlipPart, entry: number, at: number): SignatureList {
  const { blockId, signatures } = set;
  if (part === 'root-hash') return { ...set, blockId: { ...blockId, rootHash: flipped(blockId.rootHash, at) } };
  if (part === 'file-hash') return { ...set, blockId: { ...blockId, fileHash: flipped(blockId.fileHash, at) } };
  if (part === 'signature') {
    const chosen = signatures[entry];
    if (chosen === undefined) {
      const most = signatures.length - 1;
      throw new UsageError('usage/bad-option', `expected an entry from 0 to ${most}, got ${entry}`, { path: 'entry' });
    }
    return {
      ...set,
      signatures: signatures.map((one, n) => (n === entry ? { ...one, signature: flipped(one.signature, at) } : one)),
    };
  }
  if (set.kind === 'ordinary') {
    throw new UsageError('usage/bad-option', `ordinary signatures have no ${part}`, { path: 'part' });
  }
  if (part === 'session') return { ...set, sessionId: flipped(set.sessionId, at) };
  if (part === 'slot') return { ...set, slot: flippedSlot(set.slot, at) };
  return { ...set, candidate: flipped(set.candidate, at) };
}

/** @throws DecodeError for an answer that cannot be read, UsageError for a byte that is not there */
export function flipByte({ signatures, part, entry, byte }: FlipRequest): Obtained {
  return inPart('signatures', () => {
    const set = flipIn(parseSignatureList(readSignatureJson(signatures)), part, entry, byte);
    const given: Given = { ...signatures, bytes: new TextEncoder().encode(answerText(set)) };
    const which = part === 'signature' ? `${WORDS[part]} of entry ${entry}` : WORDS[part];
    return { kind: 'obtained', given, words: `Flipped the lowest bit of byte ${byte} of ${which}.` };
  });
}
