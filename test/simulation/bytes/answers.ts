/** Answers of servers as TL, laid by hand, and what liars do to their bytes. */

import { configProof, tlProof } from '../../helpers/make-chain.ts';
import { inNewForm } from '../../helpers/newer-network.ts';
import { blockIdBytes, hex, tlBytes, u32 } from '../../helpers/tl-answers.ts';
import { type ForwardToken, type LinkToken, rulerAfter } from '../chain.ts';
import type { ByteLie } from '../plan.ts';
import type { Answer } from '../port.ts';
import type { Random } from '../random.ts';
import { type Cells, type Shown, shownHeader, signatureSet, writeLink } from './links.ts';

const HEAD = 'f5e0cca8';
const HEADER = '19822d75';
const ERROR = '48e1a9bb';
const PROOF = 'c1d2d08e';
const IDS = [HEAD, HEADER, ERROR, PROOF];
const HUGE_BYTES = 16 << 20;
/** Bytes of it that begin as a right answer does. */
const HUGE_FIRST = 200;

type Written = Exclude<Answer, { kind: 'closed' | 'bytes' }>;

/** Made once. */
let huge: Uint8Array | undefined;
function hugeBytes(first: Uint8Array): Uint8Array {
  huge ??= Buffer.alloc(HUGE_BYTES, hex('5bd1e995a5c3'));
  huge.fill(0xa5, 0, HUGE_FIRST);
  huge.set(first.subarray(0, HUGE_FIRST));
  return huge;
}

/** Which link of a proof is spoiled. */
function spoilLinks(
  links: readonly LinkToken[],
  random: Random,
  spoil: (link: ForwardToken) => ForwardToken,
): LinkToken[] {
  const forward = links.flatMap(({ kind }, at) => (kind === 'forward' ? [at] : []));
  if (forward.length === 0) return [...links];
  const at = random.pick(forward);
  return links.map((link, index) => (index === at && link.kind === 'forward' ? spoil(link) : link));
}

/** Signers of a third or less, as often as makes all. */
function twice({ committee: { weights } }: ForwardToken['signed']): number[] {
  const some = Math.floor(weights.length / 3);
  return weights.map((_, place) => place % some);
}

export class Writer {
  readonly #cells: Cells;
  /** For each server what it answered before. */
  readonly #before = new Map<number, Uint8Array>();

  constructor(cells: Cells) {
    this.#cells = cells;
  }

  write(server: number, answer: Written): Uint8Array {
    const bytes = answer.kind === 'spoiled' ? this.#spoiled(server, answer) : this.#plain(answer);
    if (bytes.length < HUGE_BYTES) this.#before.set(server, bytes);
    return bytes;
  }

