/**
 * The two ways in which a trusted masterchain block proves another one: forward by signatures, and back by the list of
 * earlier blocks. Each function takes a trusted block and returns what it proves; `walk.ts` handles the order of links.
 *
 * Source: ton `crypto/block/check-proof.cpp`, BlockProofLink::validate.
 */
import { badArgument, requireSeconds } from '../base/arguments.ts';
import { equalBytes } from '../base/bytes.ts';
import { requireOptions } from '../base/options.ts';
import { ownMembers, present } from '../base/present.ts';
import { type BlockIdExt, differingField } from '../block/block-id.ts';
import { type CellLike, parseSingleRoot } from '../cells/boc.ts';
import { type Cell, tableOf } from '../cells/cell.ts';
import { openMerkleProof } from '../cells/merkle-proof.ts';
import type { Ed25519Engine } from '../ed25519/engine.ts';
import { originOf, type SetOrigin, type StaleStartMark, type ValidatorSet } from '../validators/validator-set.ts';
import type { VerificationReport } from '../verify/report.ts';
import { isStale } from '../verify/set-check.ts';
import { requireSameNetwork, requireSuccessor } from '../verify/successor.ts';
import { verifyOwn } from '../verify/verifier.ts';
import { type Block, type BlockHeader, headerFacts, readProvenBlock, requireMasterchainId } from './block-header.ts';
import type { BackLink } from './block-proof.ts';
import type { NamedSignatureList } from './block-signatures.ts';
import { findEarlierBlock, readMasterchainState } from './shard-state.ts';
import { trustError } from './shared-checks.ts';

/** How to check signatures along the way. */
export interface LinkOptions {
  /** Default: the fastest synchronous engine. */
  readonly engine?: Ed25519Engine;
  /**
   * Unix seconds, when the block is requested as a head: a validator set that is too old for a head gives `undecided`.
   */
  readonly nowSeconds?: number;
}

/**
 * Returns the mark of the start after one more step.
 * @param isStale whether a clock shows that the stakes were free at the start
 * @param isAccepted whether the caller accepts such a start
 */
export function markAfter(before: StaleStartMark, isStale: boolean | undefined, isAccepted: boolean): StaleStartMark {
  if (isStale === true || before === 'refused') return isAccepted ? 'accepted' : 'refused';
  return isStale === false || before === 'accepted' ? before : 'unknown';
}

/** Whether a set is expired according to a clock; `undefined` without a clock. */
export function staleBy(config: Pick<ValidatorSet, 'utimeUntil'>, nowSeconds: number | undefined): boolean | undefined {
  return nowSeconds === undefined ? undefined : isStale(config, nowSeconds);
}

/** Options of a step that may begin with validators whose stakes are already free. */
export interface StartOptions extends LinkOptions {
  /**
   * Default false. With true a start whose stakes are already free is accepted: reports have a warning and proven
   * blocks an exception that say so, and the checkpoint keeps the mark.
   */
  readonly acceptStaleStart?: boolean;
}

/**
 * Reads options once. Unknown names are rejected, since a misspelt `nowSeconds` would disable the clock.
 * @param more names in addition to those of `LinkOptions`
 * @throws UsageError `bad-option`
 */
export function readLinkOptions<T extends StartOptions>(given: T, more: readonly string[] = []): T {
  const opts = requireOptions(given, ['engine', 'nowSeconds', ...more]);
  const { nowSeconds, acceptStaleStart = false } = opts;
  if (nowSeconds !== undefined) requireSeconds(nowSeconds, 'nowSeconds');
  if (typeof acceptStaleStart !== 'boolean') throw badArgument('acceptStaleStart', 'true or false', acceptStaleStart);
  return opts;
}

/** Where the trust of a forward step comes from: a key block, and the validators that it installed. */
export interface ForwardSource extends SetOrigin {
  readonly validators: ValidatorSet;
}

/** Makes the source of a proven set. */
export function sourceOfSet(validators: ValidatorSet): ForwardSource {
  return { ...originOf(validators)!, validators }; // a proven set has an origin
}

/**
 * Requires that a newer block is final under the validators of the source.
 * @param header the proven header of the block that the signatures name
 * @param stated the signatures; the numbers that come with them must agree with the header
 * @returns the report, whose verdict is `final`, or `undecided: stale-set` according to a given clock
 * @throws TrustError naming the broken rule
 */
