/**
 * This library before the suite. Each operation says which public function is judged; what no public function hands out, because the
 * library's users have no need of it, is reached through the built files beside it.
 */
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import {
  createValidatorSet,
  parseSignatureList,
  referenceEngine,
  selectMasterchainValidators,
  validatorListHashShort,
  verifyBlock,
} from 'ton-finality';
import { verifyBlockProof } from 'ton-finality/chain';
import {
  assumeFinal,
  parseAccountId,
  parseCertificate,
  parseLiteAnswer,
  verifyAccount,
  verifyCertificate,
  verifyConfig,
  verifyShardBlock,
  verifyShardTop,
  verifyTransaction,
} from 'ton-finality/facts';

const built = (path) => import(new URL(`../../../build/src/${path}`, import.meta.url).href);
const { parseBoc, parseSingleRoot } = await built('core/cells/boc.js');
const { openMerkleProof } = await built('core/cells/merkle-proof.js');
const { readProvenBlock } = await built('core/chain/block-header.js');
const { readTlSignatureSet } = await built('core/chain/block-signatures.js');
const { readPreviousBlocks } = await built('core/chain/previous-blocks.js');
const { parseJsonBytes } = await built('core/base/json-text.js');
const { ownBytes } = await built('core/base/own-bytes.js');
const { TlReader } = await built('core/tl/reader.js');
const { findShuffle, findValidatorConfig } = await built('core/validators/config-params.js');
const { shuffledOrder } = await built('core/validators/select-masterchain.js');

const bytes = (base64) => Uint8Array.from(Buffer.from(base64, 'base64'));
const hex = (data) => Buffer.from(data).toString('hex');
const fromHex = (text) => Uint8Array.from(Buffer.from(text, 'hex'));
const blockId = ({ workchain, shard, seqno, rootHash, fileHash }) => ({
  workchain,
  shard: BigInt(shard),
  seqno,
  rootHash: fromHex(rootHash),
  fileHash: fromHex(fileHash),
});
const blockJson = ({ workchain, shard, seqno, rootHash, fileHash }) => ({
  workchain,
  shard: shard.toString(),
  seqno,
  rootHash: hex(rootHash),
  fileHash: hex(fileHash),
});
const validatorJson = ({ publicKey, weight }) => ({
  publicKey: Buffer.from(publicKey).toString('base64'),
  weight: weight.toString(),
});

class Refused extends Error {}

