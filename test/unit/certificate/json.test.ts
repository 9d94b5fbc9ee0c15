/** What the JSON of a certificate says of its facts. */
import { describe, expect, it } from 'vitest';
import { certificateToJson } from '../../../src/core/certificate/json.ts';
import { verifyCertificate } from '../../../src/core/certificate/verify.ts';
import { liveCertificate } from '../../helpers/certificates.ts';
import { LIVE } from '../../helpers/inclusion.ts';

interface FactClaim {
  readonly kind: string;
  readonly block: { readonly workchain: number; readonly seqno: number };
  readonly genUtime?: number;
  readonly path?: readonly object[];
  readonly success?: boolean;
}

describe('a fact in the JSON of a certificate', () => {
  const certificate = liveCertificate();
  const report = verifyCertificate(certificate, { anchor: LIVE.zerostate });
  const { claims } = certificateToJson(certificate) as { claims: { facts: FactClaim[]; genUtime: number } };
  const told = (JSON.parse(JSON.stringify(report)) as { facts: FactClaim[] }).facts;

  it('is the same in the certificate and in its report', () => {
    expect(told).toEqual(claims.facts);
  });

  it('of the certified block says since when it stands, and no way', () => {
    const inMasterchain = told.filter(({ block }) => block.workchain === -1);
    expect(inMasterchain.length).toBeGreaterThan(5);
    for (const fact of inMasterchain) {
      expect(fact.genUtime).toBe(claims.genUtime);
      expect(fact).not.toHaveProperty('path');
    }
  });

  it('of a shard says the time of its own block, and the way down to that', () => {
    const [inShard, ...more] = told.filter(({ block }) => block.workchain === 0);
    const own = report.facts.find(({ block }) => block.workchain === 0)!;
    expect(more).toEqual([]);
    expect(own.genUtime).toBeTypeOf('number');
    expect(inShard!.genUtime).toBe(own.genUtime);
    expect(inShard!.path).toEqual([{ by: 'listed', block: inShard!.block, genUtime: own.genUtime }]);
  });

  it('of a message or a transaction says whether the transaction succeeded', () => {
    const of = (kind: string) =>
      report.facts.map((fact, k) => [fact, told[k]!] as const).filter(([fact]) => fact.kind === kind);
    const messages = of('message');
    const transactions = of('transaction');
    expect(messages).not.toEqual([]);
    for (const [fact, json] of messages) {
      if (fact.kind !== 'message') throw new Error('expected a message');
      expect(json.success).toBe(fact.transaction.transaction!.outcome.success);
    }
    for (const [fact, json] of transactions) {
      if (fact.kind !== 'transaction') throw new Error('expected a transaction');
      expect(json.success).toBe(fact.found ? fact.transaction?.outcome.success : undefined);
    }
    expect(new Set([...messages, ...transactions].map(([, { success }]) => success))).toContain(true);
  });
});
