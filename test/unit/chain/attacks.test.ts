import { describe, expect, it } from 'vitest';
import {
  advanceCheckpoint,
  checkpointFromKeyBlock,
  checkpointFromZerostate,
  checkpointToJson,
  parseCheckpoint,
  validatorSetAt,
  verifyBlockProof,
  verifyHeader,
  verifyStoredProof,
  type WalkOptions,
} from '../../../src/chain.ts';
import { FinalityError } from '../../../src/core/base/errors.ts';
import type { BlockIdExt } from '../../../src/core/block/block-id.ts';
import type { Ed25519Engine } from '../../../src/core/ed25519/engine.ts';
import { referenceEngine } from '../../../src/core/ed25519/reference.ts';
import { signedMessage } from '../../../src/core/message/signed-message.ts';
import { verifyBlock } from '../../../src/core/verify/verifier.ts';
import { beginCell, bocOf, CoreCell, prune, rawCells, writeBoc } from '../../helpers/cells.ts';
import { candidateWithoutParent, emptyCandidate, entryOf, withEntries } from '../../helpers/make-block.ts';
import {
  blockSignaturesCell,
  committee,
  configCell,
  configOf,
  configProof,
  customOf,
  type ForwardForm,
  headerProof,
  honestLink,
  infoOf,
  makeBlock,
  makeState,
  makeZerostate,
  proofShowing,
  sha256,
  signBlock,
  storedProof,
  tlForward,
  tlProof,
  UTIME_UNTIL,
  validatorSetCell,
} from '../../helpers/make-chain.ts';
import { networkOf } from '../../helpers/networks.ts';

const a = committee('a');
const b = committee('b');
const c = committee('c');

/** Key block 100 installs set a, 200 installs b, 300 installs c; each is signed by the set before. */
const key100 = makeBlock({ seqno: 100, signedBy: c, prevKeyBlockSeqno: 50, config: configCell({ elected: a }) });
const key200 = makeBlock({ seqno: 200, signedBy: a, prevKeyBlockSeqno: 100, config: configCell({ elected: b }) });
const key300 = makeBlock({ seqno: 300, signedBy: b, prevKeyBlockSeqno: 200, config: configCell({ elected: c }) });
const block150 = makeBlock({ seqno: 150, signedBy: a, prevKeyBlockSeqno: 100 });
const block151 = makeBlock({ seqno: 151, signedBy: a, prevKeyBlockSeqno: 100 });
const block350 = makeBlock({ seqno: 350, signedBy: c, prevKeyBlockSeqno: 300 });
const start = checkpointFromKeyBlock(key100.boc, key100.id);

function errorOf(run: () => unknown): FinalityError {
  try {
    run();
  } catch (error) {
    if (error instanceof FinalityError) return error;
    throw error;
  }
  throw new Error('expected an error, got none');
}
const codeOf = (run: () => unknown) => errorOf(run).code;

const walk = (links: readonly ForwardForm[], from: BlockIdExt = key100.id, opts?: WalkOptions) =>
  verifyBlockProof(
    tlProof(links[0]!.from, links.at(-1)!.to, links.map(tlForward)),
    from.seqno === 100 ? start : from,
    opts,
  );
const step = (block: typeof key200, over: object = {}) => ({ block: block.boc, signatures: signBlock(block), ...over });

describe('the honest chain', () => {
  it('walks over three links of both kinds and ends at the checkpoint before its tip', () => {
    const result = walk([
      honestLink(key100, key200),
      honestLink(key200, key300, 'simplex'),
      honestLink(key300, block350, 'simplex'),
    ]);
    expect(result.tip).toEqual(block350.id);
    expect(result.checkpoint.keyBlock).toEqual(key300.id);
    expect(result.checkpoint.anchor).toEqual(key100.id);
    expect(result.reports.map(({ verdict }) => verdict.status)).toEqual(['final', 'final', 'final']);
    expect(result.tipHeader).toMatchObject({ seqno: 350, keyBlock: false, prevKeyBlockSeqno: 300 });
  });

  it('walks from a pinned id like from a checkpoint of the same block', () => {
    const links = [honestLink(key100, key200), honestLink(key200, key300)];
    const tl = tlProof(key100.id, key300.id, links.map(tlForward));
    const [pinned, checkpoint] = [verifyBlockProof(tl, key100.id), verifyBlockProof(tl, start)];
    expect(pinned).toEqual(checkpoint);
    expect(pinned.checkpoint.keyBlock).toEqual(key200.id);
  });

  it('advances one key block at a time to the same checkpoint, from whole blocks, config proofs and stored proofs', () => {
    const walked = walk([honestLink(key100, key200), honestLink(key200, block250())]).checkpoint;
    expect(advanceCheckpoint(step(key200), start)).toEqual(walked);
    expect(
      advanceCheckpoint({ block: configProof(key200), signatures: signBlock(key200, a, 'simplex') }, start),
    ).toEqual(walked);
    const stored = storedProof(key200, blockSignaturesCell(key200, signBlock(key200), 40n));
    expect(advanceCheckpoint({ block: key200.boc, storedProof: stored }, start)).toEqual(walked);
  });

  it('checks every signature on the way with the engine that it is given', () => {
    let asked = 0;
    const engine: Ed25519Engine = {
      name: 'counting',
      open: (keys) => {
        const ring = referenceEngine.open(keys);
        const verify: typeof ring.verify = (message, keyIndexes, signatures) => {
          asked += signatures.length;
          return ring.verify(message, keyIndexes, signatures);
        };
        return { verify, close: () => ring.close() };
      },
    };
    const stored = storedProof(block150, blockSignaturesCell(block150, signBlock(block150), 40n));
    for (const run of [
      () => advanceCheckpoint(step(key200), start, { engine }),
      () => walk([honestLink(key100, key200)], key100.id, { engine }),
      () => verifyStoredProof(stored, start, { engine }),
    ]) {
      asked = 0;
      run();
      expect(asked).toBe(4);
    }
  });

  it('advances by one kind of signatures, not by two of which one would be ignored', () => {
    const stored = storedProof(key200, blockSignaturesCell(key200, signBlock(key200), 40n));
    expect(errorOf(() => advanceCheckpoint(step(key200, { storedProof: stored }) as never, start))).toMatchObject({
      code: 'usage/bad-option',
      path: 'step',
    });
  });

  it('starts from a zerostate, whose successors name key block 0', () => {
    const zero = makeZerostate(configCell({ elected: a }));
    const first = makeBlock({ seqno: 1, signedBy: a, prevKeyBlockSeqno: 0, config: configCell({ elected: b }) });
    const genesis = checkpointFromZerostate(zero.boc, zero.id);
    expect(advanceCheckpoint(step(first), genesis).keyBlock).toEqual(first.id);
    const link = { ...honestLink(key100, first), from: zero.id, configProof: proofOfAll(zero.root) };
    expect(verifyBlockProof(tlProof(zero.id, first.id, [tlForward(link)]), zero.id).checkpoint).toEqual(genesis);
  });

  it('accepts a stored proof with simplex signatures (block_signatures#12) of every candidate shape', () => {
    const shapes = [undefined, emptyCandidate(block150.id), candidateWithoutParent(block150.id)];
    for (const candidate of shapes) {
      const signed = signBlock(block150, a, 'simplex');
      if (signed.kind !== 'simplex') throw new Error('asked for a simplex set');
      const set = candidate === undefined ? signed : resign({ ...signed, candidate });
      const report = verifyStoredProof(storedProof(block150, blockSignaturesCell(block150, set, 40n)), start);
      expect(report.verdict.status).toBe('final');
      expect(report.coverage.kind).toBe('simplex');
    }
  });

  it('does not need two thirds of everybody, only of the masterchain subset', () => {
    const wide = { ...committee('wide', [10n, 10n, 10n, 90n, 90n]), main: 3 };
    const key = makeBlock({ seqno: 100, signedBy: c, prevKeyBlockSeqno: 50, config: configCell({ elected: wide }) });
    const next = makeBlock({ seqno: 110, signedBy: wide, prevKeyBlockSeqno: 100, config: configCell({ elected: b }) });
    const checkpoint = checkpointFromKeyBlock(key.boc, key.id);
    expect(validatorSetAt(checkpoint).totalWeight).toBe(30n);
    expect(advanceCheckpoint(step(next), checkpoint).keyBlock).toEqual(next.id);
  });
});

