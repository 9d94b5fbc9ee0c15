/**
 * In place of the room `src/core/chain/`: the same functions over tokens. What holds is judged by `judge.ts`; here are the objects that
 * callers see, and only the functions that live code calls. One that is missing fails the bundle by its name.
 */
import { badArgument } from '../../../src/core/base/arguments.ts';
import { DecodeError, TrustError, type TrustErrorCode, UnknownKind } from '../../../src/core/base/errors.ts';
import type { Own } from '../../../src/core/base/own-bytes.ts';
import type { BlockIdExt } from '../../../src/core/block/block-id.ts';
import type { SignatureList } from '../../../src/core/block/signature-list.ts';
import type { ProvenHeader } from '../../../src/core/chain/block-header.ts';
import type { PartialBlockProof } from '../../../src/core/chain/block-proof.ts';
import type { Checkpoint } from '../../../src/core/chain/checkpoint.ts';
import type { LinkOptions } from '../../../src/core/chain/link.ts';
import type { BlockWalk, WalkOptions } from '../../../src/core/chain/walk.ts';
import type { Ed25519Engine } from '../../../src/core/ed25519/engine.ts';
import { makeOwn, withMark } from '../../../src/core/verify/own-report.ts';
import type { VerificationReport } from '../../../src/core/verify/report.ts';
import type { Block, ForwardToken, LinkToken, ProofToken } from '../chain.ts';
import { Broken, type Hop, isPast, judgeAncestor, judgeWalk, requireShown, type WalkStart } from '../judge.ts';
import { tokenBytes, tokenOf } from './host.ts';

/** Never asked: signatures are judged as tokens. */
export const engine = { name: 'tokens', open() {} } as unknown as Ed25519Engine;

/** Rules that are broken come out as the library says them. */
function judged<T>(judge: () => T): T {
  try {
    return judge();
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    if (error.code.startsWith('decode/')) throw new DecodeError('decode/boc', error.message, { path: 'proof' });
    throw new TrustError(error.code as TrustErrorCode, error.message, { path: 'proof' });
  }
}

function blockOf(bytes: Uint8Array): Block {
  const token = tokenOf(bytes) as Block | undefined;
  if (token === undefined || !('genUtime' in token)) throw new DecodeError('decode/boc', 'no block', { path: 'block' });
  return token;
}

// block-header.ts

function headerOf(block: Block): ProvenHeader {
  const { id, seqno, genUtime, isKey, ruler, globalId, vert } = block;
  const facts = {
    source: 'proven',
    blockId: id,
    seqno,
    genUtime,
    catchainSeqno: ruler?.seqno ?? 0,
    validatorListHashShort: 0,
    prevKeyBlockSeqno: ruler?.seqno ?? 0,
    keyBlock: isKey,
    globalId,
    vertSeqno: vert,
  };
  return Object.freeze(facts) as unknown as ProvenHeader; // the members that live code reads
}

export function verifyHeader(boc: Uint8Array, id: BlockIdExt): ProvenHeader {
  const block = blockOf(boc);
  judged(() => requireShown(block, id));
  return headerOf(block);
}

export function fileHash(boc: Uint8Array): Uint8Array {
  return boc;
}

// block-proof.ts

function signatureListOf({ signed, to }: ForwardToken): Own<SignatureList> {
  const { committee, by, over } = signed;
  const signatures = by.map((place) => ({ nodeIdShort: committee.nodeIds[place]!, signature: new Uint8Array(0) }));
  if (over.kind === 'ordinary') return { kind: 'ordinary', blockId: to, signatures } as unknown as Own<SignatureList>;
  const sessionId = over.ruler!.id.rootHash;
  const set = { kind: 'simplex', blockId: to, sessionId, slot: over.seqno, candidate: over.id.rootHash, signatures };
  return set as unknown as Own<SignatureList>; // no message is made of it
}

const EMPTY = new Uint8Array(0);

function linkOf(token: LinkToken): PartialBlockProof['links'][number] {
  const { toKeyBlock, from, to, dest } = token;
  const destProof = dest === undefined ? EMPTY : tokenBytes(dest);
  if (token.kind === 'back') {
    const [proof, stateProof] = [tokenBytes(token.source), tokenBytes(token.state)];
    return { kind: 'back', toKeyBlock, from, to, destProof, proof, stateProof };
  }
  const list = signatureListOf(token);
  const signatures = { list, catchainSeqno: token.signed.session?.seqno ?? 0, validatorListHashShort: 0 };
  return { kind: 'forward', toKeyBlock, from, to, destProof, configProof: tokenBytes(token.config), signatures };
}

