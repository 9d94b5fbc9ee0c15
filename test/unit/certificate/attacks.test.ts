/** The ways to cheat with a certificate, C1 to C13 of the list in `docs/certificates.md`, one test each or more. */
import { describe, expect, it } from 'vitest';
import { encodeHex } from '../../../src/core/base/bytes.ts';
import { MAX_CERTIFICATE_LINKS } from '../../../src/core/base/limits.ts';
import { parseSingleRoot } from '../../../src/core/cells/boc.ts';
import { writeBoc } from '../../../src/core/cells/write-boc.ts';
import { findEquivocation } from '../../../src/core/certificate/equivocation.ts';
import type { FactParts } from '../../../src/core/certificate/fact-parts.ts';
import { certificateToJson, parseCertificateJson } from '../../../src/core/certificate/json.ts';
import { minimalSigners } from '../../../src/core/certificate/minimal-signers.ts';
import { type Certificate, certificateToBoc, parseCertificate, partsOf } from '../../../src/core/certificate/parse.ts';
import { type CertificateParts, certificateCell } from '../../../src/core/certificate/parts.ts';
import { verifyCertificate } from '../../../src/core/certificate/verify.ts';
import { MAINNET } from '../../../src/core/chain/anchors.ts';
import { createValidatorSet } from '../../../src/core/validators/validator-set.ts';
import { verifyBlock } from '../../../src/core/verify/verifier.ts';
import { beginCell, bocOf, type CoreCell, merkleProof, prune } from '../../helpers/cells.ts';
import {
  certificateUnder,
  keyStep,
  liveCertificate,
  liveZerostate,
  mainnetCertificate,
} from '../../helpers/certificates.ts';
import { bagOf, cellAt, coreCell, cutOut, replaceAt } from '../../helpers/cut-proofs.ts';
import { LIVE } from '../../helpers/inclusion.ts';
import { committee, configCell, makeBlock, signBlock } from '../../helpers/make-chain.ts';
import { networkOf } from '../../helpers/networks.ts';
import { rememberingEngine } from '../../helpers/remembering-engine.ts';

const mainnet = mainnetCertificate();
const live = liveCertificate();

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
  return 'taken';
}

function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

const refused = (run: () => unknown, ...codes: readonly string[]) => expect(codes).toContain(codeOf(run));

/** The same certificate with something changed, written and read as anybody could. */
function remade(certificate: Certificate, change: (parts: CertificateParts) => Partial<CertificateParts>): Certificate {
  const { parts } = partsOf(certificate);
  return parseCertificate(writeBoc(certificateCell({ ...parts, ...change(parts) })));
}

const engine = rememberingEngine();
const atMainnet = { anchor: MAINNET.initBlock, engine };
const atLive = { anchor: LIVE.zerostate, engine };

const own = (cell: CoreCell) => parseSingleRoot(bocOf(cell));
const core = (cell: Parameters<typeof writeBoc>[0]) => coreCell(writeBoc(cell));

const bitsOf = (cell: CoreCell) =>
  Array.from({ length: cell.bits.length }, (_, k) => (cell.bits.at(k) ? '1' : '0')).join('');
const cellOf = (bits: string, refs: readonly CoreCell[]): CoreCell => {
  const builder = beginCell();
  for (const bit of bits) builder.storeBit(bit === '1');
  for (const ref of refs) builder.storeRef(ref);
  return builder.endCell();
};