function block250() {
  return makeBlock({ seqno: 250, signedBy: b, prevKeyBlockSeqno: 200 });
}
function proofOfAll(root: CoreCell): Uint8Array {
  const cells: CoreCell[] = [];
  const collect = (cell: CoreCell): void => {
    cells.push(cell);
    for (const ref of cell.refs) collect(ref);
  };
  collect(root);
  return proofShowing(root, cells);
}
function resign(set: Extract<ReturnType<typeof signBlock>, { kind: 'simplex' }>) {
  const fresh = { ...set, signatures: [] };
  return { ...fresh, signatures: a.signers.map((signer) => entryOf(signer, signedMessage(fresh))) };
}

describe('an attack with the wrong set', () => {
  it('is refused when the set is of another epoch: key block 300 under the set of 100', () => {
    expect(codeOf(() => advanceCheckpoint(step(key300), start))).toBe('trust/not-next');
    const relabelled = makeBlock({
      seqno: 300,
      signedBy: b,
      prevKeyBlockSeqno: 100,
      config: configCell({ elected: c }),
    });
    expect(codeOf(() => advanceCheckpoint(step(relabelled), start))).toBe('trust/set-hash');
  });

  it('is refused when a key block is judged by its own new set', () => {
    const selfSigned = makeBlock({
      seqno: 200,
      signedBy: b,
      prevKeyBlockSeqno: 100,
      config: configCell({ elected: b }),
    });
    expect(codeOf(() => advanceCheckpoint(step(selfSigned), start))).toBe('trust/set-hash');
    expect(codeOf(() => advanceCheckpoint({ block: key200.boc, signatures: signBlock(key200, b) }, start))).toBe(
      'trust/not-final',
    );
    const own = checkpointFromKeyBlock(key200.boc, key200.id);
    expect(codeOf(() => advanceCheckpoint(step(key200), own))).toBe('trust/backwards');
  });

  it('is refused when the signatures beside the header name another set or session', () => {
    expect(codeOf(() => walk([honestLink(key100, key200, 'ordinary', { listHash: 1 })]))).toBe('trust/set-hash');
    expect(codeOf(() => walk([honestLink(key100, key200, 'ordinary', { catchainSeqno: 1 })]))).toBe(
      'trust/catchain-seqno',
    );
    for (const kind of ['ordinary', 'simplex'] as const) {
      const swapped = honestLink(key100, key200, kind);
      const link = { ...swapped, listHash: swapped.catchainSeqno, catchainSeqno: swapped.listHash };
      expect(
        codeOf(() => walk([link])),
        `the first two numbers swapped, ${kind}`,
      ).toBe('trust/catchain-seqno');
    }
  });

  it('is refused for a configuration that has no current set', () => {
    const none = makeBlock({
      seqno: 100,
      signedBy: c,
      prevKeyBlockSeqno: 50,
      config: configCell({ elected: a, param34: 'absent' }),
    });
    expect(errorOf(() => checkpointFromKeyBlock(none.boc, none.id))).toMatchObject({
      code: 'trust/no-config',
      path: 'block.config',
    });
  });

  it('is refused for two equal keys in the subset', () => {
    const twin = { ...a, signers: [a.signers[0]!, a.signers[0]!, ...a.signers.slice(2)] };
    const key = makeBlock({ seqno: 100, signedBy: c, prevKeyBlockSeqno: 50, config: configCell({ elected: twin }) });
    expect(codeOf(() => checkpointFromKeyBlock(key.boc, key.id))).toBe('validators/repeated-key');
  });

  it('is refused for a weight that overflows 2^61, or wraps around 2^64', () => {
    for (const weights of [
      [2n ** 60n, 2n ** 60n, 1n],
      [2n ** 63n, 2n ** 63n, 30n],
    ]) {
      const heavy = configCell({ elected: a, param34: validatorSetCell(committee('heavy', weights)) });
      const key = makeBlock({ seqno: 100, signedBy: c, prevKeyBlockSeqno: 50, config: heavy });
      expect(codeOf(() => checkpointFromKeyBlock(key.boc, key.id))).toBe('validators/weight-overflow');
    }
  });

  it('takes parameter 35 before 34, and refuses a proof that prunes what 35 might be', () => {
    const config = configCell({ elected: a, temporary: b });
    const key = makeBlock({ seqno: 100, signedBy: c, prevKeyBlockSeqno: 50, config });
    const checkpoint = checkpointFromKeyBlock(key.boc, key.id);
    expect(validatorSetAt(checkpoint).validators[0]!.publicKey).toEqual(b.signers[0]!.publicKey);
    const hidden = validatorSetCell(b).hash();
    const leads35 = (cell: CoreCell) => cell.refs.length === 1 && cell.refs[0]!.hash().equals(hidden);
    expect(codeOf(() => checkpointFromKeyBlock(configProof(key, leads35), key.id))).toBe('trust/pruned');
    const next = makeBlock({ seqno: 110, signedBy: a, prevKeyBlockSeqno: 100 });
    const link = honestLink(key, next, 'ordinary', { configProof: configProof(key, leads35) });
    expect(codeOf(() => verifyBlockProof(tlProof(key.id, next.id, [tlForward(link)]), key.id))).toBe('trust/pruned');
  });

  it('refuses a proof that prunes parameter 28 instead of taking it for absent', () => {
    const cut28 = (cell: CoreCell) => cell.bits.length === 144 && cell.beginParse().preloadUint(8) === 0xc2;
    expect(codeOf(() => checkpointFromKeyBlock(configProof(key100, cut28), key100.id))).toBe('trust/pruned');
  });
});