  #plain(answer: Exclude<Written, { kind: 'spoiled' }>): Uint8Array {
    switch (answer.kind) {
      case 'head': {
        const { last, utime, now, zerostate } = answer;
        const numbers = [0, 0x101, 15, 0].map(u32);
        const init = [u32(-1), zerostate.rootHash, zerostate.fileHash];
        return Buffer.concat([
          hex(HEAD),
          ...numbers,
          blockIdBytes(last),
          u32(utime),
          u32(now),
          new Uint8Array(32),
          ...init,
        ]);
      }
      case 'header':
        return this.#header(answer, shownHeader(this.#cells, answer.block));
      case 'proof':
        return this.#proof(answer, () => ({}));
      case 'error':
        return Buffer.concat([hex(ERROR), u32(answer.code), tlBytes(Buffer.from(answer.text))]);
      case 'garbage':
        return new Uint8Array(8);
    }
  }

  #header({ id }: Extract<Answer, { kind: 'header' }>, shown: Uint8Array): Uint8Array {
    return Buffer.concat([hex(HEADER), blockIdBytes(id), u32(0), tlBytes(shown)]);
  }

  #proof({ proof }: Extract<Answer, { kind: 'proof' }>, shown: (link: LinkToken, at: number) => Shown): Uint8Array {
    const { from, to, links, complete } = proof;
    const written = links.map((link, at) => writeLink(this.#cells, link, shown(link, at)));
    const bytes = tlProof(from, to, written, complete);
    return proof.isNewer ? inNewForm(bytes) : bytes;
  }

  #spoiled(server: number, { lie, answer, random }: Extract<Answer, { kind: 'spoiled' }>): Uint8Array {
    if (answer.kind === 'closed' || answer.kind === 'spoiled' || answer.kind === 'bytes') return new Uint8Array(0);
    if (answer.kind === 'proof') {
      const bytes = this.#spoiledProof(answer, lie, random);
      if (bytes !== undefined) return bytes;
    }
    const plain = Uint8Array.from(this.#plain(answer));
    switch (lie) {
      case 'truncate':
        return plain.subarray(
          0,
          random.chance(0.5) ? random.int(0, plain.length - 1) : 4 * random.int(0, (plain.length - 1) >> 2),
        );
      case 'trail':
        return Buffer.concat([plain, new Uint8Array(random.pick([1, 4, 8, 1024]))]);
      case 'constructor':
        plain.set(random.chance(0.8) ? hex(random.pick(IDS)) : u32(random.int(0, 2 ** 31)));
        return plain;
      case 'other':
        return this.#before.get(server) ?? plain;
      case 'huge':
        return hugeBytes(random.chance(0.7) ? plain : plain.subarray(0, 4));
      case 'header':
        if (answer.kind !== 'header' || answer.block.parent === undefined) return plain;
        return this.#header(answer, shownHeader(this.#cells, answer.block.parent));
      case 'root':
        return this.#changed(plain, random, answer.kind === 'header' ? 92 : 4, 120);
      case 'flip':
        return this.#changed(plain, random, 0, plain.length);
      default:
        return plain; // it is done to proofs alone
    }
  }

  /** One bit from `from` on, within so many bytes. */
  #changed(plain: Uint8Array, random: Random, from: number, within: number): Uint8Array {
    const at = Math.min(plain.length - 1, from + random.int(0, within - 1));
    plain[at]! ^= 1 << random.int(0, 7);
    return plain;
  }

  #spoiledProof(answer: Extract<Answer, { kind: 'proof' }>, lie: ByteLie, random: Random): Uint8Array | undefined {
    const { proof } = answer;
    const { links } = proof;
    const at = random.int(0, Math.max(0, links.length - 1));
    const withLinks = (spoil: (link: ForwardToken) => ForwardToken) =>
      this.#proof({ ...answer, proof: { ...proof, links: spoilLinks(links, random, spoil) } }, () => ({}));
    const withSigned = (spoil: (signed: ForwardToken['signed']) => Partial<ForwardToken['signed']>) =>
      withLinks((link) => ({ ...link, signed: { ...link.signed, ...spoil(link.signed) } }));
    const withShown = (spoil: (link: LinkToken) => Shown) =>
      this.#proof(answer, (link, index) => (index === at ? spoil(link) : {}));
    switch (lie) {
      case 'twice':
        return withSigned((signed) => ({ by: twice(signed) }));
      case 'stolen':
        return withSigned(({ over, committee }) => ({
          over: over.parent ?? over,
          by: committee.weights.map((_, place) => place),
        }));
      case 'session':
        return withSigned(({ session }) => ({ session: session?.ruler }));
      case 'kind':
        return withShown((link) => {
          if (link.kind === 'back') return {};
          const { signed } = link;
          const by = signed.committee.weights.map((_, place) => place);
          const set = signatureSet(this.#cells, { ...signed, by, over: signed.over.parent ?? signed.over });
          const other = signatureSet(this.#cells, signed, signed.over.kind === 'simplex' ? 'ordinary' : 'simplex');
          return { set: { ...other, signatures: set.signatures } };
        });
      case 'pruned':
        return withShown((link) => {
          const made = link.kind === 'back' ? undefined : this.#cells.made(link.config);
          if (made?.form.config === undefined) return {};
          const { refs } = made.form.config;
          const cut = random.pick([made.form.config, ...refs]);
          return { configProof: configProof(made, (cell) => cell === cut) };
        });
      case 'header':
        return withShown(({ dest }) => {
          const other = dest === undefined ? undefined : random.pick([dest.parent, dest.ruler, rulerAfter(dest)]);
          return other === undefined ? {} : { destProof: shownHeader(this.#cells, other) };
        });
      default:
        return undefined;
    }
  }
}