const parsed = new WeakMap<ProofToken, PartialBlockProof>();

function proofToken(bytes: Uint8Array): ProofToken {
  const token = tokenOf(bytes) as ProofToken | undefined;
  if (token === undefined || !('links' in token)) throw new DecodeError('decode/tl', 'no proof', { path: 'proof' });
  if (token.isNewer) throw new DecodeError('decode/tl', 'no such kind', { cause: new UnknownKind('5175616e') });
  return token;
}

export function parsePartialBlockProof(bytes: Uint8Array): PartialBlockProof {
  const token = proofToken(bytes);
  let proof = parsed.get(token);
  if (proof === undefined) {
    const { complete, from, to, links } = token;
    proof = { complete, from, to, links: links.map(linkOf) };
    parsed.set(token, proof);
  }
  return proof;
}

export function readPartialBlockProof(bytes: Uint8Array): { proof: PartialBlockProof; linkBytes: Uint8Array[] } {
  return { proof: parsePartialBlockProof(bytes), linkBytes: proofToken(bytes).links.map((link) => tokenBytes(link)) };
}

const cut = new WeakMap<LinkToken, ProofToken>();

export function oneLinkProof({ from, to }: Pick<LinkToken, 'from' | 'to'>, link: Uint8Array): Uint8Array {
  const token = tokenOf(link) as LinkToken; // made above
  let proof = cut.get(token);
  if (proof === undefined) {
    proof = { complete: true, from, to, links: [token] };
    cut.set(token, proof);
  }
  return tokenBytes(proof);
}

// checkpoint.ts

const configs = new WeakMap<Checkpoint, Block>();
type Mark = Checkpoint['staleStart'];
const checkpoints = new WeakMap<Block, Map<BlockIdExt, Map<Mark, Checkpoint>>>();

function checkpointOf(block: Block, anchor: BlockIdExt, staleStart: Mark = 'none'): Checkpoint {
  const made = checkpoints.get(block)?.get(anchor)?.get(staleStart);
  if (made !== undefined) return made;
  const { until, committee } = block.installs!;
  const { genUtime, globalId, id: keyBlock } = block;
  const config = { list: committee.nodeIds, main: committee.nodeIds.length, utimeUntil: until };
  const proof = tokenBytes(block);
  const checkpoint = Object.freeze({
    version: 2,
    staleStart,
    globalId,
    anchor,
    keyBlock,
    genUtime,
    config,
    shuffle: false,
    configProof: proof,
  }) as unknown as Checkpoint; // no list of validators is read
  configs.set(checkpoint, block);
  if (!checkpoints.has(block)) checkpoints.set(block, new Map());
  const ofBlock = checkpoints.get(block)!;
  if (!ofBlock.has(anchor)) ofBlock.set(anchor, new Map());
  ofBlock.get(anchor)!.set(staleStart, checkpoint);
  return checkpoint;
}

export function configOf(checkpoint: Checkpoint): Block {
  return configs.get(checkpoint) ?? blockOf(checkpoint.configProof);
}

export { checkpointOf };

export function markedCheckpoint(checkpoint: Checkpoint, staleStart: Mark): Checkpoint {
  return checkpointOf(configOf(checkpoint), checkpoint.anchor, staleStart);
}

function pin(boc: Uint8Array, expected: BlockIdExt): Checkpoint {
  const block = blockOf(boc);
  judged(() => requireShown(block, expected));
  if (!block.isKey) throw new TrustError('trust/not-key-block', 'no key block', { path: 'block' });
  return checkpointOf(block, expected);
}

export const checkpointFromKeyBlock = pin;
export const checkpointFromZerostate = pin;

export function validatorSetAt(checkpoint: Checkpoint): { readonly utimeUntil: number } {
  return { utimeUntil: configOf(checkpoint).installs!.until };
}

export function ownCheckpoint(checkpoint: Checkpoint): unknown {
  return { ...checkpoint, checkpoint, validators: validatorSetAt(checkpoint) };
}

export function checkpointToJson(checkpoint: Checkpoint): Readonly<Record<string, unknown>> {
  return { token: [...tokenBytes(checkpoint)] };
}

export function parseCheckpoint(json: unknown): Checkpoint {
  return tokenOf(Uint8Array.from((json as { token: number[] }).token)) as Checkpoint; // written above
}