describe('an attack with the wrong block', () => {
  it('is refused when the anchor file is not the pinned block: root hash, file hash, and both for a zerostate', () => {
    expect(codeOf(() => checkpointFromKeyBlock(key200.boc, key100.id))).toBe('trust/anchor-hash');
    expect(codeOf(() => checkpointFromKeyBlock(configProof(key200), key100.id))).toBe('trust/anchor-hash');
    const fileHash = sha256(new Uint8Array(1));
    expect(codeOf(() => checkpointFromKeyBlock(key100.boc, { ...key100.id, fileHash }))).toBe('trust/anchor-hash');
    const rewritten = Uint8Array.from(key100.root.toBoc({ idx: false, crc32: false }));
    expect(codeOf(() => checkpointFromKeyBlock(rewritten, key100.id))).toBe('trust/anchor-hash');
    const zero = makeZerostate(configCell({ elected: a }));
    expect(codeOf(() => checkpointFromZerostate(zero.boc, { ...zero.id, fileHash }))).toBe('trust/anchor-hash');
    const other = makeZerostate(configCell({ elected: b }));
    expect(codeOf(() => checkpointFromZerostate(other.boc, zero.id))).toBe('trust/anchor-hash');
  });

  it('is refused when the anchor is no key block, or the number of the id is not the block’s', () => {
    expect(codeOf(() => checkpointFromKeyBlock(block150.boc, block150.id))).toBe('trust/not-key-block');
    expect(codeOf(() => checkpointFromKeyBlock(key100.boc, { ...key100.id, seqno: 101 }))).toBe('trust/header');
    const zero = makeZerostate(configCell({ elected: a }));
    expect(codeOf(() => checkpointFromKeyBlock(zero.boc, zero.id))).toBe('trust/not-key-block');
    expect(codeOf(() => checkpointFromZerostate(zero.boc, { ...zero.id, seqno: 1 }))).toBe('trust/header');
  });

  it('is refused when a link’s proof is for another block', () => {
    expect(codeOf(() => walk([honestLink(key100, key200, 'ordinary', { destProof: headerProof(key300) })]))).toBe(
      'trust/root-hash',
    );
    expect(codeOf(() => walk([honestLink(key100, key200, 'ordinary', { configProof: configProof(key300) })]))).toBe(
      'trust/root-hash',
    );
  });

  it('is refused when destination and configuration proof are swapped', () => {
    const link = honestLink(key100, key200);
    expect(codeOf(() => walk([{ ...link, destProof: link.configProof, configProof: link.destProof }]))).toBe(
      'trust/root-hash',
    );
  });

  it('is refused with the header of one block and the signatures of the next', () => {
    const set = { ...signBlock(block151), blockId: block150.id };
    expect(codeOf(() => walk([honestLink(key100, block150, 'ordinary', { set })]))).toBe('trust/not-final');
    const simplex = { ...signBlock(block151, a, 'simplex'), blockId: block150.id };
    expect(codeOf(() => walk([honestLink(key100, block150, 'simplex', { set: simplex })]))).toBe(
      'decode/candidate-mismatch',
    );
    expect(codeOf(() => verifyHeader(headerProof(block150), block151.id))).toBe('trust/root-hash');
    for (const other of [{ seqno: 151 }, { workchain: 0 }, { shard: 1n << 62n }]) {
      expect(codeOf(() => verifyHeader(block150.boc, { ...block150.id, ...other }))).toBe('trust/header');
    }
    expect(codeOf(() => verifyHeader(block150.boc, { ...block150.id, fileHash: block151.id.fileHash }))).toBe(
      'trust/file-hash',
    );
    expect(codeOf(() => advanceCheckpoint({ block: key300.boc, signatures: signBlock(key200) }, start))).toBe(
      'trust/root-hash',
    );
  });

  it('is shown without its file by cells pruned under a plain root, whose bytes have no file hash', () => {
    const cut = (block: typeof key100) =>
      bocOf(prune(block.root, (cell) => cell.hash().equals(block.root.refs[1]!.hash())));
    expect(verifyHeader(cut(key100), key100.id)).toEqual(verifyHeader(key100.boc, key100.id));
    expect(checkpointFromKeyBlock(cut(key100), key100.id)).toEqual(start);
    expect(advanceCheckpoint({ block: cut(key200), signatures: signBlock(key200) }, start).keyBlock).toEqual(key200.id);
    expect(codeOf(() => verifyHeader(cut(key200), key100.id))).toBe('trust/root-hash');
  });

  it('is refused when a whole block has another file hash than the one that was signed', () => {
    const renamed = { ...key200, id: { ...key200.id, fileHash: sha256(new Uint8Array(3)) } };
    expect(codeOf(() => advanceCheckpoint({ block: key200.boc, signatures: signBlock(renamed) }, start))).toBe(
      'trust/file-hash',
    );
  });

  it('is refused when a stored proof joins the id and signatures of one block with the cells of another', () => {
    const good = blockSignaturesCell(key200, signBlock(key200), 40n);
    const mixed = storedProof(key300, good, key200.id);
    expect(codeOf(() => advanceCheckpoint({ block: key200.boc, storedProof: mixed }, start))).toBe('trust/root-hash');
  });

  it('is refused when a link from the zerostate carries another zerostate, or a state that is none', () => {
    const zero = makeZerostate(configCell({ elected: a }));
    const other = makeZerostate(configCell({ elected: b }));
    const first = makeBlock({ seqno: 1, signedBy: b, prevKeyBlockSeqno: 0 });
    const link = { ...honestLink(key100, first), from: zero.id, configProof: proofOfAll(other.root) };
    expect(codeOf(() => verifyBlockProof(tlProof(zero.id, first.id, [tlForward(link)]), zero.id))).toBe(
      'trust/root-hash',
    );
    const later = makeState({ seqno: 5, config: configCell({ elected: a }) });
    const shard = makeState({
      seqno: 0,
      config: configCell({ elected: a }),
      shard: { workchain: 0, prefixBits: 0, prefix: 0n },
    });
    for (const [root, code] of [
      [later, 'trust/header'],
      [shard, 'trust/wrong-workchain'],
    ] as const) {
      const boc = Uint8Array.from(root.toBoc());
      const id = { ...zero.id, rootHash: Uint8Array.from(root.hash()), fileHash: sha256(boc) };
      expect(codeOf(() => checkpointFromZerostate(boc, id))).toBe(code);
    }
  });

  it('is refused when the file hash alone is changed: the signatures cover it', () => {
    const to = { ...block150.id, fileHash: sha256(new Uint8Array(2)) };
    const set = { ...signBlock(block150), blockId: to };
    expect(codeOf(() => walk([{ ...honestLink(key100, block150, 'ordinary', { set }), to }]))).toBe('trust/not-final');
  });

  it('is refused when the key block flag of the link, the header or the masterchain data is relabelled', () => {
    expect(codeOf(() => walk([honestLink(key100, key200, 'ordinary', { toKeyBlock: false })]))).toBe(
      'trust/key-block-flag',
    );
    expect(codeOf(() => walk([honestLink(key100, block150, 'ordinary', { toKeyBlock: true })]))).toBe(
      'trust/key-block-flag',
    );
    const hollow = makeBlock({
      seqno: 200,
      signedBy: a,
      prevKeyBlockSeqno: 100,
      config: configCell({ elected: b }),
      extraSaysKeyBlock: false,
    });
    expect(codeOf(() => advanceCheckpoint(step(hollow), start))).toBe('trust/key-block-flag');
    const posing = makeBlock({ seqno: 200, signedBy: a, prevKeyBlockSeqno: 100, extraSaysKeyBlock: true });
    expect(codeOf(() => advanceCheckpoint(step(posing), start))).toBe('trust/not-key-block');
  });

  it('is refused when a plain block is to move trust', () => {
    expect(codeOf(() => advanceCheckpoint(step(block150), start))).toBe('trust/not-key-block');
    const links = [
      honestLink(key100, block150),
      honestLink(block150, block151, 'ordinary', { configProof: configProof(key100) }),
    ];
    expect(codeOf(() => walk(links))).toBe('trust/not-next');
    const bare = { ...honestLink(key100, block151), from: block150.id, configProof: proofOfAll(block150.root) };
    const tl = tlProof(block150.id, block151.id, [tlForward(bare)]);
    expect(codeOf(() => verifyBlockProof(tl, block150.id))).toBe('trust/not-key-block');
  });
});

