/** Recorded and computed ADNL exchanges. Public ones: tonstack/adnl-rs at f0aae36, src/tests.rs. */
import { fromHex } from '../../helpers/vectors.ts';

/** A whole recorded exchange; the secret of Diffie-Hellman is given, the private keys are not. */
export const RECORDED = {
  random: fromHex(
    'b3d529e34b839a521518447b68343aebaae9314ac95aaacfdb687a2163d1a98638db306b63409ef7bc906b4c9dc115488cf90dfa964f520542c69e1a4a495edf9ae9ee72023203c8b266d552f251e8d724929733428c8e276ab3bd6291367336a6ab8dc3d36243419bd0b742f76691a5dec14edbd50f7c1b58ec961ae45be58cbf6623f3ec9705bd5d227761ec79cee377e2566ff668f863552bddfd6ff3a16b',
  ),
  serverKey: fromHex('2615edec7d5d6538314132321a2615e1ff5550046e0f1165ff59150632d2301f'),
  clientKey: fromHex('67d45a90e775d8f78d9feb9bdd222446e07c3de4a54e29220d18c18c5b340db3'),
  secret: fromHex('1f4d11789a5559b238f7ac8213e112184f16a97593b4a059c878af288a784b79'),
  packet: fromHex(
    'a3fc70bfeff13b04ed4f2581045ff95a385df762eb82ab9902066061c2e6033e67d45a90e775d8f78d9feb9bdd222446e07c3de4a54e29220d18c18c5b340db36c06a61a8eb209b2b4f9d7359d76e3e0722024579d2b8bc920a6506238d6d88d14a880eb99b4996df8a11bb1a7124e39825848c74fc3d7bfab034e71dbc2e2d1606c14db1b04bb25b544a83b47815e9ec0590a9f4dd011b4bae7b01ddb376570d6641919e63933bf297a073b8febfae0c4dd298215e5db929c6764c43502874b7b5af6380fd52d3fd072b7046d6ccadecc771f54b461b5a157fe3e059df9575dc72dfc89e36b26a7cf9a4e7925c96e88d5342c139154c4a6e4e9d683d9373e3a',
  ),
  emptyFrame: fromHex(
    '81e95e433c87c9ad2a716637b3a12644fbfb12dbd02996abc40ed2beb352483d6ecf9e2ad181a5abde4d4146ca3a8524739d3acebb2d7599cc6b81967692a62118997e16',
  ),
  answerFrame: fromHex(
    '4b72a32bf31894cce9ceffd2dd97176e502946524e45e62689bd8c5d31ad53603c5fd3b402771f707cd2747747fad9df52e6c23ceec9fa2ee5b0f68b61c33c7790db03d1c593798a29d716505cea75acdf0e031c25447c55c4d29d32caab29bd5a0787644843bafc04160c92140aab0ecc990927',
  ),
  answerPayload: fromHex(
    '1684ac0f71ff48e9b263959b17a04faae4a23501380d2aa932b09eac6f9846fcbae9bbcb080d0053e9a3ac3062000000',
  ),
  queryFrame: fromHex(
    '250d70d08526791bc2b6278ded7bf2b051afb441b309dda06f76e4419d7c31d4d5baafc4ff71e0ebabe246d4ea19e3e579bd15739c8fc916feaf46ea7a6bc562ed1cf87c9bf4220eb037b9a0b58f663f0474b8a8b18fa24db515e41e4b02e509d8ef261a27ba894cbbecc92e59fc44bf5ff7c8281cb5e900',
  ),
  queryNonce: fromHex('9a5ecd5d9afdfff2823e7520fa1c338f2baf1a21f51e6fdab0491d45a50066f7'),
  queryPayload: fromHex(
    '7af98bb471ff48e9b263959b17a04faae4a23501380d2aa932b09eac6f9846fcbae9bbcb0cdf068c7904345aad16000000000000',
  ),
} as const;

/** All keys known. The server's pair: RSquad/ton-rust-node at 343357f, adnl/tests/test_tcp.rs. */
export const COMPUTED = {
  serverSeed: Uint8Array.from(Buffer.from('3CFeiTSlGkJf3D8w3ZXS4QS+6/0p+MFZGuv0XYMvMRo=', 'base64')),
  serverKey: Uint8Array.from(Buffer.from('BBKmgGAxz4ZofRgMO2qhYt+K1bGlGeowukPONVAkOcU=', 'base64')),
  clientSeed: new Uint8Array(32).fill(1),
  random: Uint8Array.from({ length: 160 }, (_, at) => at),
  keyId: fromHex('d35a711b15e349aca7ea456de4626848c44d14941bb011421b0b5368af2d0d69'),
  u: fromHex('f3310bb851d45b873cc3632150e401bce677664e9aa034810b07aed002f74f2f'),
  clientKey: fromHex('8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c'),
  secret: fromHex('fecd0a94e81d0b384302a3a41ea464dedd14bfef05d27b2db8c402a6fa9c4c37'),
  packetTail: fromHex(
    '448ebbc9e1a31220a2f3830c18eef61b9bd070e5084b7fa2a359fe729184c7191c6a7c4ced29d85f037af400898b938f7ffb8434e12fe81eebaf848eb7639f9f241d44b5998a4ea3c026167913a198a75a13284bd753123365ea4295da9fcda70f7b2194e6ada6d7e5563915fe5b14c442543f377e3e157802129ab2dc6f5530019142a0634e302073f8df70928d078273e918eb46f49257c2dbf7dc8cbdb97389eb613751ef3662435699696cdad8f9aa11f32e257aecc0bbb4db69f0949b9a',
  ),
  emptyFrame: fromHex(
    'e37edf3f975abaef937b62c78d5bb157b0751e93a8ee64418be9bdce50565531e570a3ebcb88dda915ab03b92879fcf83c6b8f22b387f2983ed523d2712add7bdda8a10f',
  ),
  /** The long 0x0102030405060708 on the wire. */
  pingId: fromHex('0807060504030201'),
  pingFrame: fromHex(
    '08ab3ad852f55729908bb4f377f639fb3cca12c3dca04766c92d070f479848969c10240028b1a99e19e6cf749544d5ef67bc674c53b84e7219fe58ac814f63765eebc65c76a9a72dc7b7337f523e1409',
  ),
} as const;