// walk.ts

function reportOf(hop: Hop): VerificationReport {
  const { committee, by, over } = hop.token.signed;
  const weights = committee.weights;
  const sum = (places: readonly number[]) => BigInt(places.reduce((total, place) => total + weights[place]!, 0));
  const totalWeight = sum([...weights.keys()]);
  const signatures = by.map((place, index) => ({
    index,
    nodeIdShort: committee.nodeIds[place]!,
    outcome: 'valid',
    weight: BigInt(weights[place]!),
  }));
  const verdict = hop.isLate ? { status: 'undecided', reason: 'stale-set' } : { status: 'final' };
  const coverage = {
    blockId: hop.token.to,
    kind: over.kind,
    signedWeight: sum(by),
    totalWeight,
    complete: true,
    signatures,
    missing: [],
  };
  const report = { coverage, verdict, requiredWeight: (2n * totalWeight) / 3n + 1n, warnings: Object.freeze([]) };
  return makeOwn(report as unknown as VerificationReport); // the members that live code reads
}

const ends = new WeakMap<BlockWalk, WalkStart>();

export function ownTip(walk: BlockWalk): BlockIdExt | undefined {
  return ends.has(walk) ? walk.tip : undefined;
}

function startOf(from: Checkpoint | BlockIdExt | BlockWalk): WalkStart & { readonly anchor: BlockIdExt } {
  if ('tip' in from) {
    const end = ends.get(from);
    if (end === undefined) throw badArgument('trusted', 'the walk that verifyBlockProof returned', from);
    return { ...end, anchor: from.checkpoint.anchor };
  }
  const config = 'keyBlock' in from ? configOf(from) : undefined;
  const pinned = 'keyBlock' in from ? from.keyBlock : from;
  const anchor = 'keyBlock' in from ? from.anchor : from;
  const newest = { seqno: pinned.seqno, keyBlockSeqno: pinned.seqno };
  const isStale = 'keyBlock' in from && from.staleStart === 'refused' ? true : undefined;
  return { pinned, anchor, newest, until: config?.installs?.until, isStale, config };
}

/** What a step makes of the mark of where it began; none here takes a stale start by name. */
function markAfter(before: Mark, isStale: boolean | undefined): Mark {
  if (isStale === true || before === 'refused') return 'refused';
  return isStale === false || before === 'accepted' ? before : 'unknown';
}

export function verifyBlockProof(
  tl: Uint8Array,
  from: Checkpoint | BlockIdExt | BlockWalk,
  opts: WalkOptions = {},
): BlockWalk {
  const start = startOf(from);
  const token = proofToken(tl);
  const { expect: to, nowSeconds } = opts;
  const { tip, tipBlock, config, hops, startIsStale, end } = judged(() => judgeWalk(start, token, { to, nowSeconds }));
  const reports = hops.map(reportOf);
  const before = 'tip' in from ? from.checkpoint.staleStart : 'keyBlock' in from ? from.staleStart : 'none';
  const mark = markAfter(before, startIsStale);
  const isMoved = config !== start.config && config.id !== start.anchor;
  const walk: BlockWalk = Object.freeze({
    tip,
    ...(tipBlock === undefined ? {} : { tipHeader: headerOf(tipBlock) }),
    checkpoint: checkpointOf(config, start.anchor, isMoved ? mark : before),
    reports: Object.freeze(reports.map((report) => withMark(report, mark))),
    startIsStale,
    complete: token.complete,
  });
  ends.set(walk, end);
  return walk;
}

// link.ts

export function staleBy(set: { readonly utimeUntil?: number }, nowSeconds: number | undefined): boolean | undefined {
  return nowSeconds === undefined ? undefined : isPast(set.utimeUntil, nowSeconds);
}

export function readLinkOptions(opts: LinkOptions): LinkOptions {
  return opts;
}

// ancestor.ts

export function proveAncestor(head: BlockIdExt, tl: Uint8Array, ancestor: BlockIdExt): ProvenHeader {
  return headerOf(judged(() => judgeAncestor(head, proofToken(tl), ancestor)));
}

export function readParent(boc: Uint8Array, id: BlockIdExt): { header: ProvenHeader; parent: BlockIdExt } {
  const block = blockOf(boc);
  judged(() => requireShown(block, id));
  if (block.parent === undefined) throw new TrustError('trust/header', 'no block before it', { path: 'block.info' });
  return { header: headerOf(block), parent: block.parent.id };
}
