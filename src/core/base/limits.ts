/**
 * Every size limit and every protocol constant, once, with its source. Numbers are written out, since a bundler keeps a
 * computed constant even if the program does not use it. `ton` is ton-blockchain/ton at commit ca7d6e4. TL constructor
 * ids are in `constructors.ts` of `tl`, `net/adnl` and `net/lite-api`.
 */

/** int32 workchain of the masterchain. Source: ton `ton/ton-types.h`, masterchainId. */
export const MASTERCHAIN_WORKCHAIN = -1;

/** int64 shard of the masterchain, 8000000000000000 read as signed. Source: ton `ton/ton-types.h`, shardIdAll. */
export const MASTERCHAIN_SHARD = -0x8000000000000000n;

/** Bytes of a SHA-256 hash, an Ed25519 public key, and an Ed25519 signature (R || S). */
export const HASH_BYTES = 32;
export const PUBLIC_KEY_BYTES = 32;
export const SIGNATURE_BYTES = 64;

/** Largest total weight of a validator list. Source: ton `crypto/block/mc-config.cpp`, unpack_validator_set. */
export const MAX_TOTAL_WEIGHT = 1n << 61n;

/** Weight is a uint64 on the wire. Source: ton `crypto/block/block.tlb`, validator#53. */
export const MAX_WEIGHT = (1n << 64n) - 1n;

/** A list counts its entries in a uint16. Source: ton `crypto/block/block.tlb`, validators#11. */
export const MAX_VALIDATORS = 0xffff;

/** A set is final when more than num/den of the weight signed. Source: ton `crypto/block/signature-set.cpp`, check_signatures. */
export const FINALITY_THRESHOLD = { num: 2n, den: 3n } as const;

/**
 * Signature entries read from one answer. The node's own cap on the cell form is 1024 (`signature-set.cpp`,
 * MAX_SIGNATURES) and a masterchain set has about 100 signers; the JSON form names no cap, so this one is ours.
 */
export const MAX_SIGNATURE_ENTRIES = 4096;

/** Largest simplex candidate in bytes. The three known shapes have 120 or 160. */
export const MAX_CANDIDATE_BYTES = 65_536;

/** Largest list that a caller may pass: blocks of a batch, keys, proofs, answers. */
export const MAX_LIST = 1_048_576;

/** Largest number of servers that one call may ask. */
export const MAX_SOURCES = 1024;

/** Longest text field that is examined, in characters. The longest valid one, a signature in base64, has 88. */
export const MAX_FIELD_CHARS = 1024;

/** Characters of a server's own words kept in an error. */
export const MAX_SERVER_TEXT_CHARS = 500;

/**
 * Seconds for which a validator's stake stays frozen after its round. During this time the validator can still be
 * penalized. Source: config parameter 15 (stake_held_for) of mainnet.
 */
export const STAKE_HELD_SECONDS = 32_768;

/** Largest number of references of a cell. Source: ton `crypto/vm/cells/CellTraits.h`. */
export const MAX_CELL_REFS = 4;

/** Levels of a cell run from 0 to 3. Source: ton `crypto/vm/cells/CellTraits.h`, max_level. */
export const MAX_CELL_LEVEL = 3;

/** Depth of a tree of cells. Source: ton `crypto/vm/cells/CellTraits.h`, max_depth. */
export const MAX_CELL_DEPTH = 1024;

/**
 * Largest bag of cells, in bytes, cells and roots. A masterchain block has at most 2 MiB (config parameter 29 of
 * mainnet, max_block_bytes) with about 40 bytes for each cell. These limits are above that and bound the memory.
 */
export const MAX_BOC_BYTES = 8_388_608;
export const MAX_BOC_CELLS = 262_144;
export const MAX_BOC_ROOTS = 64;

/** Signatures in the cell form of a set. Source: ton `crypto/block/signature-set.cpp`, MAX_SIGNATURES. */
export const MAX_CELL_SIGNATURES = 1024;

/** Bytes and cells of a candidate stored in cells. Source: ton `crypto/block/signature-set.cpp`, its writer's limits. */
export const MAX_CELL_CANDIDATE_BYTES = 1024;
export const MAX_CANDIDATE_CELLS = 16;

/** Links in one answer of liteServer.getBlockProof. Source: ton `validator/impl/liteserver.cpp`, perform_getBlockProof. */
export const MAX_PROOF_LINKS = 16;

/**
 * Links in one answer of liteServer.getShardBlockProof, and of v2 getShardBlockProof. Source: ton `validator/impl/liteserver.cpp`,
 * continue_getShardBlockProof; `tonlib/tonlib/TonlibClient.cpp`, GetShardBlockProof refuses more.
 */