describe('C1: the anchor', () => {
  it('is the reader’s, never the certificate’s', () => {
    expect(verifyCertificate(mainnet).verdict).toEqual({ status: 'undecided', reason: 'self-consistent' });
    refused(() => verifyCertificate(mainnet, atLive), 'cert/anchor');
    for (const change of [{ fileHash: new Uint8Array(32) }, { seqno: 5 }, { rootHash: new Uint8Array(32) }]) {
      refused(() => verifyCertificate(mainnet, { anchor: { ...MAINNET.initBlock, ...change } }), 'cert/anchor');
    }
    refused(() => verifyCertificate(mainnet, { ...atMainnet, checkpoint: {} as never }), 'usage/bad-option');
    refused(() => verifyCertificate({ ...mainnet }, atMainnet), 'cert/version');
    expect(verifyCertificate(live, { checkpoint: liveZerostate() }).verdict.status).toBe('final');
    refused(() => verifyCertificate(live, { ...atLive, checkpoint: liveZerostate() }), 'usage/bad-option');
  });

  it('is the block that the first proof is of', () => {
    const forged = remade(mainnet, ({ anchor }) => ({ anchor: { ...anchor, rootHash: new Uint8Array(32) } }));
    refused(() => verifyCertificate(forged), 'trust/root-hash');
    const numbered = remade(mainnet, ({ anchor }) => ({ anchor: { ...anchor, seqno: anchor.seqno + 1 } }));
    refused(() => verifyCertificate(numbered), 'trust/header');
  });
});

describe('C2: steps', () => {
  it('are neither skipped nor repeated nor reordered', () => {
    const [a, b, c] = partsOf(mainnet).parts.steps;
    const all = [
      [[a!, c!], 'trust/not-next'],
      [[a!], 'trust/not-next'],
      [[a!, b!, b!, c!], 'cert/not-canonical'], // signatures that stand twice
      [[a!, c!, b!], 'trust/not-next'],
    ] as const;
    for (const [steps, code] of all)
      refused(
        () =>
          verifyCertificate(
            remade(mainnet, () => ({ steps })),
            atMainnet,
          ),
        code,
      );
  });

  it('are of the network that the certificate names', () => {
    refused(
      () =>
        verifyCertificate(
          remade(mainnet, () => ({ globalId: -3 })),
          atMainnet,
        ),
      'trust/wrong-network',
    );
  });

  it('are not judged by the set that they install', () => {
    // The last key block shown as the last block, under its own configuration.
    const again = ({ steps, last }: CertificateParts, signatures = last.signed.signatures) =>
      remade(mainnet, () => ({ last: { proof: steps[2]!.proof, signed: { ...steps[2]!.signed!, signatures } } }));
    refused(() => verifyCertificate(again(partsOf(mainnet).parts), atMainnet), 'trust/backwards');
    const { parts } = partsOf(mainnet);
    refused(() => again(parts, parts.steps[2]!.signed!.signatures), 'cert/not-canonical');
  });
});

describe('C3: signatures of something else', () => {
  it('make no block final: another block, file hash, session, slot or candidate', () => {
    const { steps } = partsOf(mainnet).parts;
    const ofLast = partsOf(mainnet).parts.last.signed.signatures;
    const withThose = { ...steps[1]!, signed: { ...steps[1]!.signed!, signatures: ofLast } };
    const swapped = remade(mainnet, ({ last }) => ({
      steps: [steps[0]!, withThose, steps[2]!],
      last: { ...last, signed: { ...last.signed, signatures: steps[1]!.signed!.signatures } },
    }));
    refused(() => verifyCertificate(swapped, atMainnet), 'trust/not-final');
    refused(
      () => remade(mainnet, ({ last }) => ({ last: { ...last, signed: steps[1]!.signed! } })),
      'cert/not-canonical',
    );
    const { signed } = partsOf(live).parts.last;
    const { simplex } = signed;
    const changes = [
      [{ ...signed, fileHash: new Uint8Array(32) }, 'decode/candidate-mismatch'],
      [{ ...signed, simplex: { ...simplex!, sessionId: new Uint8Array(32) } }, 'trust/not-final'],
      [{ ...signed, simplex: { ...simplex!, slot: simplex!.slot + 1 } }, 'trust/not-final'],
      [
        { ...signed, simplex: { ...simplex!, candidate: partsOf(live).parts.steps[1]!.signed!.simplex!.candidate } },
        'decode/candidate-mismatch',
      ],
      [{ fileHash: signed.fileHash, signatures: signed.signatures }, 'trust/not-final'],
    ] as const;
    for (const [forged, code] of changes) {
      refused(
        () =>
          verifyCertificate(
            remade(live, ({ last }) => ({ last: { ...last, signed: forged } })),
            atLive,
          ),
        code,
      );
    }
    const ordinary = remade(mainnet, ({ last }) => ({
      last: { ...last, signed: { ...last.signed, fileHash: new Uint8Array(32) } },
    }));
    refused(() => verifyCertificate(ordinary, atMainnet), 'trust/not-final');
  });
});