/** Each gives the value of what it accepts, and throws where the library refuses. */
const OPERATIONS = {
  /** `referenceEngine`, the rule itself; the other engines are held against it in the library's own tests. */
  ed25519({ publicKey, message, signature }) {
    const [key, text, signed] = [publicKey, message, signature].map(bytes);
    if (key.length !== 32 || signed.length !== 64) throw new Refused('length'); // a ring takes no others: decoding refuses them
    const ring = referenceEngine.open([key]);
    const [valid] = ring.verify(text, [0], [signed]);
    ring.close();
    if (!valid) throw new Refused('invalid');
  },

  /** `parseSignatureList`, `createValidatorSet`, `verifyBlock`. */
  signatures({ json, tl, block, validators }) {
    const id = blockId(block);
    const signatures =
      json === undefined ? listOfTl(bytes(tl), id) : parseSignatureList(parseJsonBytes(Buffer.from(json), 'json'));
    const trusted = createValidatorSet(
      validators.map(({ publicKey, weight }) => ({ publicKey: bytes(publicKey), weight: BigInt(weight) })),
    );
    // The caller vouches for the validators and for the number of the block: neither is part of this operation.
    const { verdict, coverage } = verifyBlock(signatures, trusted, {
      expect: id,
      acceptClaimed: true,
      acceptUnbound: true,
    });
    if (verdict.status !== 'final') throw new Refused(`${verdict.status} ${verdict.reason ?? ''}`);
    return { signedWeight: coverage.signedWeight.toString(), totalWeight: coverage.totalWeight.toString() };
  },

  /** What `checkpointFromKeyBlock` reads of a configuration, `selectMasterchainValidators`, `validatorListHashShort`. */
  'validator-set'({ configuration, catchainSeqno }) {
    const root = parseSingleRoot(bytes(configuration), 'configuration');
    const config = findValidatorConfig(root, 'current', 'configuration');
    if (config === undefined) throw new Refused('no current set');
    const shuffle = findShuffle(root, 'configuration');
    const set = selectMasterchainValidators(config, { shuffle });
    const { validators, totalWeight } = set;
    const order = shuffle ? shuffledOrder(validators.length, catchainSeqno) : validators.map((_, k) => k);
    return {
      validators: order.map((k) => validatorJson(validators[k])),
      totalWeight: totalWeight.toString(),
      listHash: validatorListHashShort(set, catchainSeqno),
    };
  },

  /** The reader of cells under everything else. */
  boc({ bytes: bag }) {
    const roots = parseBoc(bytes(bag), 'bytes').map((root) => ({
      representationHash: hex(root.hash()),
      levelZeroHash: hex(root.hash(0)),
      depth: root.depth(0),
    }));
    return { roots };
  },

  /** `verifyHeader`, with the blocks before, as links demand them. */
  'block-header'({ block, proof }) {
    const id = blockId(block);
    const root = openMerkleProof(parseSingleRoot(bytes(proof), 'proof'), 'proof');
    const { header } = readProvenBlock(root, id, 'proof');
    return {
      seqno: header.seqno,
      genUtime: header.genUtime,
      previous: readPreviousBlocks(header, 'proof').map(blockJson),
      validatorListHash: header.validatorListHashShort,
      catchainSeqno: header.catchainSeqno,
      keyBlock: header.keyBlock,
    };
  },

  /** `verifyBlockProof`. */
  'proof-chain'({ from, answers, to }) {
    let walk = blockId(from);
    answers.forEach((answer, k) => {
      const isLast = k === answers.length - 1;
      walk = verifyBlockProof(bytes(answer), walk, isLast && to !== undefined ? { expect: blockId(to) } : {});
    });
    return { block: blockJson(walk.tip) };
  },

  /** `verifyShardBlock` and `verifyShardTop`. */
  'shard-link'({ masterchain, answer, requested }) {
    const final = assumeFinal(blockId(masterchain));
    const wanted = blockId(requested);
    const tl = bytes(answer);
    if (tl[0] !== 0x2d || tl[1] !== 0xe7) return { block: blockJson(verifyShardBlock(tl, final, wanted).id) };
    // An account of the shard stands for the shard; the top that is found must be of it.
    const address = new Uint8Array(32);
    new DataView(address.buffer).setBigInt64(0, wanted.shard);
    const top = verifyShardTop(parseLiteAnswer(tl, 'all-shards'), final, { workchain: wanted.workchain, address });
    if (top.id.shard !== wanted.shard) throw new Refused('another shard');
    return { block: blockJson(top.id) };
  },

  /** `verifyTransaction`. */
  transaction({ block, account, lt, answer }) {
    const request = { account: parseAccountId(account), lt: BigInt(lt) };
    const fact = verifyTransaction(parseLiteAnswer(bytes(answer), 'transaction'), assumeFinal(blockId(block)), request);
    return fact.found ? { found: true, hash: hex(fact.hash) } : { found: false };
  },

  /** `verifyAccount`. */
  account({ block, account, answer }) {
    const proof = parseLiteAnswer(bytes(answer), 'account-state');
    const fact = verifyAccount(proof, assumeFinal(blockId(block)), parseAccountId(account));
    if (!fact.found) return { exists: false };
    return { exists: true, stateHash: hex(fact.accountHash), lastLt: fact.lastTransLt.toString() };
  },

  /** `verifyConfig`. */
  'config-param'({ block, number, answer }) {
    const fact = verifyConfig(parseLiteAnswer(bytes(answer), 'config'), assumeFinal(blockId(block)), number);
    return fact.found ? { found: true, hash: hex(fact.hash) } : { found: false };
  },

  /** `parseCertificate`, `verifyCertificate`. */
  certificate({ certificate, anchor }) {
    const { verdict, block, facts } = verifyCertificate(parseCertificate(bytes(certificate)), {
      anchor: blockId(anchor),
    });
    if (verdict.status !== 'final') throw new Refused(`${verdict.status} ${verdict.reason ?? ''}`);
    return { block: blockJson(block), facts: facts.map(({ kind }) => kind) };
  },
};

function listOfTl(tl, id) {
  const reader = new TlReader(ownBytes(tl, 'tl', 2 ** 24), 'tl');
  const { list } = readTlSignatureSet(reader, id);
  reader.end();
  return list;
}

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
say({ implementation: 'ton-finality', version, language: 'TypeScript', operations: Object.keys(OPERATIONS) });

createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
  const { id, operation, input } = JSON.parse(line);
  try {
    const value = OPERATIONS[operation](input);
    say({ id, result: 'accept', ...(value === undefined ? {} : { value }) });
  } catch (error) {
    // Only an error of the library is a refusal. Anything else is a crash, and is to look like one.
    if (!(error instanceof Refused) && typeof error?.code !== 'string') throw error;
    say({ id, result: 'reject', detail: `${error.code ?? ''} ${error.message}` });
  }
});