describe('an attack with the wrong order', () => {
  it('is refused when an older valid link is replayed', () => {
    const later = checkpointFromKeyBlock(key200.boc, key200.id);
    const old = tlProof(key100.id, block150.id, [tlForward(honestLink(key100, block150))]);
    expect(codeOf(() => verifyBlockProof(old, later))).toBe('trust/not-connected');
    const claimed = { ...honestLink(key200, block150), set: signBlock(block150) };
    expect(codeOf(() => verifyBlockProof(tlProof(key200.id, block150.id, [tlForward(claimed)]), later))).toBe(
      'trust/backwards',
    );
    expect(codeOf(() => advanceCheckpoint(step(key200), later))).toBe('trust/backwards');
  });

  it('is refused when links do not connect, start elsewhere, or end elsewhere than the answer says', () => {
    const [one, two] = [tlForward(honestLink(key100, key200)), tlForward(honestLink(key300, block350))];
    expect(codeOf(() => verifyBlockProof(tlProof(key100.id, block350.id, [one, two]), start))).toBe(
      'trust/not-connected',
    );
    expect(codeOf(() => verifyBlockProof(tlProof(key200.id, key200.id, [one]), start))).toBe('trust/not-connected');
    expect(codeOf(() => verifyBlockProof(tlProof(key100.id, key300.id, [one]), start))).toBe('trust/not-connected');
    const other = { ...key200.id, fileHash: key300.id.fileHash };
    expect(codeOf(() => verifyBlockProof(tlProof(key100.id, other, [one]), start))).toBe('trust/not-connected');
  });

  it('is told when the answer ends before the block that was asked for', () => {
    const half = tlProof(key100.id, key200.id, [tlForward(honestLink(key100, key200))], false);
    expect(verifyBlockProof(half, start)).toMatchObject({ complete: false, tip: key200.id });
    const error = errorOf(() => verifyBlockProof(half, start, { expect: key300.id }));
    expect(error.code).toBe('trust/incomplete');
    expect(verifyBlockProof(half, start, { expect: key200.id }).tip).toEqual(key200.id);
  });

  it('gives no checkpoint for a pinned id without a link, and the same one for a checkpoint', () => {
    const empty = tlProof(key100.id, key100.id, []);
    expect(codeOf(() => verifyBlockProof(empty, key100.id))).toBe('trust/no-config');
    expect(verifyBlockProof(empty, start).checkpoint).toBe(start);
  });

  it('stops at a hardfork, which nobody signs, with words on how to go on', () => {
    const fork = makeBlock({
      seqno: 200,
      signedBy: a,
      prevKeyBlockSeqno: 100,
      config: configCell({ elected: b }),
      hardfork: true,
    });
    const error = errorOf(() => advanceCheckpoint(step(fork), start));
    expect(error.code).toBe('trust/hardfork');
    expect(error.hint).toMatch(/pin it with checkpoint init/);
    expect(codeOf(() => walk([honestLink(key100, fork)]))).toBe('trust/hardfork');
    expect(codeOf(() => verifyStoredProof(storedProof(fork, undefined), start))).toBe('trust/hardfork');
    expect(checkpointFromKeyBlock(fork.boc, fork.id).keyBlock).toEqual(fork.id);
  });

  it('stops where a hardfork was passed over on the way, though the block itself is none', () => {
    const beyond = makeBlock({ seqno: 150, signedBy: a, prevKeyBlockSeqno: 100, vertSeqno: 2 });
    expect(codeOf(() => walk([honestLink(key100, beyond)]))).toBe('trust/hardfork');
  });

  it('is refused for a block that says it was made before the key block that rules it', () => {
    const early = makeBlock({ seqno: 150, signedBy: a, prevKeyBlockSeqno: 100, genUtime: 1_499_999 });
    expect(codeOf(() => walk([honestLink(key100, early)]))).toBe('trust/backwards');
    const earlyKey = makeBlock({
      seqno: 200,
      signedBy: a,
      prevKeyBlockSeqno: 100,
      config: configCell({ elected: b }),
      genUtime: 1,
    });
    expect(codeOf(() => advanceCheckpoint(step(earlyKey), start))).toBe('trust/backwards');
  });

  it('is refused for a block of another network, in a step, a link and the source of a link', () => {
    const foreign = makeBlock({
      seqno: 200,
      signedBy: a,
      prevKeyBlockSeqno: 100,
      config: configCell({ elected: b }),
      globalId: -3,
    });
    expect(codeOf(() => advanceCheckpoint(step(foreign), start))).toBe('trust/wrong-network');
    expect(codeOf(() => walk([honestLink(key100, foreign)]))).toBe('trust/wrong-network');
  });

  it('is refused for a block of another workchain or shard', () => {
    const shard = makeBlock({
      seqno: 150,
      signedBy: a,
      prevKeyBlockSeqno: 100,
      shard: { workchain: 0, prefixBits: 0, prefix: 0n },
    });
    expect(codeOf(() => walk([honestLink(key100, shard)]))).toBe('trust/wrong-workchain');
    const stored = storedProof(shard, blockSignaturesCell(shard, signBlock(shard), 40n));
    expect(codeOf(() => verifyStoredProof(stored, start))).toBe('trust/wrong-workchain');
    expect(codeOf(() => advanceCheckpoint(step(shard), start))).toMatch(/^trust\/(wrong-workchain|not-key-block)$/);
    expect(codeOf(() => checkpointFromKeyBlock(key100.boc, { ...key100.id, workchain: 0 }))).toBe(
      'trust/wrong-workchain',
    );
    expect(codeOf(() => checkpointFromKeyBlock(key100.boc, { ...key100.id, shard: 1n << 62n }))).toBe(
      'trust/wrong-workchain',
    );
    expect(codeOf(() => verifyBlockProof(tlProof(key100.id, key100.id, []), { ...key100.id, workchain: 0 }))).toBe(
      'trust/wrong-workchain',
    );
  });
});