export function requireFinal(
  source: ForwardSource,
  header: BlockHeader,
  stated: Partial<NamedSignatureList> & Pick<NamedSignatureList, 'list'>,
  opts: LinkOptions,
  path: string,
): VerificationReport {
  requireSuccessor(source, header, path);
  const [named, { engine, nowSeconds }] = [ownMembers(stated), ownMembers(opts)];
  if (named.catchainSeqno !== undefined && named.catchainSeqno !== header.catchainSeqno) {
    const message = `signatures of session ${named.catchainSeqno}, header of ${header.catchainSeqno}`;
    throw trustError('trust/catchain-seqno', message, path);
  }
  if (named.validatorListHashShort !== undefined && named.validatorListHashShort !== header.validatorListHashShort) {
    const message = `signatures of set ${named.validatorListHashShort}, header of ${header.validatorListHashShort}`;
    throw trustError('trust/set-hash', message, path);
  }
  const report = verifyOwn(named.list, source.validators, {
    ...present({ engine }),
    context: {
      header: headerFacts(header, named.list.blockId),
      ...present({ nowSeconds }),
    },
  });
  if (report.validators.setCheck !== 'match') {
    const message = `the set of key block ${source.keyBlock.seqno} is not the one block ${header.seqno} names`;
    throw trustError('trust/set-hash', message, path, 'the block is of another epoch, or its number was changed');
  }
  const { verdict } = report;
  const stale = verdict.status === 'undecided' && verdict.reason === 'stale-set';
  if (verdict.status !== 'final' && !stale) {
    const { signedWeight, totalWeight } = report.coverage;
    const message = `block ${header.seqno} is ${verdict.status}: ${signedWeight} of ${totalWeight} signed validly`;
    throw trustError('trust/not-final', message, path);
  }
  if (named.signedWeight !== undefined && named.signedWeight !== report.coverage.signedWeight) {
    const message = `${named.signedWeight} is stated, but the signatures weigh ${report.coverage.signedWeight}`;
    throw trustError('trust/signed-weight', message, path);
  }
  return report;
}

/** Opens one proof of a link: a bag with one root, a Merkle proof. */
export function openProof(boc: CellLike, path: string): Cell {
  return openMerkleProof(parseSingleRoot(boc, path), path);
}

/**
 * Proves the block that a link leads to. It must be a key block exactly if the link says so.
 * @throws TrustError `trust/key-block-flag` and those of `readProvenBlock`
 */
export function readDestination(boc: Uint8Array, to: BlockIdExt, toKeyBlock: boolean, path: string): BlockHeader {
  const { header } = readProvenBlock(openProof(boc, path), to, path);
  if (header.keyBlock !== toKeyBlock) {
    const message = `key block is ${toKeyBlock} in the link, ${header.keyBlock} in the header`;
    throw trustError('trust/key-block-flag', message, path);
  }
  return header;
}

/**
 * Requires a state to be that after a block: the second tree of the block's state update has its hash at level 0.
 * !merkle_update#04 {X:Type} old_hash:bits256 new_hash:bits256 old_depth:uint16 new_depth:uint16 old:^X new:^X Source:
 * ton `crypto/block/block.tlb`.
 * @throws TrustError `trust/state-hash`, `trust/pruned`
 */
export function requireStateOf(block: Block, state: Cell, path: string, statePath: string): void {
  const update = block.stateUpdate;
  const at = `${path}.state_update`;
  if (update.kind === 'pruned') {
    throw trustError('trust/pruned', 'the proof omits the state update, which must be read', at);
  }
  if (update.kind !== 'merkle-update') {
    const message = `expected a Merkle update of the state, got a cell that is ${update.kind}`;
    throw trustError('trust/state-hash', message, at);
  }
  tableOf(update).opened[update.index] = 1; // a proof of this reading has to show it
  if (equalBytes(update.ref(1).hash(0), state.hash(0))) return;
  throw trustError('trust/state-hash', 'the state is not that of the block', statePath);
}

/**
 * Checks a link from a trusted block to an older one: the header of the newer block, the state of that block, and the
 * entry for the older block in the state, with both hashes.
 * @returns the header of the trusted block
 * @throws TrustError naming the broken rule
 */
export function checkBackLink(link: BackLink, path: string): BlockHeader {
  const { from, to } = link;
  requireMasterchainId(from, `${path}.from`);
  requireMasterchainId(to, `${path}.to`);
  if (to.seqno >= from.seqno) {
    throw trustError('trust/backwards', `a back link from block ${from.seqno} to block ${to.seqno}`, path);
  }
  const { block, header } = readProvenBlock(openProof(link.proof, `${path}.proof`), from, `${path}.proof`);
  if (to.seqno === 0) {
    if (link.destProof.length !== 0)
      throw trustError('trust/header', 'a zerostate has no header to prove', `${path}.dest_proof`);
  } else {
    const dest = readDestination(link.destProof, to, link.toKeyBlock, `${path}.dest_proof`);
    requireSameNetwork(dest.globalId, header.globalId, path);
  }
  const statePath = `${path}.state_proof`;
  const stateRoot = openProof(link.stateProof, statePath);
  requireStateOf(block, stateRoot, `${path}.proof`, statePath);
  const state = readMasterchainState(stateRoot, statePath);
  if (state.globalId === 0) throw trustError('trust/wrong-network', 'a state of network 0', statePath);
  if (state.seqno !== from.seqno) {
    const message = `the state is that of block ${state.seqno}, the link is from ${from.seqno}`;
    throw trustError('trust/header', message, statePath);
  }
  requireSameNetwork(state.globalId, header.globalId, statePath);
  if (findEarlierBlock(state, 0) === undefined) {
    throw trustError('trust/not-listed', 'the state does not list the zerostate', statePath);
  }
  const listed = findEarlierBlock(state, to.seqno);
  if (listed === undefined || differingField(listed.id, to) !== undefined) {
    throw trustError('trust/not-listed', `the state does not list this block under seqno ${to.seqno}`, statePath);
  }
  // The node accepts either value for a zerostate, since servers differ.
  if (to.seqno !== 0 && listed.keyBlock !== link.toKeyBlock) {
    const message = 'the state and the link disagree on whether this is a key block';
    throw trustError('trust/key-block-flag', message, statePath);
  }
  return header;
}
