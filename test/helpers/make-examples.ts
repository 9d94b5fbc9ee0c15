/** The files that examples in comments read, made of recorded answers; `jetton-…` is from a network made here. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseSingleRoot } from '../../src/core/cells/boc.ts';
import { buildMerkleProof } from '../../src/core/cells/build-proof.ts';
import { lookupBytes } from '../../src/core/cells/dictionary.ts';
import { Slice } from '../../src/core/cells/slice.ts';
import { buildCertificate } from '../../src/core/certificate/build.ts';
import { certificateToBoc } from '../../src/core/certificate/parse.ts';
import { MAINNET } from '../../src/core/chain/anchors.ts';
import {
  type Checkpoint,
  checkpointFromKeyBlock,
  checkpointFromZerostate,
  checkpointToJson,
} from '../../src/core/chain/checkpoint.ts';
import { skipCurrencyCollection } from '../../src/core/chain/key-block-config.ts';
import { readMasterchainState, readShardState } from '../../src/core/chain/shard-state.ts';
import { blockOfCheckpoint } from '../../src/core/facts/final-block.ts';
import { verifyLibrary } from '../../src/core/facts/library.ts';
import { parseLiteAnswer } from '../../src/net/lite-api/read-answers.ts';
import { beginCell } from './cells.ts';
import { loadRoads } from './changed-road.ts';
import { MASTER, checkpoint as madeCheckpoint, STRANGER, std, WALLET_CODE, worldOf } from './deposits.ts';
import { LIVE, liveAnswer } from './live-answers.ts';
import { ROOT, VECTORS } from './vectors.ts';

export const EXAMPLES_FOLDER = 'examples';

const json = (checkpoint: Checkpoint) => Buffer.from(`${JSON.stringify(checkpointToJson(checkpoint), null, 1)}\n`);

/** A deposit of 3 TON, and the way to it. */
function deposit() {
  const { checkpoint, vault: account, lt, roads } = loadRoads(join(VECTORS, 'live', 'bridge-road.json'));
  const answerTo = (asked: string) => [...roads.certify.values()].find(({ operation }) => operation === asked)!.answer;
  const blockProof = answerTo('getBlockProof');
  const links = answerTo('getShardBlockProof');
  const transaction = answerTo('getOneTransaction');
  const answer = parseLiteAnswer(transaction, 'transaction');
  const facts = [{ kind: 'transaction', account, lt, answer, way: { links } }] as const;
  return {
    'checkpoint.json': json(checkpoint),
    'block-proof.tl': blockProof,
    'shard-block-proof.tl': links,
    'transaction.tl': transaction,
    'deposit.fin.boc': certificateToBoc(buildCertificate({ checkpoint, proofs: [blockProof], facts })),
  };
}

/** The state of mainnet's zerostate, as far as it shows that a library is not in it. */
function absentLibrary(): Uint8Array {
  const boc = readFileSync(join(VECTORS, 'real', 'mainnet-genesis', 'zerostate.boc'));
  const root = parseSingleRoot(boc);
  readMasterchainState(root, 'state');
  const slice = new Slice(readShardState(root, 'state').totals, 'totals');
  slice.skip(128); // overload_history, underload_history
  skipCurrencyCollection(slice);
  skipCurrencyCollection(slice);
  lookupBytes(new Slice(slice.maybeRef()!, 'libraries'), new Uint8Array(32)); // it has others
  const proof = buildMerkleProof(root);
  const block = blockOfCheckpoint(checkpointFromZerostate(boc, MAINNET.zerostate));
  verifyLibrary({ stateProof: new Uint8Array(0), dataProof: proof }, block, new Uint8Array(32));
  return proof;
}

/** A jetton's master with the layout `standard`. */
function jettonMaster(): Uint8Array {
  const content = beginCell().storeUint(1, 8).endCell();
  const data = beginCell()
    .storeCoins(10n ** 15n)
    .store(std(STRANGER) as never)
    .storeRef(content)
    .storeRef(WALLET_CODE)
    .endCell();
  return certificateToBoc(worldOf({ wallet: { account: MASTER, data } }).certificate());
}

/** Each file by its name. */
export function exampleFiles(): Readonly<Record<string, Uint8Array>> {
  return {
    ...deposit(),
    'key-block-173.json': json(
      checkpointFromKeyBlock(parseLiteAnswer(liveAnswer('key-block.tl'), 'block').data, LIVE.keyBlock),
    ),
    'library-proof.boc': absentLibrary(),
    'jetton-checkpoint.json': json(madeCheckpoint),
    'jetton-master.fin.boc': jettonMaster(),
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const folder = join(ROOT, 'vectors', EXAMPLES_FOLDER);
  mkdirSync(folder, { recursive: true });
  for (const [name, bytes] of Object.entries(exampleFiles())) writeFileSync(join(folder, name), bytes);
}
