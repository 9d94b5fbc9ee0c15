/**
 * TL constructor ids of ADNL over TCP, each with its schema line. An id is the CRC-32 of the line; a test recomputes
 * every id. Schemas: ton-blockchain/ton at ca7d6e4, tl/generate/scheme/ton_api.tl and lite_api.tl.
 */

/** tcp.ping random_id:long = tcp.Pong */
export const TCP_PING = 0x4d082b9a;

/** tcp.pong random_id:long = tcp.Pong */
export const TCP_PONG = 0xdc69fb03;

/** tcp.authentificate nonce:bytes = tcp.Message */
export const TCP_AUTHENTIFICATE = 0x445bab12;

/** tcp.authentificationNonce nonce:bytes = tcp.Message */
export const TCP_AUTHENTIFICATION_NONCE = 0xe35d4ab6;

/** tcp.authentificationComplete key:PublicKey signature:bytes = tcp.Message */
export const TCP_AUTHENTIFICATION_COMPLETE = 0xf7ad9ea6;

/** adnl.message.query query_id:int256 query:bytes = adnl.Message */
export const ADNL_MESSAGE_QUERY = 0xb48bf97a;

/** adnl.message.answer query_id:int256 answer:bytes = adnl.Message */
export const ADNL_MESSAGE_ANSWER = 0x0fac8416;

/** liteServer.query data:bytes = Object */
export const LITE_SERVER_QUERY = 0x798c06df;
