/**
 * Every size cap and every constant of the protocol, each once, each with its source. Numbers are written out: a product that a
 * program does not use stays in its bundle. `ton` is ton-blockchain/ton at commit ca7d6e4. TL constructor ids are in
 * `constructors.ts` of `tl`, `net/adnl` and `net/lite-api`.
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

/** Bytes of a simplex candidate that decode will hold; the three known shapes have 120 or 160. */
export const MAX_CANDIDATE_BYTES = 65_536;

/** Elements of one list that a caller hands in: blocks of a batch, keys, proofs, answers. */
export const MAX_LIST = 1_048_576;

/** Servers that are asked together. */
export const MAX_SOURCES = 1024;

/** Characters of a text field that are looked at before it is refused. The longest legitimate one, base64 of a signature, has 88. */
export const MAX_FIELD_CHARS = 1024;

/** Characters of a server's own words kept in an error. */
export const MAX_SERVER_TEXT_CHARS = 500;

/**
 * Seconds for which a validator's stake stays frozen after its round, hence for which its set can still be punished.
 * Source: config parameter 15 (stake_held_for) of mainnet.
 */
export const STAKE_HELD_SECONDS = 32_768;

/** References of a cell. Source: ton `crypto/vm/cells/CellTraits.h`. */
export const MAX_CELL_REFS = 4;

/** Levels of a cell run from 0 to 3. Source: ton `crypto/vm/cells/CellTraits.h`, max_level. */
export const MAX_CELL_LEVEL = 3;

/** Depth of a tree of cells. Source: ton `crypto/vm/cells/CellTraits.h`, max_depth. */
export const MAX_CELL_DEPTH = 1024;

/**
 * Bytes, cells and roots of one bag of cells that will be read. A masterchain block has at most 2 MiB (config parameter 29 of
 * mainnet, max_block_bytes) in about one cell for 40 bytes; the caps leave room above that and bound the memory.
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

/** Links of v2 getShardBlockProof to the masterchain block that lists the shard: the one that leads there, if it is another. */
export const MAX_SHARD_BACK_LINKS = 1;

/** Bytes of one whole proof answer that will be read: sixteen links with a proof of a large configuration each. */
export const MAX_PROOF_ANSWER_BYTES = 16_777_216;

/** Bits by which a shard prefix may be longer than nothing. Source: ton `crypto/block/block.tlb`, shard_ident$00. */
export const MAX_SHARD_PREFIX_BITS = 60;
/**
 * What of an HTTP answer is read at most: bytes after decompression, and values, of which every comma and every opening
 * bracket begins one. A signature takes about 200 bytes and 4 values; a row of a list some 600 bytes and 30 values, a
 * transaction with its messages some 3 kB and 120.
 */
export const BODY_LIMITS = {
  block: { maxBytes: 1_048_576, maxValues: 65_536 },
  config: { maxBytes: 4_194_304, maxValues: 1024 },
  proof: { maxBytes: 8_388_608, maxValues: 1024 },
  list: { maxBytes: 8_388_608, maxValues: 80_000 },
} as const;

/** Levels of lists and objects in JSON that will be read; the deepest answer, a transaction, has 8. */
export const MAX_JSON_DEPTH = 64;

/** Rows of a v3 answer, and messages of one transaction. Source: ton-indexer caps `limit` at 1000; a transaction has at most 255 outgoing messages. */
export const MAX_LIST_ROWS = 65_536;
export const MAX_OUT_MESSAGES = 4096;

/** Transactions of one block. A block has room for far fewer; the cap bounds the work on shared cells. */
export const MAX_BLOCK_TRANSACTIONS = 65_536;

/** Transactions in one answer of liteServer.listBlockTransactionsExt, each a root. Source: ton `validator/impl/liteserver.cpp`, perform_listBlockTransactions. */
export const MAX_LISTED_TRANSACTIONS = 256;

/** Transactions in one answer of liteServer.getTransactions. Source: ton `validator/impl/liteserver.cpp`, perform_getTransactions. */
export const MAX_HISTORY_TRANSACTIONS = 16;

