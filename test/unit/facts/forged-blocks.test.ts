/** Ways to pass something off as a proven block or fact, or to change one after it was proven. */
import { describe, expect, it } from 'vitest';
import { certificateToBoc, parseCertificate } from '../../../src/core/certificate/parse.ts';
import { verifyCertificate } from '../../../src/core/certificate/verify.ts';
import { accountDataOf, verifyAccount } from '../../../src/core/facts/account-state.ts';
import { verifyBlockTransactions } from '../../../src/core/facts/block-list.ts';
import { verifyConfig } from '../../../src/core/facts/config-param.ts';
import { verifyLibrary } from '../../../src/core/facts/library.ts';
import { messagesOf } from '../../../src/core/facts/messages.ts';
import { assumeFinal, type ProvenBlock } from '../../../src/core/facts/proven-block.ts';
import { verifyOlderBlock, verifyShardBlock, verifyShardTop } from '../../../src/core/facts/shard-top.ts';
import { requireSuccess, verifyTransaction } from '../../../src/core/facts/transaction.ts';
import { liveCertificate } from '../../helpers/certificates.ts';
import { accountOf, blockId, bytesOf, caseNamed, LIVE } from '../../helpers/inclusion.ts';

const JETTON = caseNamed('transaction/mainnet-2026-05-jetton-notification-1');
const request = { account: accountOf(JETTON.request!.account!), lt: BigInt(JETTON.request!.lt!) };
const answer = () => ({ proof: bytesOf(JETTON, 'proof'), transaction: bytesOf(JETTON, 'transaction') });
const block = assumeFinal(blockId(JETTON.trusted));

const codeOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
  return 'taken';
};

/** Everything that looks like a proven block and is none. */
const LOOKALIKES: readonly (readonly [string, unknown])[] = [
  ['a copy', { ...block }],
  ['a clone', structuredClone(block)],
  ['what inherits from one', Object.create(block)],
  ['a proxy of one', new Proxy(block, {})],
  ['an id', block.id],
  ['one that claims every symbol', new Proxy({ ...block }, { get: (own, name) => Reflect.get(own, name) ?? true })],
  ['one with another prototype', Object.setPrototypeOf({ ...block, provenance: { kind: 'final' } }, block)],
  ['JSON of one', JSON.parse(JSON.stringify(block, (_, value) => (typeof value === 'bigint' ? String(value) : value)))],
  ['nothing', undefined],
  ['null', null],
  ['a function', () => block],
];

describe('a proven block', () => {
  it.each(LOOKALIKES)('is not %s, whatever is asked under it', (_, lookalike) => {
    const under = lookalike as ProvenBlock;
    const none = new Uint8Array(0);
    const asks = [
      () => verifyTransaction(answer(), under, request),
      () => verifyAccount({ proof: none }, under, request.account),
      () => verifyBlockTransactions({ proof: none }, under),
      () => verifyConfig({ configProof: none }, under, 34),
      () => verifyLibrary({ stateProof: none, dataProof: none }, under, new Uint8Array(32)),
      () => verifyShardTop({ shardProof: none }, under, request.account),
      () => verifyShardBlock({}, under),
      () => verifyOlderBlock(none, under),
    ];
    for (const ask of asks) expect(codeOf(ask)).toBe('trust/unproven-block');
  });

  it('cannot be written to, and what is written into its bytes changes nothing', () => {
    const own = assumeFinal(blockId(JETTON.trusted));
    expect(() => Object.assign(own, { provenance: { kind: 'final' } })).toThrow(TypeError);
    expect(() => Object.assign(own.path[0]!, { by: 'signatures' })).toThrow(TypeError);
    expect(() => Object.assign(own.provenance, { kind: 'final' })).toThrow(TypeError);
    own.id.rootHash.fill(0);
    own.path[0]!.block.rootHash.fill(0);
    own.masterchain.fileHash.fill(0);
    const fact = verifyTransaction(answer(), own, request);
    expect(fact).toMatchObject({ found: true, block: blockId(JETTON.trusted), provenance: { kind: 'assumed' } });
  });

  it('is made of an id that is read once', () => {
    let reads = 0;
    const id = {
      ...blockId(JETTON.trusted),
      get rootHash() {
        return reads++ === 0 ? blockId(JETTON.trusted).rootHash : new Uint8Array(32);
      },
    };
    expect(verifyTransaction(answer(), assumeFinal(id), request).found).toBe(true);
    expect(reads).toBeLessThanOrEqual(2);
  });
});

describe('a proven fact', () => {
  it('is not a copy of one', () => {
    const fact = verifyTransaction(answer(), block, request);
    if (!fact.found) throw new Error('expected a transaction');
    for (const other of [{ ...fact }, Object.create(fact), new Proxy(fact, {})]) {
      expect(codeOf(() => messagesOf(other))).toBe('trust/unproven-block');
      expect(codeOf(() => requireSuccess(other))).toBe('trust/unproven-block');
    }
    expect(codeOf(() => accountDataOf({ ...fact, found: true } as never))).toBe('trust/unproven-block');
  });

  it('keeps what was proven when the bytes of the answer and of the question change afterwards', () => {
    const given = { proof: Buffer.from(answer().proof), transaction: Buffer.from(answer().transaction) };
    const asked = { account: { workchain: 0, address: Buffer.from(request.account.address) }, lt: request.lt };
    const fact = verifyTransaction(given, block, asked);
    if (!fact.found) throw new Error('expected a transaction');
    const before = messagesOf(fact).map(({ hash }) => Buffer.from(hash).toString('hex'));
    given.proof.fill(0);
    given.transaction.fill(0);
    asked.account.address.fill(0);
    expect(messagesOf(fact).map(({ hash }) => Buffer.from(hash).toString('hex'))).toEqual(before);
    expect(fact.account.address).toEqual(request.account.address);
  });

  it('is of bytes that were copied before they were looked at: another thread may write to shared ones', () => {
    const shared = new Uint8Array(new SharedArrayBuffer(answer().proof.length));
    shared.set(answer().proof);
    const fact = verifyTransaction({ ...answer(), proof: shared }, block, request);
    shared.fill(0);
    expect(fact.found).toBe(true);
    if (fact.found) expect(messagesOf(fact)).toHaveLength(3);
  });
});

describe('a certificate', () => {
  it('is the one that was read, whatever becomes of its bytes or of a copy of it', () => {
    const bytes = Buffer.from(certificateToBoc(liveCertificate()));
    const certificate = parseCertificate(bytes);
    bytes.fill(0);
    certificate.anchor.rootHash.fill(0);
    certificate.id.fill(0);
    certificateToBoc(certificate).fill(0);
    const opts = { anchor: LIVE.zerostate };
    for (const other of [{ ...certificate }, Object.create(certificate), new Proxy(certificate, {})]) {
      expect(codeOf(() => verifyCertificate(other, opts))).toBe('cert/version');
    }
    expect(verifyCertificate(certificate, opts).verdict).toEqual({ status: 'final' });
    expect(codeOf(() => verifyCertificate(certificate, { anchor: certificate.anchor }))).toBe('cert/anchor');
  });
});
