/** Links of proofs as tokens, written as TL: real headers and configurations in Merkle proofs, real signatures. */
import type { SignatureEntry, SignatureList } from '../../../src/core/block/signature-list.ts';
import { signedMessage } from '../../../src/core/message/signed-message.ts';
import type { CoreCell } from '../../helpers/cells.ts';
import { emptyCandidate, entryOf, unsignedSet } from '../../helpers/make-block.ts';
import {
  configProof,
  headerOf,
  headerProof,
  listHash,
  type MadeBlock,
  proofShowing,
  type Committee as RealCommittee,
  tlBack,
  tlForward,
  updateOf,
  wholeProof,
} from '../../helpers/make-chain.ts';
import type { Block, Committee, ForwardToken, LinkToken } from '../chain.ts';

/** The cells and keys behind tokens. */
export interface Cells {
  /** None for a zerostate. */
  made(block: Block): MadeBlock | undefined;
  /** The root of the zerostate that a block of number 0 is. */
  zerostateRoot(block: Block): CoreCell;
  real(committee: Committee): RealCommittee;
}

/** Made once for one object. */
export function once<K extends object, T>(make: (key: K) => T): (key: K) => T {
  const known = new WeakMap<K, T>();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) {
      value = make(key);
      known.set(key, value);
    }
    return value;
  };
}

const headerProofOnce = once(headerProof);
const configProofOnce = once((made: MadeBlock) =>
  made.form.config === undefined ? headerProof(made) : configProof(made),
);
const wholeProofOnce = once(wholeProof);
const backProofOnce = once((made: MadeBlock) => proofShowing(made.root, [...headerOf(made), updateOf(made)]));

export function shownHeader(cells: Cells, block: Block): Uint8Array {
  const made = cells.made(block);
  return made === undefined ? wholeProofOnce(cells.zerostateRoot(block)) : headerProofOnce(made);
}

export function shownConfig(cells: Cells, block: Block): Uint8Array {
  const made = cells.made(block);
  return made === undefined ? wholeProofOnce(cells.zerostateRoot(block)) : configProofOnce(made);
}

/** Blocks whose signatures are kept for each committee. */
const MOST_SIGNED = 500;

const entries = once((_: RealCommittee) => new Map<string, readonly SignatureEntry[]>());

/** All signatures of a committee under a block; made once, for signing is dear. */
function signaturesOf(real: RealCommittee, unsigned: SignatureList): readonly SignatureEntry[] {
  const message = signedMessage(unsigned);
  const known = entries(real);
  const key = Buffer.from(message).toString('latin1');
  let made = known.get(key);
  if (made === undefined) {
    if (known.size >= MOST_SIGNED) known.clear();
    made = real.signers.map((signer) => entryOf(signer, message));
    known.set(key, made);
  }
  return made;
}

export function signatureSet(
  cells: Cells,
  { committee, by, over }: ForwardToken['signed'],
  kind = over.kind,
): SignatureList {
  const common = unsignedSet(kind, over.id);
  const candidate = over.isEmpty === true ? { candidate: emptyCandidate(over.id) } : {};
  const unsigned = common.kind === 'simplex' ? { ...common, slot: over.seqno, ...candidate } : common;
  const all = signaturesOf(cells.real(committee), unsigned);
  return { ...unsigned, signatures: by.map((place) => all[place]!) };
}

/** What a liar shows in place of what belongs there. */
export interface Shown {
  readonly destProof?: Uint8Array;
  readonly configProof?: Uint8Array;
  readonly set?: SignatureList;
}

export function writeLink(cells: Cells, link: LinkToken, shown: Shown = {}): Buffer {
  const { from, to, toKeyBlock, dest } = link;
  const destProof = shown.destProof ?? (dest === undefined ? new Uint8Array(0) : shownHeader(cells, dest));
  if (link.kind === 'back') {
    const made = cells.made(link.source);
    const proof = made === undefined ? wholeProofOnce(cells.zerostateRoot(link.source)) : backProofOnce(made);
    const state = cells.made(link.state)?.form.state ?? cells.zerostateRoot(link.state);
    return tlBack({ from, to, toKeyBlock, destProof, proof, stateProof: wholeProofOnce(state) });
  }
  const { committee, session } = link.signed;
  const catchainSeqno = 100 + (session?.seqno ?? 0);
  return tlForward({
    from,
    to,
    toKeyBlock,
    destProof,
    configProof: shown.configProof ?? shownConfig(cells, link.config),
    set: shown.set ?? signatureSet(cells, link.signed),
    catchainSeqno,
    listHash: listHash(cells.real(committee), catchainSeqno),
  });
}