describe('C4, C5: signers', () => {
  const { signed } = partsOf(mainnet).parts.last;
  const withSignatures = (signatures: typeof signed.signatures) =>
    remade(mainnet, ({ last }) => ({ last: { ...last, signed: { ...signed, signatures } } }));

  it('are in the set, at their own place', () => {
    const [first, ...rest] = signed.signatures;
    refused(
      () => verifyCertificate(withSignatures([...signed.signatures, { ...first!, index: 5000 }]), atMainnet),
      'trust/not-final',
    );
    refused(
      () => verifyCertificate(withSignatures([...rest, { ...first!, index: 900 }]), atMainnet),
      'trust/not-final',
    );
    const shifted = signed.signatures.map(({ index, signature }) => ({ index: index + 1, signature }));
    refused(() => verifyCertificate(withSignatures(shifted), atMainnet), 'trust/not-final');
  });

  it('are no fewer than it takes, and one bad one refuses all', () => {
    for (const k of [0, signed.signatures.length - 1]) {
      refused(
        () => verifyCertificate(withSignatures(signed.signatures.filter((_, at) => at !== k)), atMainnet),
        'trust/not-final',
      );
    }
    const bad = signed.signatures.map((entry, k) => (k === 3 ? { ...entry, signature: new Uint8Array(64) } : entry));
    refused(() => verifyCertificate(withSignatures(bad), atMainnet), 'trust/not-final');
    refused(() => verifyCertificate(withSignatures([]), atMainnet), 'trust/not-final');
  });
});

describe('C6: lists of validators', () => {
  it('show everybody who signs', () => {
    const proof = core(partsOf(mainnet).parts.steps[0]!.proof);
    const hashes: string[] = [];
    const collect = (cell: CoreCell): void => {
      if (cell.isExotic) return;
      hashes.push(cell.hash(0).toString('hex'));
      for (const ref of cell.refs) collect(ref);
    };
    collect(proof.refs[0]!);
    expect(hashes.length).toBeGreaterThan(200);
    for (const hash of hashes.filter((_, k) => k % 40 === 0)) {
      const cut = own(cutOut(proof, hash));
      const forged = remade(mainnet, ({ steps }) => ({ steps: [{ ...steps[0]!, proof: cut }, ...steps.slice(1)] }));
      refused(() => verifyCertificate(forged, atMainnet), 'trust/pruned');
    }
  });
});

describe('C7: what it says of itself', () => {
  const json = JSON.parse(JSON.stringify(certificateToJson(live)));
  const changed = (change: object) => () => parseCertificateJson({ ...json, ...change });

  it('is what it proves, and nothing else', () => {
    expect(parseCertificateJson(json).id).toEqual(live.id);
    refused(changed({ sha256: '00'.repeat(32) }), 'cert/claim');
    refused(changed({ more: 1 }), 'cert/claim');
    refused(changed({ claims: { ...json.claims, genUtime: json.claims.genUtime + 1 } }), 'cert/claim');
    refused(changed({ claims: { ...json.claims, more: 1 } }), 'cert/claim');
    const facts = json.claims.facts.map((fact: { found?: boolean }) => ({ ...fact, found: true }));
    refused(changed({ claims: { ...json.claims, facts } }), 'cert/claim');
    refused(changed({ schema: 'ton-finality/certificate@2' }), 'cert/version');
    refused(changed({ certificate: `${json.certificate}!` }), 'decode/base64');
    refused(changed({ certificate: 5 }), 'decode/shape');
  });
});