/** Split depth of an account. Source: ton `crypto/block/block.tlb`, depth_balance$_. */
export const MAX_SPLIT_DEPTH = 30;

/**
 * What reading a certificate may take for each of its bytes, in quarters of opening a cell (`core/certificate/work.ts`): what servers and
 * our own maker make takes a half of it at most.
 */
export const WORK_PER_BYTE = 1.7;
/** The same for each of its facts: those that share all cells but a few take hardly a byte. */
export const WORK_PER_FACT = 40;
/** The same for each byte with what hashing its cells took. */
export const WORK_AND_HASHES_PER_BYTE = 4.2;

/** Bytes, steps, facts and links of one certificate that will be read: each step is about 14 kB. */
export const MAX_CERTIFICATE_BYTES = 8_388_608;
export const MAX_CERTIFICATE_STEPS = 256;
export const MAX_CERTIFICATE_FACTS = 256;
export const MAX_CERTIFICATE_LINKS = 64;

/** Characters of a longer text of an answer: a BoC in base64, such as code or data of an account. */
export const MAX_LONG_TEXT_CHARS = 8_388_608;

/** Largest seqno that servers take: TL has no unsigned type. Source: ton `tl/generate/scheme/tonlib_api.tl`. */
export const MAX_SEQNO = 0x7fffffff;

/** Milliseconds for one attempt: the Python server's own limit is 10 s. */
export const DEFAULT_TIMEOUT_MS = 15_000;

/** Milliseconds for one question with all its attempts and waiting. */
export const DEFAULT_DEADLINE_MS = 30_000;

/** Tries after the first one, their base delay, its growth and its cap. */
export const DEFAULT_RETRIES = 3;
export const RETRY_BASE_MS = 500;
export const RETRY_CAP_MS = 8_000;

/** Shortest wait after a refusal for too many requests without a key: one request a second is allowed. */
export const KEYLESS_RATE_LIMIT_WAIT_MS = 1_100;

/** Requests a second of toncenter.com. Source: docs.ton.org, rate limits: 1 without a key, 10 with a free one. */
export const KEYLESS_REQUESTS_PER_SECOND = 1;
export const KEYED_REQUESTS_PER_SECOND = 10;

/** Longest Retry-After that is believed. */
export const MAX_RETRY_AFTER_MS = 3_600_000;

/**
 * Zerostates in hex, by which networks are told apart: `init` of every getMasterchainInfo answer. Mainnet: recorded in
 * `vectors/real/mainnet-genesis/zerostate.boc`. Testnet: `zero_state` of https://ton.org/testnet-global.config.json, the
 * same in several public clients, among them nirapod-labs/ton-net.
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

/** Bytes that a frame's length may promise: nonce, payload and checksum. Source: ton `adnl/adnl-ext-connection.cpp`, receive_packet. */
export const MAX_FRAME_BYTES = 16_777_216;

/** Bytes of the nonce that a server gives to sign. Source: ton `adnl/adnl-ext-server.cpp`, tcp_authentificate. */
export const MAX_AUTHENTICATION_NONCE_BYTES = 512;

/** Milliseconds for the TCP connection, and for the first frame after the handshake. */
export const CONNECT_TIMEOUT_MS = 5_000;

/** Milliseconds without a frame after which a lite server is pinged, and after which it is given up. One server drops who is silent for 20 s. */
export const PING_AFTER_MS = 5_000;
export const SILENT_AFTER_MS = 15_000;

/** Slowest that a frame may come in, in bytes, in the window in which that is measured, in milliseconds. */
export const MIN_FRAME_BYTES_PER_WINDOW = 81_920;
export const FRAME_RATE_WINDOW_MS = 10_000;

/** Frames and bytes that answer no open question, since the last one that did, after which a connection is dropped. */
export const MAX_USELESS_FRAMES = 64;
export const MAX_USELESS_BYTES = 1_048_576;

/** Milliseconds without a question after which a connection is closed. Source: ton `adnl/adnl-ext-client.hpp`. */
export const IDLE_CLOSE_MS = 100_000;

