/** Proves one public library in the state of the masterchain, the only state that has libraries. */

import { equalBytes } from '../base/bytes.ts';
import { HASH_BYTES } from '../base/limits.ts';
import { ownBytesOf, ownList } from '../base/own-bytes.ts';
import { ownMembers, present } from '../base/present.ts';
import type { BlockIdExt } from '../block/block-id.ts';
import type { CellLike } from '../cells/boc.ts';
import type { Cell } from '../cells/cell.ts';
import { lookupBytes } from '../cells/dictionary.ts';
import { Slice } from '../cells/slice.ts';
import { skipCurrencyCollection } from '../chain/key-block-config.ts';
import { trustError } from '../chain/shared-checks.ts';
import { openSeparate } from './config-param.ts';
import { contradiction } from './fact-checks.ts';
import {
  type BlockFacts,
  type FactBase,
  factBase,
  masterchainFacts,
  type ProvenBlock,
  requireAnswer,
} from './proven-block.ts';
import { readStateAfter, type StateParts } from './proven-state.ts';
import { openGiven } from './transaction.ts';

/** A library as of a masterchain block. */
export type LibraryFact = FactBase & { readonly kind: 'library'; readonly hash: Uint8Array } & (
    | {
        readonly found: true;
        /** The library itself, if the answer contains it. */
        readonly cell?: Cell;
      }
    | { readonly found: false; readonly reason: 'not-in-state' }
  );

/** A library as a server sends it. */
export interface ClaimedLibrary<Bag extends CellLike = CellLike> {
  readonly hash: Uint8Array;
  readonly data: Bag;
}

/** A proof of a library, such as `LibraryAnswer`. */
export interface LibraryProof<Bag extends CellLike = CellLike> {
  readonly id?: BlockIdExt;
  readonly libraries?: readonly ClaimedLibrary<Bag>[];
  readonly stateProof: Bag;
  readonly dataProof: Bag;
}

/**
 * ^[ overload_history:uint64 underload_history:uint64 total_balance:CurrencyCollection
 *   total_validator_fees:CurrencyCollection libraries:(HashmapE 256 LibDescr) master_ref:(Maybe BlkMasterInfo) ];
 * shared_lib_descr$00 lib:^Cell publishers:(Hashmap 256 True) = LibDescr; Source: ton `crypto/block/block.tlb`.
 */
function findLibrary(totals: Cell, hash: Uint8Array, path: string): Cell | undefined {
  const slice = new Slice(totals, path);
  slice.skip(128);
  skipCurrencyCollection(slice);
  skipCurrencyCollection(slice);
  const root = slice.maybeRef();
  const entry = root === undefined ? undefined : lookupBytes(new Slice(root, path), hash);
  if (entry === undefined) return undefined;
  entry.tag(2, 0, 'a library');
  return entry.ref(); // the publishers follow, and are not needed
}

/** Source of the steps: ton `tonlib/tonlib/TonlibClient.cpp`, GetLibrariesWithProof. */
export function checkLibrary(
  parts: StateParts,
  facts: BlockFacts,
  hash: Uint8Array,
  given: Cell | undefined,
): LibraryFact {
  const { state, genUtime } = readStateAfter(parts, facts, 'data_proof');
  const base = { kind: 'library' as const, hash: Uint8Array.from(hash), ...factBase(facts, { genUtime }) };
  const cell = findLibrary(state.totals, hash, 'data_proof[1].libraries');
  if (cell === undefined) {
    if (given === undefined) return Object.freeze({ found: false, reason: 'not-in-state', ...base });
    throw contradiction('a library', 'state', 'answer');
  }
  const wrong = (what: string) => trustError('trust/library-hash', `${what} library is another`, 'answer');
  if (!equalBytes(cell.hash(0), hash)) throw wrong('listed');
  if (given !== undefined && (given.level !== 0 || !equalBytes(given.hash(), hash))) throw wrong('given');
  const shown = given ?? (cell.level === 0 && cell.kind !== 'pruned' ? cell : undefined);
  return Object.freeze({ found: true, ...base, ...present({ cell: shown }) });
}

/**
 * Proves a public library of the masterchain, or its absence.
 * @param answer liteServer.libraryResultWithProof as `parseLiteAnswer` returns it
 * @param masterchain the block of the answer
 * @param hash 32 bytes, the hash of the library's cell
 * @returns the fact; `found` is false for a proven absence
 * @throws TrustError `trust/library-hash`, and those of a state; DecodeError; UsageError
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { checkpointFromZerostate, MAINNET } from 'ton-finality/chain';
 * import { blockOfCheckpoint, verifyLibrary } from 'ton-finality/facts';
 * const zerostate = readFileSync('vectors/real/mainnet-genesis/zerostate.boc');
 * const block = blockOfCheckpoint(checkpointFromZerostate(zerostate, MAINNET.zerostate));
 * const answer = { stateProof: new Uint8Array(0), dataProof: readFileSync('vectors/examples/library-proof.boc') };
 * console.log(verifyLibrary(answer, block, new Uint8Array(32)).found); // false
 * ```
 */
export function verifyLibrary(answer: LibraryProof, masterchain: ProvenBlock, hash: Uint8Array): LibraryFact {
  const facts = masterchainFacts(masterchain);
  const asked = ownBytesOf(HASH_BYTES, hash, 'hash');
  requireAnswer(facts, answer, 'dataProof');
  const { libraries = [], stateProof, dataProof } = ownMembers(answer);
  return checkLibrary(openSeparate(stateProof, dataProof), facts, asked, givenLibrary(libraries, asked));
}

/** Opens the library itself, if an answer contains it. */
export function givenLibrary(libraries: readonly ClaimedLibrary[], hash: Uint8Array): Cell | undefined {
  const isAsked = (given: ClaimedLibrary) => equalBytes(ownBytesOf(HASH_BYTES, given?.hash, 'answer.hash'), hash);
  return openGiven(ownList(libraries, 'answer.libraries').find(isAsked)?.data, 'answer.data');
}