describe('C8: another spelling', () => {
  const bytes = certificateToBoc(live);

  it('of the same content is refused', () => {
    const cell = coreCell(bytes);
    for (const options of [
      { idx: false, crc32: false },
      { idx: false, crc32: true },
      { idx: true, crc32: false },
    ]) {
      refused(() => parseCertificate(Uint8Array.from(cell.toBoc(options))), 'cert/not-canonical');
    }
    refused(() => parseCertificate(bagOf(cell)), 'cert/not-canonical');
  });

  const withCell = (path: readonly number[], change: (cell: CoreCell) => CoreCell) =>
    writeBoc(own(replaceAt(coreCell(bytes), path, change)));

  it('of a dictionary of signatures is refused', () => {
    const signatures = [2, 1, 0]; // last, signed
    const head = /^11(0|1)([01]{5})/.exec(bitsOf(cellAt(coreCell(bytes), signatures)))!;
    const label = head[1]!.repeat(Number.parseInt(head[2]!, 2));
    const respelled = (text: string) =>
      withCell(signatures, (cell) => cellOf(text + bitsOf(cell).slice(head[0].length), cell.refs));
    expect(respelled(head[0])).toEqual(bytes);
    refused(() => parseCertificate(respelled(`10${head[2]}${label}`)), 'cert/not-canonical');
    refused(() => parseCertificate(respelled(`0${'1'.repeat(label.length)}0${label}`)), 'cert/not-canonical');
  });

  it('of a candidate, cut elsewhere or with an empty cell behind, is refused', () => {
    const candidate = [2, 1, 1];
    const whole = cellAt(coreCell(bytes), candidate);
    const text = bitsOf(whole) + whole.refs.map(bitsOf).join('');
    const spelled = (...parts: string[]) =>
      withCell(candidate, () => {
        let next: readonly CoreCell[] = [];
        for (const part of parts.reverse()) next = [cellOf(part, next)];
        return next[0]!;
      });
    const full = [text.slice(0, 1016), text.slice(1016)].filter((part) => part.length > 0);
    expect(spelled(...full)).toEqual(bytes);
    refused(() => parseCertificate(spelled(text.slice(0, 800), text.slice(800))), 'cert/not-canonical');
    refused(() => parseCertificate(spelled(text.slice(0, 804), text.slice(804))), 'cert/not-canonical');
    refused(() => parseCertificate(spelled(...full, '')), 'cert/not-canonical');
  });

  it('hides nothing: each of its cells is refused with a bit or a reference more', () => {
    const ways = { by: 'links' as const, proofs: [partsOf(live).parts.last.proof, partsOf(live).parts.last.proof] };
    const block = { kind: 'shard-block', key: 0n, workchain: 0, shard: -(2n ** 63n), seqno: 1, way: ways } as const;
    const all = remade(live, ({ facts }) => ({ facts: [block, ...facts] }));
    const root = coreCell(certificateToBoc(all));
    const empty = beginCell().endCell();
    const shown = partsOf(all).parts.facts.flatMap((fact) => [
      'transaction' in fact ? fact.transaction : undefined,
      'contents' in fact ? fact.contents : undefined,
    ]);
    const contents = new Set(shown.map((cell) => (cell === undefined ? '' : encodeHex(cell.hash(0)))));
    let tried = 0;
    const visit = (path: readonly number[]): void => {
      const cell = cellAt(root, path);
      const { bits, refs } = cell;
      // What proofs show is counted when they are verified, and contents are told by their hashes.
      if (cell.isExotic || contents.has(cell.hash().toString('hex'))) return;
      const text = bitsOf(cell);
      for (const more of [
        ...(bits.length < 1023 ? [() => cellOf(`${text}0`, refs)] : []),
        ...(refs.length < 4 ? [() => cellOf(text, [...refs, empty])] : []),
      ]) {
        const changed = writeBoc(own(replaceAt(root, path, more)));
        refused(() => parseCertificate(changed), 'decode/boc', 'cert/not-canonical', 'cert/version');
        tried++;
      }
      for (const k of refs.keys()) visit([...path, k]);
    };
    visit([]);
    expect(tried).toBeGreaterThan(80);
  });

  it('with a second root, bytes behind it, or a length that is not its own is refused', () => {
    refused(() => parseCertificate(bagOf(coreCell(bytes), coreCell(certificateToBoc(mainnet)))), 'decode/boc');
    refused(() => parseCertificate(Uint8Array.from([...bytes, 0])), 'decode/boc');
    refused(() => parseCertificate(bytes.subarray(0, -1)), 'decode/boc');
    refused(() => parseCertificate(new Uint8Array(9 * 2 ** 20)), 'cert/too-large');
    refused(() => parseCertificate(bocOf(coreCell(bytes).refs[0]!)), 'cert/version');
  });

  it('hides no cell: a proof that shows more than it takes is refused', () => {
    // The last block with the configuration of its own beside its header, as a key block's proof has it.
    const forged = remade(mainnet, ({ steps, last }) => ({ last: { proof: steps[2]!.proof, signed: last.signed } }));
    refused(() => verifyCertificate(forged, atMainnet), 'trust/not-final', 'trust/backwards');
    const [first] = partsOf(live).parts.facts;
    if (first?.kind !== 'transaction') throw new Error('expected a transaction');
    // The header proof of the last block replaced by the longer one of a transaction in it.
    const longer = remade(live, ({ last }) => ({ last: { ...last, proof: first.block } }));
    refused(() => verifyCertificate(longer, atLive), 'cert/unused-cells');
  });

  it('shows a transaction once, beside its proof and not in it', () => {
    const [first] = partsOf(live).parts.facts;
    if (first?.kind !== 'transaction') throw new Error('expected a transaction');
    const whole = core(first.transaction!);
    const hash = whole.hash().toString('hex');
    const show = (cell: CoreCell): CoreCell => {
      if (cell.isExotic && cell.bits.length === 288 && cell.hash(0).toString('hex') === hash) return whole;
      const refs = cell.refs.map(show);
      return refs.every((ref, k) => ref === cell.refs[k])
        ? cell
        : new (cell.constructor as typeof CoreCell)({ bits: cell.bits, refs, exotic: cell.isExotic });
    };
    const shown = own(merkleProof(show(core(first.block).refs[0]!)));
    const forged = remade(live, ({ facts }) => ({ facts: [{ ...first, block: shown }, ...facts.slice(1)] }));
    refused(() => verifyCertificate(forged, atLive), 'cert/unused-cells');
  });
});