describe('an attack with the wrong signatures', () => {
  it('is refused at exactly two thirds, and with one bad, unknown or repeated signer', () => {
    const three = committee('three', [10n, 10n, 10n]);
    const key = makeBlock({ seqno: 100, signedBy: c, prevKeyBlockSeqno: 50, config: configCell({ elected: three }) });
    const next = makeBlock({ seqno: 110, signedBy: three, prevKeyBlockSeqno: 100, config: configCell({ elected: b }) });
    const checkpoint = checkpointFromKeyBlock(key.boc, key.id);
    const all = signBlock(next);
    const tryWith = (signatures: typeof all.signatures) => () =>
      advanceCheckpoint({ block: next.boc, signatures: withEntries(all, signatures) }, checkpoint);
    const [x, y, z] = all.signatures;
    expect(tryWith([x!, y!, z!])().keyBlock).toEqual(next.id);
    expect(errorOf(tryWith([x!, y!]))).toMatchObject({
      code: 'trust/not-final',
      message: expect.stringContaining('insufficient'),
    });
    expect(errorOf(tryWith([]))).toMatchObject({ code: 'trust/not-final' });
    const bad = { ...z!, signature: y!.signature };
    expect(errorOf(tryWith([x!, y!, bad]))).toMatchObject({
      code: 'trust/not-final',
      message: expect.stringContaining('rejected'),
    });
    expect(codeOf(tryWith([x!, y!, z!, z!]))).toBe('trust/not-final');
    expect(codeOf(tryWith([x!, y!, z!, { ...z!, nodeIdShort: sha256(z!.nodeIdShort) }]))).toBe('trust/not-final');
  });

  it('is refused when an ordinary set is relabelled simplex, or the reverse', () => {
    const ordinary = signBlock(key200);
    const simplex = signBlock(key200, a, 'simplex');
    expect(
      codeOf(() =>
        advanceCheckpoint({ block: key200.boc, signatures: { ...simplex, signatures: ordinary.signatures } }, start),
      ),
    ).toBe('trust/not-final');
    expect(
      codeOf(() =>
        advanceCheckpoint({ block: key200.boc, signatures: { ...ordinary, signatures: simplex.signatures } }, start),
      ),
    ).toBe('trust/not-final');
  });

  it('is refused when a stored proof is for another block, or lies about weight or count', () => {
    const good = blockSignaturesCell(block150, signBlock(block150), 40n);
    expect(verifyStoredProof(storedProof(block150, good), start).verdict.status).toBe('final');
    expect(codeOf(() => verifyStoredProof(storedProof(block150, good, block151.id), start))).toBe('trust/root-hash');
    expect(codeOf(() => verifyStoredProof(storedProof(block150, good), start, { expect: block151.id }))).toBe(
      'trust/not-connected',
    );
    const heavy = blockSignaturesCell(block150, signBlock(block150), 41n);
    expect(codeOf(() => verifyStoredProof(storedProof(block150, heavy), start))).toBe('trust/signed-weight');
    const gap = blockSignaturesCell(block150, signBlock(block150), 40n, { keys: [0, 1, 2, 4] });
    expect(codeOf(() => verifyStoredProof(storedProof(block150, gap), start))).toBe('decode/boc');
    const many = blockSignaturesCell(block150, signBlock(block150), 40n, { count: 5 });
    expect(codeOf(() => verifyStoredProof(storedProof(block150, many), start))).toBe('decode/boc');
  });
});