export const MAX_SHARD_LINKS = 8;

/**
 * Links of v2 getShardBlockProof to the masterchain block that lists the shard: one if that is a different block, else
 * none.
 */
export const MAX_SHARD_BACK_LINKS = 1;

/** Largest proof answer in bytes: sixteen links, each with a proof of a large configuration. */
export const MAX_PROOF_ANSWER_BYTES = 16_777_216;

/** Largest length of a shard prefix in bits. Source: ton `crypto/block/block.tlb`, shard_ident$00. */
export const MAX_SHARD_PREFIX_BITS = 60;
/**
 * Limits for an HTTP answer: bytes after decompression, and values. Every comma and every opening bracket begins a
 * value. A signature takes about 200 bytes and 4 values, a row of a list about 600 bytes and 30 values, and a
 * transaction with its messages about 3 kB and 120 values.
 */
export const BODY_LIMITS = {
  block: { maxBytes: 1_048_576, maxValues: 65_536 },
  config: { maxBytes: 4_194_304, maxValues: 1024 },
  proof: { maxBytes: 8_388_608, maxValues: 1024 },
  list: { maxBytes: 8_388_608, maxValues: 80_000 },
} as const;

/** Largest depth of nested lists and objects in JSON. The deepest answer, a transaction, has 8. */
export const MAX_JSON_DEPTH = 64;

/**
 * Largest number of rows in a v3 answer, and of messages of one transaction. Source: ton-indexer limits `limit` to
 * 1000; a transaction has at most 255 outgoing messages.
 */
export const MAX_LIST_ROWS = 65_536;
export const MAX_OUT_MESSAGES = 4096;

/**
 * Largest number of transactions in one block. A real block has far fewer; the limit bounds the work on shared cells.
 */
export const MAX_BLOCK_TRANSACTIONS = 65_536;

/**
 * Largest number of transactions, each a root, in one answer of liteServer.listBlockTransactionsExt. Source: ton
 * `validator/impl/liteserver.cpp`, perform_listBlockTransactions.
 */
export const MAX_LISTED_TRANSACTIONS = 256;

/**
 * Largest number of transactions in one answer of liteServer.getTransactions. Source: ton
 * `validator/impl/liteserver.cpp`, perform_getTransactions.
 */
export const MAX_HISTORY_TRANSACTIONS = 16;

/** Largest split depth of an account. Source: ton `crypto/block/block.tlb`, depth_balance$_. */
export const MAX_SPLIT_DEPTH = 30;

/**
 * Limit of the work on a certificate for each of its bytes. The unit is a quarter of opening one cell
 * (`core/certificate/work-limit.ts`). Certificates from servers and from this library need at most half of it.
 */
export const WORK_PER_BYTE = 1.7;
/** Additional work that is allowed for each fact. Facts that share almost all cells add hardly any bytes. */
export const WORK_PER_FACT = 40;
/** Work that is allowed for each byte, including what hashing the cells took. */
export const WORK_AND_HASHES_PER_BYTE = 4.2;

/** Limits of one certificate: bytes, steps, facts and links. Each step has about 14 kB. */
export const MAX_CERTIFICATE_BYTES = 8_388_608;
export const MAX_CERTIFICATE_STEPS = 256;
export const MAX_CERTIFICATE_FACTS = 256;
export const MAX_CERTIFICATE_LINKS = 64;

/** Longest text of a bag of cells in base64, such as the code or data of an account, in characters. */
export const MAX_LONG_TEXT_CHARS = 8_388_608;

/** Largest seqno that servers accept, since TL has no unsigned type. Source: ton `tl/generate/scheme/tonlib_api.tl`. */
export const MAX_SEQNO = 0x7fffffff;

/** Timeout of one attempt in milliseconds. The Python server's own limit is 10 s. */
export const DEFAULT_TIMEOUT_MS = 15_000;

/** Deadline of one question in milliseconds, with all its attempts and waits. */
export const DEFAULT_DEADLINE_MS = 30_000;

/** Retries after the first attempt: their number, the first delay, the growth of the delay, and its upper limit. */
export const DEFAULT_RETRIES = 3;
export const RETRY_BASE_MS = 500;
export const RETRY_CAP_MS = 8_000;

/** Shortest wait, in milliseconds, after a rate limit error without an API key. Servers allow one request a second. */
export const KEYLESS_RATE_LIMIT_WAIT_MS = 1_100;

/**
 * Hashes of zerostates in hex, which identify a network: `init` in every getMasterchainInfo answer. Source for mainnet:
 * `vectors/real/mainnet-genesis/zerostate.boc`. Source for testnet: `zero_state` of
 * https://ton.org/testnet-global.config.json. Several public clients have the same value, among them
 * nirapod-labs/ton-net.
 */