describe('C9, C10: facts', () => {
  const { facts } = partsOf(live).parts;
  const withFact = (fact: FactParts) => remade(live, () => ({ facts: [fact] }));

  it('stand under the last block and no other', () => {
    const onMainnet = remade(mainnet, () => ({ facts: [facts[0]!] }));
    refused(() => verifyCertificate(onMainnet, atMainnet), 'trust/root-hash');
    const other = facts.find(({ kind }) => kind === 'account')!;
    const basechain = facts.filter(({ kind }) => kind === 'absent-account')[1]!;
    if (other.kind !== 'account' || basechain.kind !== 'absent-account') throw new Error('expected accounts');
    refused(() => verifyCertificate(withFact({ ...basechain, way: undefined }), atLive), 'trust/wrong-shard');
    refused(() => verifyCertificate(withFact({ ...basechain, state: other.state }), atLive), 'trust/root-hash');
  });

  it('are not absent where the way to them is cut off, nor there where they are absent', () => {
    for (const fact of facts) {
      const swapped = {
        transaction: 'absent-transaction',
        'absent-transaction': 'transaction',
        account: 'absent-account',
        'absent-account': 'account',
      }[fact.kind as string];
      if (swapped === undefined) continue;
      refused(() => verifyCertificate(withFact({ ...fact, kind: swapped } as FactParts), atLive), 'cert/claim');
    }
    const absent = facts.find(({ kind }) => kind === 'absent-account')!;
    if (absent.kind !== 'absent-account') throw new Error('expected an absent account');
    const proof = core(absent.state!.state);
    let refusals = 0;
    const visit = (cell: CoreCell): void => {
      if (cell.isExotic) return;
      const state = own(merkleProof(prune(proof.refs[0]!, (other) => other.hash(0).equals(cell.hash(0)))));
      refused(
        () => verifyCertificate(withFact({ ...absent, state: { ...absent.state!, state } }), atLive),
        'trust/pruned',
      );
      refusals++;
      for (const ref of cell.refs) visit(ref);
    };
    visit(proof.refs[0]!);
    expect(refusals).toBeGreaterThan(2);
  });

  it('that something is absent answer the question that stands in them, which the reader has to compare', () => {
    const absent = facts.find(({ kind }) => kind === 'absent-transaction')!;
    if (absent.kind !== 'absent-transaction') throw new Error('expected an absent transaction');
    // As true as the first, and about something else: a proof that one key is absent shows the same of its neighbours.
    const report = verifyCertificate(withFact({ ...absent, lt: absent.lt + 1n }), atLive);
    expect(report.facts).toMatchObject([{ found: false, lt: absent.lt + 1n }]);
  });

  it('go down over no more links than are read', () => {
    const { proof } = partsOf(live).parts.last;
    const way = (count: number) => ({ by: 'links' as const, proofs: Array.from({ length: count }, () => proof) });
    const fact = { kind: 'shard-block', key: 0n, workchain: 0, shard: -(2n ** 63n), seqno: 1 } as const;
    expect(withFact({ ...fact, way: way(MAX_CERTIFICATE_LINKS) }).facts).toEqual(['shard-block']);
    expect(thrownBy(() => withFact({ ...fact, way: way(MAX_CERTIFICATE_LINKS + 1) }))).toMatchObject({
      code: 'cert/too-large',
      path: expect.stringMatching(/\bway$/),
    });
  });

  it('bring no contents of an account whose workchain has no shard', () => {
    for (const fact of facts) {
      if (fact.kind !== 'absent-account') continue;
      const contents = own(beginCell().storeUint(1, 1).endCell());
      refused(() => verifyCertificate(withFact({ ...fact, contents }), atLive), 'cert/claim');
      if (fact.way?.by !== 'state') continue;
      const noShard = { ...fact, state: undefined };
      refused(() => verifyCertificate(withFact(noShard), atLive), 'cert/claim');
      refused(() => verifyCertificate(withFact({ ...noShard, contents }), atLive), 'cert/claim');
    }
  });

  it('do not swap a message for another', () => {
    const message = facts.find(({ kind }) => kind === 'message')!;
    if (message.kind !== 'message') throw new Error('expected a message');
    refused(() => verifyCertificate(withFact({ ...message, index: 77 }), atLive), 'cert/claim');
    refused(() => verifyCertificate(withFact({ ...message, transaction: undefined }), atLive), 'trust/state-missing');
  });
});