describe('a candidate in cells', () => {
  const set = signBlock(block150, a, 'simplex');
  const bytes = set.kind === 'simplex' ? Buffer.from(set.candidate) : Buffer.alloc(0);
  const outcome = (candidate: CoreCell) =>
    codeOrFinal(() =>
      verifyStoredProof(storedProof(block150, blockSignaturesCell(block150, set, 40n, { candidate })), start),
    );
  const codeOrFinal = (run: () => { verdict: { status: string } }) => {
    try {
      return run().verdict.status;
    } catch (error) {
      if (error instanceof FinalityError) return error.code;
      throw error;
    }
  };
  const chain = (cells: readonly Buffer[]) =>
    cells.reduceRight<CoreCell | undefined>((next, data) => {
      const cell = beginCell().storeBuffer(data);
      return (next === undefined ? cell : cell.storeRef(next)).endCell();
    }, undefined)!;

  it('is joined over up to sixteen cells, however they are cut, also inside a byte', () => {
    const cut = (size: number) =>
      Array.from({ length: Math.ceil(bytes.length / size) }, (_, k) => bytes.subarray(k * size, (k + 1) * size));
    expect(outcome(chain(cut(127)))).toBe('final');
    expect(outcome(chain(cut(10)))).toBe('final');
    const empty = Array.from({ length: 14 }, () => Buffer.alloc(0));
    expect(outcome(chain([...cut(127), ...empty]))).toBe('final');
    const rest = beginCell();
    for (let bit = 1003; bit < bytes.length * 8; bit++)
      rest.storeBit(((bytes[bit >> 3]! >> (7 - (bit & 7))) & 1) === 1);
    const head = beginCell();
    for (let bit = 0; bit < 1003; bit++) head.storeBit(((bytes[bit >> 3]! >> (7 - (bit & 7))) & 1) === 1);
    expect(outcome(head.storeRef(rest.endCell()).endCell())).toBe('final');
  });

  it('is refused over more cells or bytes than any writer uses, when it ends inside a byte, or has a second reference', () => {
    const empty = Array.from({ length: 15 }, () => Buffer.alloc(0));
    expect(outcome(chain([bytes.subarray(0, 100), bytes.subarray(100), ...empty]))).toBe('decode/boc');
    expect(outcome(chain(Array.from({ length: 9 }, () => Buffer.alloc(127))))).toBe('decode/boc');
    expect(outcome(beginCell().storeBuffer(bytes.subarray(0, 120)).storeBit(0).endCell())).toBe('decode/boc');
    const leaf = beginCell().endCell();
    expect(outcome(beginCell().storeBuffer(bytes.subarray(0, 120)).storeRef(leaf).storeRef(leaf).endCell())).toBe(
      'decode/boc',
    );
  });
});

describe('a head', () => {
  const past = UTIME_UNTIL + 32_768;

  it('is undecided under a set that is older than its time and its stakes, by the clock that the caller gives', () => {
    const at = (nowSeconds: number) =>
      walk([honestLink(key100, block150)], key100.id, { nowSeconds }).reports[0]!.verdict;
    expect(at(past)).toEqual({ status: 'final' });
    expect(at(past + 1)).toEqual({ status: 'undecided', reason: 'stale-set' });
  });

  it('is judged by the clock alone at the end of a walk; the way there gets a warning', () => {
    const fresh = makeBlock({
      seqno: 300,
      signedBy: b,
      prevKeyBlockSeqno: 200,
      config: configCell({ elected: c, utimeUntil: 9_000_000 }),
    });
    const late = makeBlock({ seqno: 350, signedBy: c, prevKeyBlockSeqno: 300, genUtime: 3_000_000 });
    const links = [honestLink(key100, key200), honestLink(key200, fresh), honestLink(fresh, late)];
    const { reports } = walk(links, key100.id, { nowSeconds: 8_000_000 });
    expect(reports.map(({ verdict }) => verdict.status)).toEqual(['final', 'final', 'final']);
    // However fresh the head: old keys of the first set could have made all of it.
    expect(walk(links, key100.id, { nowSeconds: 8_000_000 }).startIsStale).toBe(true);
    expect(walk(links, key100.id, { nowSeconds: UTIME_UNTIL }).startIsStale).toBe(false);
    expect(walk(links, key100.id).startIsStale).toBeUndefined();
    const lateKey = makeBlock({
      seqno: 200,
      signedBy: a,
      prevKeyBlockSeqno: 100,
      config: configCell({ elected: b }),
      genUtime: past + 1,
    });
    const warned = walk([honestLink(key100, lateKey)]).reports[0]!;
    expect(warned.verdict.status).toBe('final');
    expect(warned.warnings[0]).toEqual({
      code: 'stale-set',
      message: expect.stringMatching(/^the block is long after/),
    });
  });
});