/**
 * Questions in flight to one server: what everybody is given, and what one may ask for of a lite server of its own. One server has 16
 * places for all of its clients.
 */
export const QUESTIONS_IN_FLIGHT = 2;
export const MAX_QUESTIONS_IN_FLIGHT = 4;

/** Servers that are read from one global configuration. Mainnet's names 18. */
export const MAX_CONFIG_SERVERS = 1024;

/** Characters of a server's host name. Source: RFC 1035, section 3.1. */
export const MAX_HOST_CHARS = 253;

/** Milliseconds before a lite server is connected to again: the first time, at most in the first two minutes, and at most ever. */
export const RECONNECT_BASE_MS = 500;
export const RECONNECT_EARLY_CAP_MS = 2_000;
export const RECONNECT_EARLY_MS = 120_000;
export const RECONNECT_CAP_MS = 30_000;

/** Milliseconds that a lite server is asked to wait for a block. It waits ten seconds at most. Source: ton `validator/impl/liteserver.cpp`. */
export const WAIT_FOR_BLOCK_MS = 8_000;

/** Milliseconds for which a lite server that failed is asked after all others: the first time, and at most. */
export const LITE_REST_MS = 30_000;
export const LITE_REST_CAP_MS = 600_000;

/** Links and answers of one synchronisation: four years of key blocks. */
export const MAX_SYNC_LINKS = 4096;
export const MAX_SYNC_ANSWERS = 512;

/** Bytes of links that are kept in memory to show where another history parts: some 200 key blocks of mainnet. */
export const MAX_WAY_BYTES = 8_388_608;

/** Bytes of answers that a run over lite servers may cost beyond what they prove, and for each server; how many are free for each link or block proven. */
export const RUN_BYTES = 67_108_864;
export const RUN_BYTES_PER_SERVER = 8_388_608;
export const FREE_BYTES_PER_LINK = 65_536;
/** Milliseconds in which a follower or an audit, which has no end, may cost as much again. */
export const SHARE_REFILL_MS = 600_000;

/** Answers of one server to one question in a run; milliseconds after which a follower or an audit may ask anew. */
export const MAX_SAME_QUESTIONS = 3;
export const SAME_QUESTION_MS = 4_000;

/** Bytes of answers that a run remembers, so as not to ask for them again, and of the largest of these. */
export const MAX_REMEMBERED_BYTES = 4_194_304;
export const MAX_REMEMBERED_ANSWER_BYTES = 1_048_576;

/** Milliseconds for one question to one of several lite servers. */
export const QUESTION_DEADLINE_MS = 10_000;

/** What one contradiction may cost: bytes, milliseconds of verifying, and questions from one key block. */
export const MAX_CONFRONT_BYTES = 16_777_216;
export const MAX_CONFRONT_CPU_MS = 5_000;
export const MAX_CONFRONT_QUESTIONS = 3;

/** Answers with less than they could have, in a row, after which another server is asked. */
export const MAX_SHORT_ANSWERS = 3;

/** Seconds by which a proven head may be ahead of the clock, and the servers' clocks differ from it. */
export const MAX_CLOCK_SKEW_SECONDS = 30;

/** Bytes of a comment. Wallets write far less; one cell has 123, so honest ones have nine cells at most. */
export const MAX_COMMENT_BYTES = 1024;

/** Seconds after which a head is stale. Source: ton `lite-client/lite-client.cpp`, which warns from there on. */
export const MAX_HEAD_AGE_SECONDS = 60;

/** Servers beside the first that must name the same head where the start is older than its set's stakes. */
export const STALE_START_WITNESSES = 2;

/** Blocks by which a head is before the place where a follower goes on, from which on that is told at once. */
export const FAR_BEHIND_BLOCKS = 100;

/** Seconds between two blocks whose signatures are checked while a chain is followed; those between are named by hash. */
export const SIGN_EVERY_SECONDS = 5;

/** Blocks from one whose signatures are checked to the next, at most: so many headers are held at a time. */
export const MAX_FOLLOW_HOP = 256;
