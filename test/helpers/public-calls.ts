/** A right call of every public function of the entries that verify, and what calls are made of. */

import * as chain from '../../src/chain.ts';
import * as facts from '../../src/facts.ts';
import * as root from '../../src/index.ts';
import * as node from '../../src/node.ts';
import * as report from '../../src/report.ts';
import { beginCell } from './cells.ts';
import { TERMS, worldOf } from './deposits.ts';
import { LIVE, liveAnswer, liveBytes } from './inclusion.ts';
import { backLink, listed, newerBlock } from './make-back-link.ts';
import { makeSignedSet, toAnswer } from './make-block.ts';
import {
  blockSignaturesCell,
  committee,
  configCell,
  headerProof,
  honestLink,
  makeBlock,
  makeState,
  signBlock,
  storedProof,
  tlBack,
  tlForward,
  tlProof,
  validatorSetCell,
  wholeProof,
} from './make-chain.ts';
import { makeSigners } from './make-validators.ts';

import { readVectorBytes } from './vectors.ts';

const signers = makeSigners([50n, 30n, 20n]);
const list = signers.map(({ publicKey, weight }) => ({ publicKey, weight }));
const set = makeSignedSet('simplex', signers);
const answer = { ok: true, result: toAnswer(set) };
const validators = root.createValidatorSet(list, { utimeUntil: 1_000_000, shuffle: true });
const coverage = root.checkSignatures(set, validators);
const good = root.verifyBlock(set, validators);
const config = { utimeSince: 1, utimeUntil: 9, main: 2, list };

const [a, b] = [committee('a'), committee('b')];
const key100 = makeBlock({ seqno: 100, signedBy: b, prevKeyBlockSeqno: 50, config: configCell({ elected: a }) });
const key200 = makeBlock({ seqno: 200, signedBy: a, prevKeyBlockSeqno: 100, config: configCell({ elected: b }) });
const block150 = makeBlock({ seqno: 150, signedBy: a, prevKeyBlockSeqno: 100 });
const checkpoint = chain.checkpointFromKeyBlock(key100.boc, key100.id);
const step = { block: key200.boc, signatures: signBlock(key200, a, 'simplex') };
const stored = storedProof(block150, blockSignaturesCell(block150, signBlock(block150, a, 'simplex'), 40n));
const walk = tlProof(key100.id, key200.id, [tlForward(honestLink(key100, key200))]);

const block = makeBlock({ seqno: 160, signedBy: a, prevKeyBlockSeqno: 100 });
const certificateInput = { checkpoint, signatures: signBlock(block), headerProof: headerProof(block) };
const certified = facts.buildCertificate(certificateInput);
const forked = makeBlock({ seqno: 160, signedBy: a, prevKeyBlockSeqno: 100, genUtime: 1_500_001 });
const other = facts.buildCertificate({ checkpoint, signatures: signBlock(forked), headerProof: headerProof(forked) });
const liveZerostate = chain.checkpointFromZerostate(readVectorBytes('live/answers/zerostate.boc'), LIVE.zerostate);
const liveWalk = chain.verifyBlockProof(liveBytes('proof-zerostate-to-block.tl'), liveZerostate);
const live = facts.blockOfWalk(liveWalk);
const read = (file: string) => facts.parseLiteAnswer(liveBytes(file));
const transactionAnswer = facts.parseLiteAnswer(liveBytes('transaction-4.tl'), 'transaction');
const { account: accountText, lt } = liveAnswer('transaction-4.tl');
const account = facts.parseAccountId(accountText!);
const transaction = { account, lt: BigInt(lt!) };
const transactionFact = facts.verifyTransaction(transactionAnswer, live, transaction) as facts.TransactionFact;
const message = facts.messagesOf(transactionFact)[0]!;
const stateAnswer = facts.parseLiteAnswer(liveBytes('account-config.tl'), 'account-state');
const configAccount = facts.parseAccountId(liveAnswer('account-config.tl').account!);
const accountFact = facts.verifyAccount(stateAnswer, live, configAccount) as facts.AccountFact;
const configFact = facts.verifyConfig(facts.parseLiteAnswer(liveBytes('config-from-state.tl'), 'config'), live, 34) as {
  readonly cell: facts.Cell;
};
const history = facts.parseLiteAnswer(liveBytes('history.tl'), 'transaction-list');
const shardProof = facts.parseLiteAnswer(liveBytes('shard-block-proof.tl'), 'shard-block-proof');
const newer = newerBlock(listed(key100));
const backProof = tlProof(newer.block.id, key100.id, [tlBack(backLink(newer, key100))]);
const totals = beginCell().storeUint(0, 128).storeUint(0, 10).storeBit(false).storeBit(false).endCell();
const stateOf9 = makeState({ seqno: 9, config: configCell({ elected: a }), totals });
const block9 = makeBlock({ seqno: 9, signedBy: a, prevKeyBlockSeqno: 0, state: stateOf9 });
const libraryAnswer = { stateProof: wholeProof(block9.root), dataProof: wholeProof(stateOf9) };

const world = worldOf();
const deposit = facts.acceptDeposit({ facts: [world.fact()] }, TERMS);
const data = beginCell().storeUint(0, 6).storeRef(beginCell().endCell()).storeRef(beginCell().endCell()).endCell();
const master = worldOf({ wallet: { data } }).wallet();

/** A good call. */
export interface Call {
  readonly args: readonly unknown[];
  /** How many arguments have to be there. Default: all. */
  readonly needed?: number;
  /** Where options stand. */
  readonly options?: readonly number[];
  /** What does as well, anywhere. */
  readonly alsoRight?: readonly unknown[];
  /** The first two arguments may change places. */
  readonly anyOrder?: boolean;
}

