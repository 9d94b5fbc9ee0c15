/** Checks of a certificate that the listed attacks pass by: each is broken by the one input that only it refuses. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { MAX_CERTIFICATE_BYTES, MAX_CERTIFICATE_FACTS, MAX_CERTIFICATE_STEPS } from '../../../src/core/base/limits.ts';
import { parseSingleRoot } from '../../../src/core/cells/boc.ts';
import { tableOf } from '../../../src/core/cells/cell.ts';
import { writeBoc } from '../../../src/core/cells/write-boc.ts';
import { type FactInput, factPartsOf, recutFact } from '../../../src/core/certificate/build-fact.ts';
import { findEquivocation } from '../../../src/core/certificate/equivocation.ts';
import type { FactParts } from '../../../src/core/certificate/fact-parts.ts';
import { judgeFact, noFindings } from '../../../src/core/certificate/judge-fact.ts';
import { forgetOpened, markNeeded, requireAllUsed } from '../../../src/core/certificate/no-extra-cells.ts';
import { type Certificate, certificateToBoc, parseCertificate, partsOf } from '../../../src/core/certificate/parse.ts';
import { type CertificateParts, certificateCell } from '../../../src/core/certificate/parts.ts';
import { verifyCertificate } from '../../../src/core/certificate/verify.ts';
import { COPY_COST, MESSAGE_COST, unbounded } from '../../../src/core/certificate/work-limit.ts';
import { parsePartialBlockProof } from '../../../src/core/chain/block-proof.ts';
import { checkpointFromKeyBlock } from '../../../src/core/chain/checkpoint.ts';
import { assumeFinal, factsOf, type ProvenBlock } from '../../../src/core/facts/proven-block.ts';
import {
  beginCell,
  bocOf,
  CoreCell,
  merkleProof,
  merkleUpdate,
  prunedBelowUpdate,
  prunedBranch,
} from '../../helpers/cells.ts';
import { certificateUnder, liveCertificate, mainnetCertificate, mainnetInput } from '../../helpers/certificates.ts';
import { countingEngine } from '../../helpers/counting-engine.ts';
import { coreCell, replaceAt } from '../../helpers/cut-proofs.ts';
import { totalsWith } from '../../helpers/dictionaries.ts';
import { accountOf, blockId, bytesOf, casesOf, LIVE } from '../../helpers/inclusion.ts';
import { committee, configCell, makeBlock, makeState, wholeProof } from '../../helpers/make-chain.ts';
import { networkOf } from '../../helpers/networks.ts';

const refused = (run: () => unknown, code: string, more: object = {}) =>
  expect(run).toThrow(expect.objectContaining({ code, ...more }));

const live = liveCertificate();
const mainnet = mainnetCertificate();
const remade = (certificate: Certificate, change: (parts: CertificateParts) => Partial<CertificateParts>) => {
  const { parts } = partsOf(certificate);
  return parseCertificate(writeBoc(certificateCell({ ...parts, ...change(parts) })));
};
const own = (cell: CoreCell) => parseSingleRoot(bocOf(cell));

describe('what is read of a certificate', () => {
  it('starts from a block of the masterchain', () => {
    for (const change of [{ workchain: 0 }, { shard: 1n << 62n }]) {
      refused(() => remade(mainnet, ({ anchor }) => ({ anchor: { ...anchor, ...change } })), 'decode/boc');
    }
  });

  it('has signatures of every key block but the anchor', () => {
    const [anchor, next] = partsOf(mainnet).parts.steps;
    refused(() => remade(mainnet, () => ({ steps: [{ ...anchor!, signed: next!.signed }, next!] })), 'decode/boc');
    refused(() => remade(mainnet, () => ({ steps: [anchor!, { ...next!, signed: undefined }] })), 'decode/boc');
  });

  it('has as many steps and facts as are allowed, and no more', () => {
    const [anchor, next] = partsOf(mainnet).parts.steps;
    const signed = (k: number) => {
      const [one] = next!.signed!.signatures;
      const signature = one!.signature.slice();
      signature.set([k >> 8, k]); // each of its own: the same would stand twice
      return { ...next!.signed!, signatures: [{ ...one!, signature }] };
    };
    const steps = (count: number) => [
      anchor!,
      ...Array.from({ length: count - 1 }, (_, k) => ({ ...next!, signed: signed(k) })),
    ];
    expect(remade(mainnet, () => ({ steps: steps(MAX_CERTIFICATE_STEPS) })).steps).toBe(MAX_CERTIFICATE_STEPS);
    refused(() => remade(mainnet, () => ({ steps: steps(MAX_CERTIFICATE_STEPS + 1) })), 'cert/too-large', {
      path: 'certificate',
    });
    const fact = partsOf(live).parts.facts.find(({ kind }) => kind === 'config');
    const facts = (count: number) => Array.from({ length: count }, (_, param) => ({ ...fact!, param }) as FactParts);
    expect(remade(live, () => ({ facts: facts(MAX_CERTIFICATE_FACTS) })).facts).toHaveLength(MAX_CERTIFICATE_FACTS);
    refused(() => remade(live, () => ({ facts: facts(MAX_CERTIFICATE_FACTS + 1) })), 'cert/too-large');
  });

  it('is at most as many bytes as are allowed, and none of its own are handed out', () => {
    refused(() => parseCertificate(new Uint8Array(MAX_CERTIFICATE_BYTES + 1)), 'cert/too-large', {
      path: 'certificate',
    });
    refused(() => parseCertificate(new Uint8Array(MAX_CERTIFICATE_BYTES)), 'decode/boc');
    const bytes = certificateToBoc(live);
    const before = Uint8Array.from(bytes);
    bytes.fill(0);
    expect(certificateToBoc(live)).toEqual(before);
  });

  it('is no part of a tree', () => {
    const root = coreCell(certificateToBoc(live));
    const cut = replaceAt(root, [0], (cell) => prunedBranch(cell));
    expect(() => parseCertificate(writeBoc(own(cut)))).toThrow();
  });

  it('says which network and which kind it is, in a version that is known', () => {
    const tag = () => beginCell().storeUint(0x46494e31, 32);
    const version = (builder: ReturnType<typeof tag>, code: string, message: RegExp) =>
      refused(() => parseCertificate(bocOf(builder.endCell())), code, {
        path: 'certificate',
        message: expect.stringMatching(message),
      });
    version(tag(), 'cert/version', /not a certificate/);
    version(beginCell().storeUint(0x46494e30, 32).storeUint(1, 8), 'cert/version', /not a certificate/);
    version(tag().storeUint(2, 8), 'cert/version', /expected version 1, got 2/);
    version(tag().storeUint(1, 8), 'decode/boc', /./);
    version(tag().storeUint(1, 8).storeInt(-239, 32).storeUint(9, 8), 'cert/version', /of kind \d+, got 9/);
    refused(() => partsOf({ ...live }), 'cert/version', { path: 'certificate' });
  });

  it('is whole: none of its contents is cut off, though all hashes fit', () => {
    const fact = partsOf(live).parts.facts.find((one) => one.kind === 'transaction' && one.transaction !== undefined);
    if (fact?.kind !== 'transaction') throw new Error('expected a transaction');
    const hash = Buffer.from(fact.transaction!.hash(0));
    const cut = (cell: CoreCell): CoreCell => {
      if (cell.isExotic) return cell;
      const refs = cell.hash(0).equals(hash) ? cell.refs.map(prunedBranch) : cell.refs.map(cut);
      return new CoreCell({ bits: cell.bits, refs });
    };
    const root = coreCell(certificateToBoc(live));
    expect(cut(root).hash(0)).toEqual(root.hash(0));
    refused(() => parseCertificate(writeBoc(own(cut(root)))), 'cert/not-canonical', {
      path: 'certificate',
      hint: expect.stringMatching(/original file/),
    });
  });

  it('has a candidate of a full cell and the rest, also where nothing is left over', () => {
    const { signed } = partsOf(live).parts.last;
    for (const length of [0, 1, 126, 127, 128, 254, 255]) {
      const simplex = { ...signed.simplex!, candidate: new Uint8Array(length).fill(5) };
      const made = remade(live, ({ last }) => ({ last: { ...last, signed: { ...signed, simplex } } }));
      expect(partsOf(made).parts.last.signed.simplex!.candidate).toHaveLength(length);
      if (length !== 127) continue;
      const longer = replaceAt(coreCell(certificateToBoc(made)), [2, 1, 1], (cell) =>
        cell.asBuilder().storeRef(beginCell().endCell()).endCell(),
      );
      refused(() => parseCertificate(writeBoc(own(longer))), 'cert/not-canonical');
    }
  });
});

describe('what is told of a certificate', () => {
  it('is the whole report, and until when each set was elected', () => {
    const report = verifyCertificate(mainnet, { anchor: mainnetInput().checkpoint.keyBlock });
    expect(report.report!.verdict).toEqual({ status: 'final' });
    for (const step of report.steps) expect(step.utimeUntil).toBeGreaterThan(step.genUtime);
    expect(report.steps.map(({ signed }) => signed === undefined)).toEqual([true, false, false]);
    expect(report.signed.signers).toBeLessThanOrEqual(report.signed.validators);
    const checked = verifyCertificate(mainnet, { checkpoint: mainnetInput().checkpoint });
    expect(checked.report).toBeDefined();
  });

  it('enters at the very key block of the checkpoint, and names the block that its holder pinned', () => {
    const [tl] = mainnetInput().proofs as readonly Uint8Array[];
    const [, link] = parsePartialBlockProof(tl!).links;
    if (link?.kind !== 'forward') throw new Error('expected a forward link');
    const checkpoint = checkpointFromKeyBlock(link.configProof, link.from);
    const found = verifyCertificate(mainnet, { checkpoint });
    expect(found).toMatchObject({ verdict: { status: 'final' }, skippedSteps: 1, steps: { length: 2 } });
    expect(found.report!.validators.provenance).toMatchObject({ kind: 'proven', anchor: link.from });
    const [anchor, next, last] = partsOf(mainnet).parts.steps;
    const otherFile = { ...next!, signed: { ...next!.signed!, fileHash: new Uint8Array(32) } };
    const otherRoot = { ...last!, signed: next!.signed };
    for (const odd of [otherFile, otherRoot]) {
      const changed = remade(mainnet, () => ({ steps: [anchor!, odd, last!] }));
      refused(() => verifyCertificate(changed, { checkpoint }), 'cert/anchor', { path: 'checkpoint' });
    }
  });

  it('rests on the engine that is given', () => {
    const engine = countingEngine();
    verifyCertificate(live, { anchor: LIVE.zerostate, engine });
    expect(engine.opened).toBe(2);
  });

  it('is nothing from a checkpoint of another key block', () => {
    const setters = committee('elsewhere');
    const { checkpoint: stray } = networkOf(setters);
    refused(() => verifyCertificate(mainnet, { checkpoint: stray }), 'cert/anchor', { path: 'checkpoint' });
    refused(() => verifyCertificate(live, { checkpoint: stray }), 'cert/anchor', { path: 'checkpoint' });
    const key = makeBlock({
      seqno: 3,
      signedBy: setters,
      prevKeyBlockSeqno: 0,
      config: configCell({ elected: setters }),
    });
    const strayKey = checkpointFromKeyBlock(key.boc, key.id);
    refused(() => verifyCertificate(live, { checkpoint: strayKey }), 'cert/anchor', { path: 'checkpoint' });
    refused(() => verifyCertificate(mainnet, { anchor: LIVE.zerostate }), 'cert/anchor', { path: 'anchor' });
    refused(() => verifyCertificate(mainnet, { anchor: LIVE.zerostate, checkpoint: stray }), 'usage/bad-option', {
      path: 'anchor',
    });
  });
});

describe('those who signed two blocks', () => {
  const setters = committee('two', [10n, 20n, 30n, 40n]);
  const { zerostate: zero, checkpoint: start } = networkOf(setters);
  const at = { anchor: zero.id };
  const certified = (
    genUtime: number,
    keep: 'all' | undefined,
    { seqno = 5, fileHash }: { seqno?: number; fileHash?: Uint8Array } = {},
  ) => {
    const made = makeBlock({ seqno, signedBy: setters, prevKeyBlockSeqno: 0, genUtime });
    const block = fileHash === undefined ? made : { ...made, id: { ...made.id, fileHash } };
    return certificateUnder(start, block, { ...(keep === undefined ? {} : { signers: { keep } }) });
  };

  it('are named with their keys and what they weigh, those alone', () => {
    const [few, all] = [certified(1_500_000, undefined), certified(1_500_001, 'all')];
    const keys = setters.signers.slice(2).map(({ publicKey }) => Uint8Array.from(publicKey));
    for (const found of [findEquivocation(few, all, at), findEquivocation(all, few, at)]) {
      expect(found).toMatchObject({ signers: keys, jointWeight: 70n, totalWeight: 100n });
      expect(found.blocks.map(({ seqno }) => seqno)).toEqual([5, 5]);
    }
    for (const from of [at, { checkpoint: start }]) {
      findEquivocation(few, all, from).signers[0]!.fill(0);
      expect(findEquivocation(few, all, from).signers).toEqual(keys);
    }
  });

  it('are not looked for where there is one block, or two places', () => {
    const one = certified(1_500_000, undefined);
    refused(() => findEquivocation(one, certified(1_500_000, 'all'), at), 'cert/equivocation', {
      path: 'b',
      message: expect.stringMatching(/for one block$/),
    });
    refused(() => findEquivocation(one, certified(1_500_000, 'all', { seqno: 6 }), at), 'cert/equivocation', {
      path: 'b',
      message: expect.stringMatching(/for other places: seqno differs$/),
    });
  });

  it('did so too where the file alone is another one', () => {
    const found = findEquivocation(
      certified(1_500_000, 'all'),
      certified(1_500_000, 'all', { fileHash: new Uint8Array(32).fill(9) }),
      at,
    );
    expect(found.signers).toHaveLength(4);
    expect(found.blocks[0].rootHash).toEqual(found.blocks[1].rootHash);
    expect(found.blocks[0].fileHash).not.toEqual(found.blocks[1].fileHash);
  });
});

describe('a fact', () => {
  const cutFor = (input: FactInput, block: ProvenBlock) => {
    const facts = factsOf(block);
    return recutFact(factPartsOf(input, facts, 'fact'), facts, 'fact');
  };
  const judged = (part: FactParts, block: ProvenBlock) => judgeFact(part, factsOf(block), 'fact');

  it('of an account in a workchain without shards is that it is absent, and nothing more', () => {
    const entry = casesOf('account-state').find(({ id }) => id.includes('mainnet-2025-06'))!;
    const under = assumeFinal(blockId(entry.trusted));
    const { address } = accountOf(entry.account!);
    const account = { workchain: 7, address };
    const none = new Uint8Array(0);
    const answer = { shardProof: bytesOf(entry, 'shardProof'), proof: none };
    const part = cutFor({ kind: 'account', account, answer }, under);
    expect(part.kind).toBe('absent-account');
    expect(judged(part, under)).toMatchObject({ found: false, reason: 'no-shard', account, block: under.id });
    if (part.kind !== 'absent-account') return;
    refused(() => judged({ ...part, kind: 'account' }, under), 'cert/claim', { path: 'fact' });
    refused(() => judged({ ...part, way: undefined }, under), 'cert/claim');
    const contents = own(beginCell().storeUint(1, 1).endCell());
    refused(() => judged({ ...part, contents }, under), 'cert/claim');
    // The same way down, for an account that has a shard.
    const listed = factPartsOf({ kind: 'account', account: { workchain: 0, address }, answer }, factsOf(under), 'fact');
    refused(() => judged({ ...listed, kind: 'absent-account' } as FactParts, under), 'cert/claim'); // the other kind of its two
  });

  it('of an account in the masterchain is not that it is absent, though no list of shards has the masterchain', () => {
    const { parts } = partsOf(live);
    const block = assumeFinal(LIVE.block);
    const isMasterchain = (fact: FactParts) => 'account' in fact && fact.account.workchain === -1;
    const held = parts.facts.find((fact) => fact.kind === 'account' && isMasterchain(fact));
    const absent = parts.facts.find((fact) => fact.kind === 'absent-account' && !isMasterchain(fact));
    if (held?.kind !== 'account' || absent?.kind !== 'absent-account') throw new Error('expected two accounts');
    expect(judged(held, block)).toMatchObject({ found: true });
    const part = { ...absent, account: held.account, state: undefined, contents: undefined };
    refused(() => judged(part, block), 'cert/claim', { path: 'fact' });
    refused(() => recutFact(part, factsOf(block), 'fact'), 'cert/claim');
  });

  it('of a message is the one at its place, in or out', () => {
    const { parts } = partsOf(live);
    const block = factsOf(assumeFinal(LIVE.block));
    const message = parts.facts.find((fact) => fact.kind === 'message')!;
    if (message.kind !== 'message') throw new Error('expected a message');
    const came = judgeFact(message, block, 'fact');
    expect(came).toMatchObject({ kind: 'message', message: { direction: 'in' }, transaction: { found: true } });
    refused(() => judgeFact({ ...message, index: 9 }, block, 'fact'), 'cert/claim');
    // What messages take is counted over all facts, and a transaction is read for the first of them only.
    const work = { ...unbounded(), left: 1_000_000 };
    const findings = noFindings(work);
    judgeFact(message, block, 'fact', findings);
    const first = 1_000_000 - work.left;
    judgeFact(message, block, 'fact', findings);
    const second = 1_000_000 - first - work.left;
    expect(second).toBeGreaterThanOrEqual(MESSAGE_COST + COPY_COST);
    expect(second).toBeLessThan(first);
    for (const left of [MESSAGE_COST - 1, second - 1]) {
      refused(() => judgeFact(message, block, 'fact', { ...findings, work: { ...work, left } }), 'cert/too-large');
    }
    judgeFact(message, block, 'fact', { ...findings, work: { ...work, left: second } });
  });

  it('of a library is what stands under its hash', () => {
    const library = beginCell().storeUint(0xbeef, 16).storeRef(beginCell().storeUint(1, 8).endCell()).endCell();
    const hash = Uint8Array.from(library.hash());
    const totals = totalsWith(library);
    const by = committee('l');
    const state = makeState({ seqno: 6, config: configCell({ elected: by }), totals });
    const block = makeBlock({ seqno: 6, signedBy: by, prevKeyBlockSeqno: 0, state });
    const under = assumeFinal(block.id);
    const answer = { stateProof: wholeProof(block.root), dataProof: wholeProof(state) };
    const part = cutFor(
      { kind: 'library', hash, answer: { ...answer, libraries: [{ hash, data: bocOf(library) }] } },
      under,
    );
    const fact = judged(part, under);
    expect(fact).toMatchObject({ kind: 'library', found: true, hash });
    expect(fact.kind === 'library' && fact.found && fact.cell?.hash(0)).toEqual(hash);
    if (part.kind !== 'library') throw new Error('expected a library');
    expect(judged({ ...part, library: undefined }, under)).not.toHaveProperty('cell');
    const other = own(library.refs[0]!);
    refused(() => judged({ ...part, library: other }, under), 'trust/library-hash');
    const absent = cutFor({ kind: 'library', hash: new Uint8Array(32), answer }, under);
    expect(judged(absent, under)).toMatchObject({ kind: 'library', found: false });
    // Written and read as everything else.
    const read = partsOf(remade(live, () => ({ facts: [part, absent] }))).parts.facts;
    expect(read.map(({ kind }) => kind)).toEqual(['library', 'library']);
    expect(judged(read[0]!, under)).toMatchObject({ found: true, hash });
  });
});

describe('a proof in a certificate', () => {
  const leaf = (value: number) => beginCell().storeUint(value, 32).endCell();
  const used = (root: CoreCell) => {
    const proof = own(merkleProof(root));
    forgetOpened(proof);
    tableOf(proof).opened.fill(1);
    return () => requireAllUsed(proof, 'proof');
  };

  it('does not cut off in one place what it shows in another', () => {
    used(
      beginCell()
        .storeRef(leaf(1))
        .storeRef(prunedBranch(leaf(2)))
        .endCell(),
    )();
    refused(
      used(
        beginCell()
          .storeRef(leaf(1))
          .storeRef(prunedBranch(leaf(1)))
          .endCell(),
      ),
      'cert/unused-cells',
      {
        path: 'proof',
        hint: expect.stringMatching(/no other cell/),
      },
    );
  });

  it('does not cut off either of two cells that it shows', () => {
    for (const twice of [1, 2]) {
      const root = beginCell()
        .storeRef(leaf(1))
        .storeRef(leaf(2))
        .storeRef(prunedBranch(leaf(twice)))
        .endCell();
      refused(used(root), 'cert/unused-cells', { message: expect.stringMatching(/both shown and pruned/) });
    }
  });

  it('does not cut off what it shows, of whatever other proofs of its bag show, the first cell of the first one too', () => {
    const [first, second] = [leaf(1), leaf(2)];
    for (const both of [first, second]) {
      const third = beginCell().storeRef(both).storeRef(prunedBranch(both)).endCell();
      const bag = own(
        beginCell().storeRef(merkleProof(first)).storeRef(merkleProof(second)).storeRef(merkleProof(third)).endCell(),
      );
      tableOf(bag).opened.fill(1);
      requireAllUsed(bag.ref(0), 'proof');
      requireAllUsed(bag.ref(1), 'proof');
      refused(() => requireAllUsed(bag.ref(2), 'proof'), 'cert/unused-cells', {
        message: expect.stringMatching(/both shown and pruned/),
      });
    }
  });

  it('shows nothing of a state below a state update', () => {
    const [before, after] = [leaf(1), leaf(2)];
    const [old, next] = [before, after].map((cell) => prunedBelowUpdate(prunedBranch(cell)));
    const showing = (update: CoreCell) => used(beginCell().storeRef(update).endCell());
    showing(merkleUpdate(old!, next!))();
    const around = beginCell().storeRef(old!).endCell(); // of the same levels, and not pruned itself
    for (const update of [
      merkleUpdate(before, next!),
      merkleUpdate(old!, prunedBranch(after)),
      merkleUpdate(around, next!),
    ]) {
      refused(showing(update), 'cert/unused-cells', { message: expect.stringMatching(/below a state update/) });
    }
  });

  it('cuts nothing off for another proof around it, and shows no cell of another kind', () => {
    const outer = beginCell()
      .storeUint(1, 8)
      .storeUint(3, 8)
      .storeBuffer(leaf(1).hash())
      .storeBuffer(leaf(2).hash())
      .storeUint(0, 32)
      .endCell({ exotic: true });
    refused(used(beginCell().storeRef(outer).endCell()), 'cert/unused-cells', {
      message: expect.stringMatching(/pruned for another proof/),
    });
    const library = beginCell().storeUint(2, 8).storeBuffer(leaf(1).hash()).endCell({ exotic: true });
    for (const strange of [library, merkleProof(leaf(1))]) {
      refused(used(beginCell().storeRef(strange).endCell()), 'cert/unused-cells', {
        message: expect.stringMatching(/a cell that is not needed/),
      });
    }
  });

  it('marks what a fact needs: all ordinary cells of a tree, though its root was read, and no other', () => {
    const [old, next] = [leaf(1), leaf(2)].map((cell) => prunedBelowUpdate(prunedBranch(cell)));
    const update = merkleUpdate(old!, next!);
    const tree = beginCell().storeRef(leaf(3)).storeRef(update).endCell();
    const proof = own(merkleProof(beginCell().storeRef(tree).endCell()));
    forgetOpened(proof);
    const root = proof.ref(0);
    const { opened } = tableOf(proof);
    opened[root.index] = 1;
    const needed = root.ref(0);
    opened[needed.index] = 1;
    markNeeded(needed, 'proof');
    expect([needed, needed.ref(0), needed.ref(1)].map(({ index }) => opened[index])).toEqual([1, 1, 0]);
    refused(() => requireAllUsed(proof, 'proof'), 'cert/unused-cells');
    opened[needed.ref(1).index] = 1;
    requireAllUsed(proof, 'proof');
  });

  it('is counted once where it is shared, however many ways lead to it', () => {
    let tree = leaf(1);
    for (let depth = 0; depth < 40; depth++) tree = beginCell().storeRef(tree).storeRef(tree).storeRef(tree).endCell();
    const proof = own(merkleProof(tree));
    forgetOpened(proof);
    markNeeded(proof.ref(0), 'proof', unbounded());
    requireAllUsed(proof, 'proof', unbounded());
    expect([...tableOf(proof).opened].filter((one) => one === 1)).toHaveLength(41);
  });

  it('pays for branches whose hashes begin alike, which anybody can say of what is cut off', () => {
    const spent = (count: number, isAlike: boolean) => {
      let layer = Array.from({ length: count }, (_, k) => {
        const hash = isAlike ? Buffer.alloc(32, 7) : createHash('sha256').update(`${k}`).digest();
        hash.writeUInt16BE(k, 30);
        return beginCell().storeUint(0x0101, 16).storeBuffer(hash).storeUint(0, 16).endCell({ exotic: true });
      });
      while (layer.length > 1) {
        layer = Array.from({ length: Math.ceil(layer.length / 4) }, (_, k) => {
          const fork = beginCell();
          for (const cell of layer.slice(4 * k, 4 * k + 4)) fork.storeRef(cell);
          return fork.endCell();
        });
      }
      const proof = own(merkleProof(layer[0]!));
      forgetOpened(proof);
      tableOf(proof).opened.fill(1);
      const work = { ...unbounded(), left: 1_000_000 };
      requireAllUsed(proof, 'proof', work);
      return 1_000_000 - work.left;
    };
    const apart = spent(64, false);
    expect(apart).toBe(64 + 16 + 4 + 1);
    expect(spent(4, true)).toBe(4 + 1); // so few are alike by chance
    expect([9, 10].map((count) => spent(count, true))).toEqual([13 + 1, 14 + 1]); // by the nine a fork has its place too
    expect(spent(64, true)).toBeGreaterThanOrEqual(apart + (55 * 56) / 2);
  });

  it('shows no cell that was not opened, wherever it stands', () => {
    const proof = own(merkleProof(beginCell().storeRef(leaf(1)).storeRef(leaf(2)).endCell()));
    forgetOpened(proof);
    refused(() => requireAllUsed(proof, 'proof'), 'cert/unused-cells');
    const root = proof.ref(0);
    tableOf(proof).opened[root.index] = 1;
    tableOf(proof).opened[root.ref(0).index] = 1;
    refused(() => requireAllUsed(proof, 'proof'), 'cert/unused-cells');
    tableOf(proof).opened[root.ref(1).index] = 1;
    requireAllUsed(proof, 'proof');
    forgetOpened(proof);
    refused(() => requireAllUsed(proof, 'proof'), 'cert/unused-cells');
  });
});