describe('C11: another version or kind', () => {
  it('is not read as this one', () => {
    const cell = certificateToBoc(live);
    const root = coreCell(cell);
    for (const at of [32, 32 + 8 + 32]) {
      const bits = [...Array(root.bits.length).keys()].map((k) => root.bits.at(k));
      bits[at + 6] = !bits[at + 6];
      const builder = root.asBuilder().endCell().asBuilder();
      void builder;
      const changed = rebuilt(root, bits);
      refused(() => parseCertificate(bocOf(changed)), 'cert/version');
    }
  });

  function rebuilt(root: CoreCell, bits: readonly boolean[]): CoreCell {
    const builder = new (root.constructor as typeof CoreCell)().asBuilder();
    for (const bit of bits) builder.storeBit(bit);
    for (const ref of root.refs) builder.storeRef(ref);
    return builder.endCell();
  }
});

/** A little network of our own: a zerostate and blocks under it. */
const setters = committee('z', [10n, 20n, 30n, 40n]);
const { zerostate: zero, checkpoint: start } = networkOf(setters);
const certified = (block: ReturnType<typeof makeBlock>, count?: number) =>
  certificateUnder(start, block, { signatures: signBlock(block, setters, 'ordinary', count) });

describe('C12, C13: hardforks and clocks', () => {
  it('a hardfork is no step', () => {
    const fork = makeBlock({
      seqno: 1,
      signedBy: setters,
      prevKeyBlockSeqno: 0,
      config: configCell({ elected: setters }),
      hardfork: true,
    });
    refused(() => certified(fork), 'trust/hardfork');
  });

  it('an old certificate is no head', () => {
    const certificate = certified(makeBlock({ seqno: 1, signedBy: setters, prevKeyBlockSeqno: 0 }));
    expect(verifyCertificate(certificate, { anchor: zero.id, nowSeconds: 1_600_000 }).verdict.status).toBe('final');
    const late = verifyCertificate(certificate, { anchor: zero.id, nowSeconds: 9_000_000 });
    expect(late.verdict).toEqual({ status: 'undecided', reason: 'stale-set' });
    expect(late.proven).toBeUndefined();
  });
});