describe('malformed input', () => {
  it('is refused when cut or extended anywhere: proof answers, proofs, blocks and stored proofs', () => {
    const answer = tlProof(key100.id, key200.id, [tlForward(honestLink(key100, key200))]);
    expect(codeOf(() => verifyBlockProof(Uint8Array.of(...answer, 0), start))).toBe('decode/tl');
    for (let length = 0; length < answer.length; length += 7) {
      expect(codeOf(() => verifyBlockProof(answer.subarray(0, length), start))).toBe('decode/tl');
    }
    const files: [Uint8Array, (file: Uint8Array) => unknown][] = [
      [key100.boc, (file) => checkpointFromKeyBlock(file, key100.id)],
      [configProof(key100), (file) => checkpointFromKeyBlock(file, key100.id)],
      [headerProof(block150), (file) => verifyHeader(file, block150.id)],
      [
        storedProof(block150, blockSignaturesCell(block150, signBlock(block150), 40n)),
        (file) => verifyStoredProof(file, start),
      ],
    ];
    for (const [file, read] of files) {
      read(file);
      expect(codeOf(() => read(Uint8Array.of(...file, 0)))).toBe('decode/boc');
      for (let length = 0; length < file.length; length += 5) {
        expect(codeOf(() => read(file.subarray(0, length)))).toBe('decode/boc');
      }
      expect(codeOf(() => read(new Uint8Array(9 * 1024 * 1024)))).toBe('decode/too-large');
    }
  });

  it('is refused with trailing bits in a header, a list of signatures or the masterchain data', () => {
    const long = makeBlock({
      seqno: 200,
      signedBy: a,
      prevKeyBlockSeqno: 100,
      config: configCell({ elected: b }),
      trailingInfo: true,
    });
    expect(codeOf(() => advanceCheckpoint(step(long), start))).toBe('decode/boc');
    const version = makeBlock({
      seqno: 200,
      signedBy: a,
      prevKeyBlockSeqno: 100,
      config: configCell({ elected: b }),
      version: 1,
    });
    expect(codeOf(() => advanceCheckpoint(step(version), start))).toBe('decode/boc');
    const padded = beginCell()
      .storeSlice(blockSignaturesCell(block150, signBlock(block150), 40n).beginParse())
      .storeBit(0);
    expect(codeOf(() => verifyStoredProof(storedProof(block150, padded.endCell()), start))).toBe('decode/boc');
  });

  it('is refused for a cell cycle or a depth bomb where a proof is due', () => {
    const cells = rawCells([CoreCell.fromBoc(Buffer.from(configProof(key100)))[0]!]);
    const cycle = cells.map((cell, index) => (index === 3 ? { ...cell, refs: cell.refs.map(() => 1) } : cell));
    expect(codeOf(() => checkpointFromKeyBlock(writeBoc(cycle, { refSize: 2, offsetSize: 4 }), key100.id))).toBe(
      'decode/boc',
    );
    const bomb = Array.from({ length: 2000 }, (_, index) => ({
      d1: index === 1999 ? 0 : 1,
      d2: 0,
      stored: new Uint8Array(0),
      data: new Uint8Array(0),
      refs: index === 1999 ? [] : [index + 1],
    }));
    expect(codeOf(() => checkpointFromKeyBlock(writeBoc(bomb, { refSize: 2, offsetSize: 4 }), key100.id))).toBe(
      'decode/boc',
    );
  });

  it('is refused when a pruned cell stands wherever a value is read', () => {
    const list = validatorSetCell(a).refs[0]!;
    const cuts: [string, CoreCell][] = [
      ['header', infoOf(key100)],
      ['masterchain data', customOf(key100)],
      ['configuration', configOf(key100)],
      ['validator set', validatorSetCell(a)],
      ['list of validators', list],
      ['one validator', list.refs[1]!],
    ];
    for (const [name, cell] of cuts) {
      const cut = (other: CoreCell) => other.hash().equals(cell.hash());
      expect(
        codeOf(() => checkpointFromKeyBlock(configProof(key100, cut), key100.id)),
        name,
      ).toBe('trust/pruned');
    }
  });

  it('is told which field of an id differs, what was wanted and what was got', () => {
    const said = (other: object) => {
      const tl = tlProof({ ...key100.id, ...other }, key200.id, [tlForward(honestLink(key100, key200))]);
      return errorOf(() => verifyBlockProof(tl, start)).message;
    };
    const hex = (hash: Uint8Array) => Buffer.from(hash).toString('hex').slice(0, 16);
    expect(said({ seqno: 99 })).toMatch(/seqno expected 100, got 99$/);
    expect(said({ rootHash: key200.id.rootHash })).toMatch(
      new RegExp(`rootHash expected ${hex(key100.id.rootHash)}…, got ${hex(key200.id.rootHash)}…$`),
    );
  });

  it('is refused with more links than any server sends', () => {
    const counted = (count: number) => {
      const tl = Buffer.from(tlProof(key100.id, key200.id, []));
      tl.writeUInt32LE(count, tl.length - 4);
      return errorOf(() => verifyBlockProof(Uint8Array.from(tl), key100.id)).message;
    };
    expect(counted(17)).toContain('at most 16 links, got 17');
    expect(counted(16)).not.toContain('at most 16 links');
    const link = tlForward(honestLink(key100, key200));
    const many = tlProof(
      key100.id,
      key200.id,
      Array.from({ length: 17 }, () => link),
    );
    expect(errorOf(() => verifyBlockProof(many, start)).message).toContain('at most 16 links');
  });

  it('is refused above 16 MiB before any of it is read', () => {
    expect(codeOf(() => verifyBlockProof(new Uint8Array(16 * 1024 * 1024 + 1), start))).toBe('decode/too-large');
    expect(codeOf(() => verifyBlockProof(new Uint8Array(16 * 1024 * 1024), start))).toBe('decode/tl');
  });

  it('is refused with the words of a lite server’s error', () => {
    const words = Buffer.from('block is not in db');
    const error = Buffer.concat([
      Buffer.from('48e1a9bb', 'hex'),
      Buffer.from([140, 2, 0, 0, words.length]),
      words,
      Buffer.alloc(1),
    ]);
    const { code, message, path } = errorOf(() => verifyBlockProof(Uint8Array.from(error), start));
    expect([code, path]).toEqual(['decode/api-error', 'proof']);
    expect(message).toContain('block is not in db (code 652)');
  });
});

