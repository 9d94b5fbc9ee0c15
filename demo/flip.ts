/** Flips one byte of an answer, and writes the answer again. The page judges next what the form contains. */
import { parseSignatureList, type SignatureList, UsageError } from '../src/index.ts';
import type { FlipPart, FlipRequest, Given, Obtained } from './protocol.ts';
import { readSignatureJson } from './read-given.ts';
import { inPart } from './trouble.ts';

/** Which bit: the lowest, so that flipping twice is as if nothing had been done. */
const MASK = 1;

const base64 = (bytes: Uint8Array): string => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));

/** The answer as a server writes it; `parseSignatureList` reads the same list from it. */
export function answerText(list: SignatureList): string {
  const { blockId, signatures } = list;
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
    list.kind === 'ordinary'
      ? { '@type': 'blocks.blockSignatures', ...common }
      : {
          '@type': 'blocks.blockSignatures.simplex',
          ...common,
          session_id: base64(list.sessionId),
          slot: list.slot,
          candidate: base64(list.candidate),
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
export function flipIn(list: SignatureList, part: FlipPart, entry: number, at: number): SignatureList {
  const { blockId, signatures } = list;
  if (part === 'root-hash') return { ...list, blockId: { ...blockId, rootHash: flipped(blockId.rootHash, at) } };
  if (part === 'file-hash') return { ...list, blockId: { ...blockId, fileHash: flipped(blockId.fileHash, at) } };
  if (part === 'signature') {
    const chosen = signatures[entry];
    if (chosen === undefined) {
      const most = signatures.length - 1;
      throw new UsageError('usage/bad-option', `expected an entry from 0 to ${most}, got ${entry}`, { path: 'entry' });
    }
    return {
      ...list,
      signatures: signatures.map((one, n) => (n === entry ? { ...one, signature: flipped(one.signature, at) } : one)),
    };
  }
  if (list.kind === 'ordinary') {
    throw new UsageError('usage/bad-option', `ordinary signatures have no ${part}`, { path: 'part' });
  }
  if (part === 'session') return { ...list, sessionId: flipped(list.sessionId, at) };
  if (part === 'slot') return { ...list, slot: flippedSlot(list.slot, at) };
  return { ...list, candidate: flipped(list.candidate, at) };
}

/** @throws DecodeError for an answer that cannot be read, UsageError for a byte that is not there */
export function flipByte({ signatures, part, entry, byte }: FlipRequest): Obtained {
  return inPart('signatures', () => {
    const list = flipIn(parseSignatureList(readSignatureJson(signatures)), part, entry, byte);
    const given: Given = { ...signatures, bytes: new TextEncoder().encode(answerText(list)) };
    const which = part === 'signature' ? `${WORDS[part]} of entry ${entry}` : WORDS[part];
    return { kind: 'obtained', given, words: `Flipped the lowest bit of byte ${byte} of ${which}.` };
  });
}