export const MAINNET_HASHES = {
  rootHash: '17a3a92992aabea785a7a090985a265cd31f323d849da51239737e321fb05569',
  fileHash: '5e994fcf4d425c0a6ce6a792594b7173205f740a39cd56f537defd28b48a0f6e',
} as const;
export const ZEROSTATES = {
  mainnet: MAINNET_HASHES,
  testnet: {
    rootHash: '823f81f306ff02694f935cf5021548e3ce2b86b529812af6a12148879e95a128',
    fileHash: '67e20ac184b9e039a62667acc3f9c00f90f359a76738233379efa47604980ce8',
  },
} as const;

/**
 * Largest length of an ADNL frame in bytes: nonce, payload and checksum. Source: ton `adnl/adnl-ext-connection.cpp`,
 * receive_packet.
 */
export const MAX_FRAME_BYTES = 16_777_216;

/**
 * Largest nonce, in bytes, that a server asks the client to sign. Source: ton `adnl/adnl-ext-server.cpp`,
 * tcp_authentificate.
 */
export const MAX_AUTHENTICATION_NONCE_BYTES = 512;

/**
 * Bit of `mode` that asks a lite server for a proof of the key block itself. Source: ton `validator/impl/liteserver.cpp`,
 * perform_getConfigParams.
 */
export const FROM_KEY_BLOCK = 0x8000;

/** Timeouts in milliseconds for the TCP connection and for the first frame after the handshake. */
export const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Limits of frames and bytes that answer no open question. The count starts again at each useful frame. Above a limit
 * the connection is closed.
 */
export const MAX_USELESS_FRAMES = 64;
export const MAX_USELESS_BYTES = 1_048_576;

/**
 * Questions in flight to one server: the default, and the largest value for a lite server of your own. A server has 16
 * places for all of its clients.
 */
export const QUESTIONS_IN_FLIGHT = 2;
export const MAX_QUESTIONS_IN_FLIGHT = 4;

/** Largest number of servers read from one global configuration. Mainnet's has 18. */
export const MAX_CONFIG_SERVERS = 1024;

/** Longest host name of a server in characters. Source: RFC 1035, section 3.1. */
export const MAX_HOST_CHARS = 253;

/** Longest delay in milliseconds of tries during the first two minutes after a failure. */
export const RECONNECT_EARLY_CAP_MS = 2_000;

/** Limits of links and answers in one synchronisation: enough for four years of key blocks. */
export const MAX_SYNC_LINKS = 4096;
export const MAX_SYNC_ANSWERS = 512;

/** Bytes of links kept in memory to show where a different history branches off: about 200 key blocks of mainnet. */
export const MAX_WAY_BYTES = 8_388_608;

/** Bytes of answers that each proven link or block frees of the budget of a run. */
export const FREE_BYTES_PER_LINK = 65_536;

/** How often one server is asked one question in a run. */
export const MAX_SAME_QUESTIONS = 3;

/** Bytes of answers that a run caches, so that it does not ask again, and the size of the largest cached answer. */
export const MAX_REMEMBERED_BYTES = 4_194_304;
export const MAX_REMEMBERED_ANSWER_BYTES = 1_048_576;

/** Deadline in milliseconds of one question when there are several lite servers. */
export const QUESTION_DEADLINE_MS = 10_000;
/** Deadline in milliseconds of one question to a server that is asked alone while others wait for their turn. */
export const TURN_DEADLINE_MS = 3_000;

/** Budget of one contradiction between servers: bytes, and questions from one key block. */
export const MAX_CONFRONT_BYTES = 16_777_216;
export const MAX_CONFRONT_QUESTIONS = 3;

/** Number of consecutive incomplete answers after which a different server is asked. */
export const MAX_SHORT_ANSWERS = 3;

/** Seconds by which a proven head may be ahead of the clock, and by which the servers' clocks may differ from it. */
export const MAX_CLOCK_SKEW_SECONDS = 30;

/**
 * Largest comment in bytes. Wallets write far less. A cell holds 123 bytes, so an honest comment has at most nine
 * cells.
 */
export const MAX_COMMENT_BYTES = 1024;

/** Seconds after which a head is stale. Source: ton `lite-client/lite-client.cpp` warns from this age on. */
export const MAX_HEAD_AGE_SECONDS = 60;

/** Number of additional servers that must name the same head if the validators of the start no longer have a stake. */
export const STALE_START_WITNESSES = 2;

/** Largest distance in blocks between two checked signatures. The follower holds that many headers in memory. */
export const MAX_FOLLOW_HOP = 256;