const key = new Uint8Array(32).fill(1);
const none: readonly unknown[] = [];
const bareAnswer = toAnswer(set);

/** What the calls are made of. */
export const PARTS = { answer, bareAnswer, set, validators, coverage, good, checkpoint, config, key, none, key100 };

export const CALLS: Readonly<Record<string, Readonly<Record<string, Call>>>> = {
  '.': {
    checkSignatures: { args: [set, validators, {}], needed: 2, options: [2] },
    chooseEngine: { args: [] },
    createKernelEngine: { args: [{ tableWidth: 0 }], needed: 0, options: [0] },
    createValidatorSet: { args: [list, {}], needed: 1, options: [1] },
    createVerifier: { args: [validators, {}], needed: 1, options: [1] },
    formatBlockId: { args: [set.blockId] },
    judge: { args: [coverage, validators, {}, {}], needed: 2, options: [2, 3] },
    nodeIdShort: { args: [signers[0]!.publicKey], alsoRight: [key] },
    parseBlockId: { args: [root.formatBlockId(set.blockId)] },
    parseSignatureList: { args: [answer], alsoRight: [bareAnswer] },
    selectMasterchainValidators: { args: [config, {}], needed: 1, options: [1] },
    signedMessage: { args: [set] },
    strict: { args: [{ nowSeconds: 1 }], options: [0] },
    validatorListHashShort: { args: [validators, 5] },
    parseValidatorSet: {
      args: [{ [Buffer.from(signers[0]!.publicKey).toString('hex')]: '5' }, {}],
      needed: 1,
      options: [1],
    },
    verifyBlock: { args: [set, validators, { context: { nowSeconds: 5 } }], needed: 2, options: [2] },
  },
  './chain': {
    advanceCheckpoint: { args: [step, checkpoint, {}], needed: 2, options: [0, 2] },
    checkpointFromKeyBlock: { args: [key100.boc, key100.id] },
    checkpointFromZerostate: { args: [new Uint8Array(5), chain.MAINNET.zerostate] },
    checkpointToJson: { args: [checkpoint] },
    parseCheckpoint: { args: [chain.checkpointToJson(checkpoint)] },
    parseValidatorConfig: { args: [validatorSetCell(a).toBoc()] },
    verifyHeader: { args: [headerProof(key100), key100.id] },
    validatorSetAt: { args: [checkpoint] },
    verifyStoredProof: { args: [stored, checkpoint, {}], needed: 2, options: [2] },
    verifyBlockProof: { args: [walk, checkpoint, { nowSeconds: 1 }], needed: 2, options: [2] },
  },
  './facts': {
    buildCertificate: { args: [certificateInput], options: [0] },
    certificateToBoc: { args: [certified] },
    certificateToJson: { args: [certified] },
    findEquivocation: { args: [certified, other, { anchor: key100.id }], options: [2], anyOrder: true },
    parseCertificate: { args: [facts.certificateToBoc(certified)] },
    parseCertificateJson: {
      args: [facts.certificateToJson(certified), { anchor: key100.id }],
      needed: 1,
      options: [1],
    },
    verifyCertificate: { args: [certified, { nowSeconds: 1 }], needed: 1, options: [1] },
    acceptDeposit: { args: [{ facts: [world.fact()] }, TERMS], options: [1] },
    requireDeposit: { args: [deposit] },
    jettonWalletAddress: { args: [master, account, 'standard'] },
    assumeFinal: { args: [LIVE.block], alsoRight: [set.blockId] },
    cellToBoc: { args: [configFact.cell] },
    blockOfCheckpoint: { args: [liveZerostate], alsoRight: [checkpoint] },
    jettonNotificationOf: { args: [message] },
    factToJson: { args: [transactionFact] },
    blockOfReport: { args: [good], alsoRight: [good] },
    formatAccountId: { args: [account, { form: 'raw' }], needed: 1, options: [1] },
    messagesOf: { args: [transactionFact] },
    verifyOlderBlock: { args: [backProof, facts.assumeFinal(newer.block.id)] },
    parseAccountId: { args: [accountText] },
    blockOfWalk: { args: [liveWalk] },
    accountDataOf: { args: [accountFact] },
    parseLiteAnswer: { args: [liveBytes('history.tl'), 'transaction-list', 'answer'], needed: 1 },
    verifyShardBlock: { args: [shardProof, facts.assumeFinal(shardProof.masterchainId)] },
    verifyShardTop: { args: [read('all-shards.tl'), live, { workchain: 0, address: key }] },
    verifyAccount: { args: [stateAnswer, live, configAccount, { bag: 'optional' }], needed: 3, options: [3] },
    verifyBlockTransactions: { args: [read('list-transactions.tl'), live, {}], needed: 2, options: [2] },
    verifyConfig: { args: [read('config-from-state.tl'), live, 34], alsoRight: [5, -1] },
    verifyHistory: { args: [[history], accountFact, { limit: 9 }], needed: 2, options: [2], alsoRight: [none] },
    verifyLibrary: { args: [libraryAnswer, facts.assumeFinal(block9.id), key] },
    verifyTransaction: { args: [transactionAnswer, live, transaction], options: [2] },
  },
  './node': {
    createWorkerPool: { args: [{ threads: 1 }], needed: 0, options: [0] },
  },
  './report': {
    renderText: { args: [good] },
    reportToJson: { args: [good] },
  },
};
export const ENTRIES: Readonly<Record<string, object>> = {
  '.': root,
  './chain': chain,
  './facts': facts,
  './node': node,
  './report': report,
};
