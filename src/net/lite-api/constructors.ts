/**
 * TL constructor ids of requests to lite servers and of their answers, each with its schema line. An id is the CRC-32
 * of the line; a test recomputes every id. Ids of answers that are proofs by themselves are in
 * `core/tl/constructors.ts`. Schema: ton-blockchain/ton at ca7d6e4, tl/generate/scheme/lite_api.tl.
 */

/** liteServer.waitMasterchainSeqno seqno:int timeout_ms:int = Object */
export const WAIT_MASTERCHAIN_SEQNO = 0xbaeab892;

/** liteServer.getMasterchainInfo = liteServer.MasterchainInfo */
export const GET_MASTERCHAIN_INFO = 0x89b5e62e;

/** liteServer.masterchainInfo last:tonNode.blockIdExt state_root_hash:int256 init:tonNode.zeroStateIdExt = liteServer.MasterchainInfo */
export const MASTERCHAIN_INFO = 0x85832881;

/** liteServer.getMasterchainInfoExt mode:# = liteServer.MasterchainInfoExt */
export const GET_MASTERCHAIN_INFO_EXT = 0x70a671df;

/** liteServer.masterchainInfoExt mode:# version:int capabilities:long last:tonNode.blockIdExt last_utime:int now:int state_root_hash:int256 init:tonNode.zeroStateIdExt = liteServer.MasterchainInfoExt */
export const MASTERCHAIN_INFO_EXT = 0xa8cce0f5;

/** liteServer.getTime = liteServer.CurrentTime */
export const GET_TIME = 0x16ad5a34;

/** liteServer.currentTime now:int = liteServer.CurrentTime */
export const CURRENT_TIME = 0xe953000d;

/** liteServer.getVersion = liteServer.Version */
export const GET_VERSION = 0x232b940b;

/** liteServer.version mode:# version:int capabilities:long now:int = liteServer.Version */
export const VERSION = 0x5a0491e5;

/** liteServer.getBlockProof mode:# known_block:tonNode.blockIdExt target_block:mode.0?tonNode.blockIdExt = liteServer.PartialBlockProof */
export const GET_BLOCK_PROOF = 0x8aea9c44;

/** liteServer.lookupBlock mode:# id:tonNode.blockId lt:mode.1?long utime:mode.2?int = liteServer.BlockHeader */
export const LOOKUP_BLOCK = 0xfac8f71e;

/** liteServer.getBlockHeader id:tonNode.blockIdExt mode:# = liteServer.BlockHeader */
export const GET_BLOCK_HEADER = 0x21ec069e;

/** liteServer.blockHeader id:tonNode.blockIdExt mode:# header_proof:bytes = liteServer.BlockHeader */
export const BLOCK_HEADER = 0x752d8219;

/** liteServer.getConfigParams mode:# id:tonNode.blockIdExt param_list:(vector int) = liteServer.ConfigInfo */
export const GET_CONFIG_PARAMS = 0x2a111c19;

/** liteServer.configInfo mode:# id:tonNode.blockIdExt state_proof:bytes config_proof:bytes = liteServer.ConfigInfo */
export const CONFIG_INFO = 0xae7b272f;

/** liteServer.getBlock id:tonNode.blockIdExt = liteServer.BlockData */
export const GET_BLOCK = 0x6377cf0d;

/** liteServer.blockData id:tonNode.blockIdExt data:bytes = liteServer.BlockData */
export const BLOCK_DATA = 0xa574ed6c;

/** liteServer.getState id:tonNode.blockIdExt = liteServer.BlockState */
export const GET_STATE = 0xba6e2eb6;

/** liteServer.blockState id:tonNode.blockIdExt root_hash:int256 file_hash:int256 data:bytes = liteServer.BlockState */
export const BLOCK_STATE = 0xabaddc0c;

/** liteServer.getShardBlockProof id:tonNode.blockIdExt = liteServer.ShardBlockProof */
export const GET_SHARD_BLOCK_PROOF = 0x4ca60350;

/** liteServer.getAccountState id:tonNode.blockIdExt account:liteServer.accountId = liteServer.AccountState */
export const GET_ACCOUNT_STATE = 0x6b890e25;

/** liteServer.accountState id:tonNode.blockIdExt shardblk:tonNode.blockIdExt shard_proof:bytes proof:bytes state:bytes = liteServer.AccountState */
export const ACCOUNT_STATE = 0x7079c751;

/** liteServer.getOneTransaction id:tonNode.blockIdExt account:liteServer.accountId lt:long = liteServer.TransactionInfo */
export const GET_ONE_TRANSACTION = 0xd40f24ea;

/** liteServer.transactionInfo id:tonNode.blockIdExt proof:bytes transaction:bytes = liteServer.TransactionInfo */
export const TRANSACTION_INFO = 0x0edeed47;

/** liteServer.getTransactions count:# account:liteServer.accountId lt:long hash:int256 = liteServer.TransactionList */
export const GET_TRANSACTIONS = 0x1c40e7a1;

/** liteServer.transactionList ids:(vector tonNode.blockIdExt) transactions:bytes = liteServer.TransactionList */
export const TRANSACTION_LIST = 0x6f26c60b;

/** liteServer.blockTransactions id:tonNode.blockIdExt req_count:# incomplete:Bool ids:(vector liteServer.transactionId) proof:bytes = liteServer.BlockTransactions */
export const BLOCK_TRANSACTIONS = 0xbd8cad2b;

/** liteServer.blockTransactionsExt id:tonNode.blockIdExt req_count:# incomplete:Bool transactions:bytes proof:bytes = liteServer.BlockTransactionsExt */
export const BLOCK_TRANSACTIONS_EXT = 0xfb8ffce4;

/** liteServer.libraryResultWithProof id:tonNode.blockIdExt mode:# result:(vector liteServer.libraryEntry) state_proof:bytes data_proof:bytes = liteServer.LibraryResultWithProof */
export const LIBRARY_RESULT_WITH_PROOF = 0x10a927bf;

/** liteServer.shardInfo id:tonNode.blockIdExt shardblk:tonNode.blockIdExt shard_proof:bytes shard_descr:bytes = liteServer.ShardInfo */
export const SHARD_INFO = 0x9fe6cd84;

/** liteServer.allShardsInfo id:tonNode.blockIdExt proof:bytes data:bytes = liteServer.AllShardsInfo */
export const ALL_SHARDS_INFO = 0x098fe72d;