describe('the fewest signers', () => {
  it('are the heaviest, in the order of the list', () => {
    const block = makeBlock({ seqno: 1, signedBy: setters, prevKeyBlockSeqno: 0 });
    const { signed } = partsOf(certified(block)).parts.last;
    // 40 + 30 of 100 is more than 2/3.
    expect(signed.signatures.map(({ index }) => index)).toEqual([2, 3]);
  });

  it('are picked of a set that was judged as a whole', () => {
    const block = makeBlock({ seqno: 1, signedBy: setters, prevKeyBlockSeqno: 0 });
    const set = signBlock(block, setters);
    const validators = sourceValidators();
    const report = verifyBlock(set, validators);
    expect(minimalSigners(report, { keep: 'all' })).toHaveLength(4);
    expect(minimalSigners(report, { threshold: { num: 3n, den: 4n } })).toHaveLength(3);
    refused(() => minimalSigners(report, { threshold: { num: 1n, den: 2n } }), 'usage/bad-policy');
    const damaged = {
      ...set,
      signatures: set.signatures.map((entry, k) => (k === 3 ? { ...entry, signature: new Uint8Array(64) } : entry)),
    };
    refused(() => minimalSigners(verifyBlock(damaged, validators)), 'cert/insufficient');
    refused(() => minimalSigners(verifyBlock(damaged, validators, { onDefect: 'ignore' })), 'cert/insufficient');
  });

  it('leave out a signature that is bad, wherever it stands', () => {
    const block = makeBlock({ seqno: 1, signedBy: setters, prevKeyBlockSeqno: 0 });
    const set = signBlock(block, setters);
    const validators = sourceValidators();
    let final = 0;
    for (const bad of set.signatures.keys()) {
      const signatures = set.signatures.map((one, k) => (k === bad ? { ...one, signature: new Uint8Array(64) } : one));
      const damaged = { ...set, signatures };
      const report = verifyBlock(damaged, validators, { onDefect: 'ignore' });
      if (report.verdict.status !== 'final') continue;
      final++;
      const picked = minimalSigners(report, { keep: 'all' });
      expect(picked).toHaveLength(3);
      expect(picked.some(({ signature }) => signature.every((byte) => byte === 0))).toBe(false);
    }
    expect(final).toBeGreaterThan(0);
  });

  function sourceValidators() {
    return createValidatorSet(setters.signers.map(({ publicKey, weight }) => ({ publicKey, weight })));
  }
});