describe('a checkpoint', () => {
  const text = JSON.stringify(checkpointToJson(start));

  it('is read back as it was, and stands for the same set object every time', () => {
    const back = parseCheckpoint(JSON.parse(text));
    expect(back).toEqual(start);
    expect(validatorSetAt(back)).toBe(validatorSetAt(back));
    expect(validatorSetAt(back)).toEqual(validatorSetAt(start));
    expect(validatorSetAt(back).provenance).toEqual({ kind: 'proven', keyBlock: key100.id, anchor: key100.id });
  });

  it('with a checksum made anew is still refused when its proof does not bear it out', () => {
    const forged = { ...start, keyBlock: key200.id };
    expect(codeOf(() => parseCheckpoint(checkpointToJson(forged)))).toBe('trust/root-hash');
    expect(codeOf(() => parseCheckpoint(checkpointToJson({ ...start, globalId: -3 })))).toBe('trust/checkpoint');
    expect(codeOf(() => parseCheckpoint(checkpointToJson({ ...start, genUtime: 1 })))).toBe('trust/checkpoint');
    expect(codeOf(() => parseCheckpoint(checkpointToJson({ ...start, configProof: key100.boc })))).toBe('decode/boc');
    const seqno = { ...start.keyBlock, seqno: 101 };
    expect(codeOf(() => parseCheckpoint(checkpointToJson({ ...start, keyBlock: seqno, anchor: seqno })))).toBe(
      'trust/header',
    );
    expect(
      codeOf(() =>
        parseCheckpoint(checkpointToJson({ ...start, anchor: { ...start.anchor, rootHash: key200.id.rootHash } })),
      ),
    ).toBe('trust/checkpoint');
  });

  it('with a checksum that is not that of its fields is refused, though its proof is good', () => {
    const json = checkpointToJson(start);
    const anchor = { ...(json.anchor as object), seqno: 50 };
    for (const edited of [
      { ...json, anchor },
      { ...json, checksum: '0'.repeat(64) },
      { ...json, checksum: '' },
    ]) {
      expect(codeOf(() => parseCheckpoint(edited))).toBe('trust/checkpoint');
    }
  });

  it('is refused when its anchor is no masterchain block: nothing in the proof speaks of the anchor', () => {
    for (const other of [{ workchain: 0 }, { shard: 1n << 62n }]) {
      const anchor = { ...start.anchor, seqno: 50, ...other };
      expect(codeOf(() => parseCheckpoint(checkpointToJson({ ...start, anchor })))).toBe('trust/wrong-workchain');
      expect(codeOf(() => validatorSetAt({ ...start, anchor }))).toBe('trust/wrong-workchain');
    }
    const older = { ...start.anchor, seqno: 50 };
    expect(parseCheckpoint(checkpointToJson({ ...start, anchor: older })).anchor).toEqual(older);
  });

  it('keeps the ids it was made with, whatever their owner does to them afterwards', () => {
    const id = { ...key100.id, rootHash: key100.id.rootHash.slice(), fileHash: Buffer.from(key100.id.fileHash) };
    const made = checkpointFromKeyBlock(configProof(key100), id);
    id.rootHash.fill(0);
    id.fileHash.fill(0);
    expect(made).toEqual(start);
    expect(validatorSetAt(made).provenance).toEqual({ kind: 'proven', keyBlock: key100.id, anchor: key100.id });
    expect(parseCheckpoint(checkpointToJson(made))).toEqual(start);
  });

  it('of a zerostate is refused when its key block is moved to another workchain', () => {
    const { checkpoint: genesis } = networkOf(a);
    const moved = { ...genesis, keyBlock: { ...genesis.keyBlock, workchain: 0 } };
    expect(codeOf(() => parseCheckpoint(checkpointToJson(moved)))).toBe('trust/wrong-workchain');
  });

  it('has hashes of 32 bytes in hex', () => {
    for (const rootHash of ['', 'zz'.repeat(32), '00'.repeat(31), '00'.repeat(33)]) {
      const { keyBlock, ...rest } = checkpointToJson(start) as Record<string, object>;
      expect(errorOf(() => parseCheckpoint({ ...rest, keyBlock: { ...keyBlock, rootHash } }))).toMatchObject({
        code: 'trust/checkpoint',
        path: expect.stringMatching(/keyBlock\.rootHash$/),
        message: expect.stringContaining('expected 32 bytes in hex'),
      });
    }
  });

  it('is an object with a proof, and what is none is told what reads one', () => {
    for (const none of [{}, { keyBlock: key100.id }, null]) {
      expect(errorOf(() => validatorSetAt(none as never))).toMatchObject({
        code: 'usage/bad-option',
        path: 'checkpoint',
        hint: 'parseCheckpoint reads the JSON of one',
      });
    }
  });

  it('put together by hand is proven again before it is used', () => {
    const forged = { ...start, config: checkpointFromKeyBlock(key200.boc, key200.id).config };
    expect(validatorSetAt(forged).validators[0]!.publicKey).toEqual(a.signers[0]!.publicKey);
    expect(codeOf(() => validatorSetAt({ ...start, keyBlock: key200.id }))).toBe('trust/root-hash');
    expect(codeOf(() => advanceCheckpoint(step(key300), { ...start, keyBlock: key200.id }))).toBe('trust/root-hash');
    expect(codeOf(() => verifyBlockProof(tlProof(key200.id, key200.id, []), { ...start, keyBlock: key200.id }))).toBe(
      'trust/root-hash',
    );
  });

  it('of another version, schema or shape is refused', () => {
    const json = JSON.parse(text);
    for (const other of [1, 3]) {
      const schema = `ton-finality/checkpoint@${other}`;
      expect(codeOf(() => parseCheckpoint({ ...json, version: other }))).toBe('trust/checkpoint');
      expect(codeOf(() => parseCheckpoint({ ...json, schema }))).toBe('trust/checkpoint');
      expect(codeOf(() => parseCheckpoint({ ...json, schema, version: other }))).toBe('trust/checkpoint');
    }
    expect(codeOf(() => parseCheckpoint({ ...json, extra: 1 }))).toBe('trust/checkpoint');
    for (const key of Object.keys(json)) {
      const { [key]: _, ...rest } = json;
      expect(
        codeOf(() => parseCheckpoint(rest)),
        key,
      ).toMatch(/^(decode\/shape|trust\/checkpoint)$/);
    }
    for (const junk of [null, 1, 'x', [], {}]) expect(codeOf(() => parseCheckpoint(junk))).toMatch(/^(decode|trust)\//);
  });
});

describe('a set that is proven from one key block', () => {
  const setAt100 = validatorSetAt(start);
  const judgeUnder = (block: typeof key200) =>
    verifyBlock(signBlock(block), setAt100, { context: { header: verifyHeader(block.boc, block.id) } });

  it('judges the blocks that it rules', () => {
    expect(judgeUnder(block150).verdict).toEqual({ status: 'final' });
  });

  it('is the wrong set for its own key block, and for a block behind the next one, even with the same members', () => {
    const same = makeBlock({ seqno: 250, signedBy: a, prevKeyBlockSeqno: 200 });
    const own = makeBlock({ seqno: 100, signedBy: a, prevKeyBlockSeqno: 50, config: configCell({ elected: a }) });
    for (const block of [same, own]) {
      expect(judgeUnder(block)).toMatchObject({
        verdict: { status: 'undecided', reason: 'wrong-validator-set' },
        validators: { setCheck: 'mismatch' },
      });
    }
  });
});