describe('C5: exactly two thirds', () => {
  const three = committee('three', [10n, 10n, 10n]);
  const { zerostate, checkpoint } = networkOf(three);
  const block = makeBlock({ seqno: 1, signedBy: three, prevKeyBlockSeqno: 0 });
  const made = (count: number) =>
    certificateUnder(checkpoint, block, { signatures: signBlock(block, three, 'ordinary', count) });

  it('are not enough to make one, nor to verify one', () => {
    refused(() => made(2), 'trust/not-final');
    const whole = made(3);
    expect(verifyCertificate(whole, { anchor: zerostate.id }).verdict.status).toBe('final');
    for (const left of [0, 1, 2]) {
      const less = remade(whole, ({ last: { proof, signed } }) => ({
        last: { proof, signed: { ...signed, signatures: signed.signatures.filter((_, k) => k !== left) } },
      }));
      refused(() => verifyCertificate(less, { anchor: zerostate.id }), 'trust/not-final');
      refused(() => verifyCertificate(less), 'trust/not-final');
    }
  });

  it('of a set that was judged with its defects ignored are not enough either', () => {
    const set = signBlock(block, three);
    const validators = createValidatorSet(three.signers.map(({ publicKey, weight }) => ({ publicKey, weight })));
    const damaged = {
      ...set,
      signatures: set.signatures.map((one, k) => (k === 1 ? { ...one, signature: new Uint8Array(64) } : one)),
    };
    const report = verifyBlock(damaged, validators, { onDefect: 'ignore' });
    refused(() => minimalSigners(report), 'cert/insufficient');
  });
});

describe('two final blocks in one place', () => {
  const one = certified(makeBlock({ seqno: 5, signedBy: setters, prevKeyBlockSeqno: 0 }));
  const other = certified(makeBlock({ seqno: 5, signedBy: setters, prevKeyBlockSeqno: 0, genUtime: 1_500_001 }));

  it('are shown with those who signed both, who weigh more than a third', () => {
    const found = findEquivocation(one, other, { anchor: zero.id });
    expect(found.signers).toHaveLength(2);
    expect(3n * found.jointWeight > found.totalWeight).toBe(true);
  });

  it('are shown by none that is past its time, on either side', () => {
    const key = makeBlock({
      seqno: 3,
      signedBy: setters,
      prevKeyBlockSeqno: 0,
      config: configCell({ elected: setters, utimeUntil: 20_000_000 }),
    });
    const block = makeBlock({ seqno: 5, signedBy: setters, prevKeyBlockSeqno: 3 });
    const renewed = certificateUnder(start, block, { proofs: [keyStep(key)] });
    const at = (nowSeconds: number) => ({ anchor: zero.id, nowSeconds });
    const staleSide = { code: 'cert/equivocation', message: expect.stringContaining('stale-set') };
    expect(findEquivocation(one, renewed, at(1_600_000)).signers.length).toBeGreaterThan(1);
    expect(thrownBy(() => findEquivocation(one, renewed, at(9_000_000)))).toMatchObject({ ...staleSide, path: 'a' });
    // Where both start, the set is past its time: that alone is enough.
    expect(thrownBy(() => findEquivocation(renewed, one, at(9_000_000)))).toMatchObject({ ...staleSide, path: 'a' });
  });

  it('are no contradiction in two places, or when they are one', () => {
    const next = certified(makeBlock({ seqno: 6, signedBy: setters, prevKeyBlockSeqno: 0 }));
    refused(() => findEquivocation(one, next, { anchor: zero.id }), 'cert/equivocation');
    refused(() => findEquivocation(one, one, { anchor: zero.id }), 'cert/equivocation');
    refused(() => findEquivocation(one, other, {}), 'cert/equivocation');
  });
});
