/** The certificate of a deposit, accepted as a process without a network does, and with one bit of it changed. */
import { parseCertificate } from '../../src/core/certificate/parse.ts';
import { verifyCertificate } from '../../src/core/certificate/verify.ts';
import { acceptDeposit, type Deposit } from '../../src/core/facts/deposit.ts';
import type { DepositTerms } from '../../src/core/facts/deposit-terms.ts';
import { seededRandom } from './cells.ts';

export function acceptCertificate(bytes: Uint8Array, terms: DepositTerms<string>): Deposit<string> {
  return acceptDeposit(verifyCertificate(parseCertificate(bytes), { checkpoint: terms.checkpoint }), terms);
}

/** All that a deposit says, but for the block under which it was proven, in one line. */
export function said({ key, amount, sender, recipient, vault, transaction }: Deposit<string>): string {
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  const { lt, hash, now } = transaction;
  const accounts = [sender, vault].flatMap(({ workchain, address }) => [workchain, hex(address)]);
  return [hex(key), amount, recipient, lt, hex(hash), now, ...accounts].join();
}

/** What came of so many changes: refused, accepted as what it is, accepted as something else. */
export interface ChangedBits {
  readonly refused: number;
  readonly same: number;
  readonly other: number;
}

export function changeCertificate(
  certificate: Uint8Array,
  times: number,
  terms: DepositTerms<string>,
  seed = 1,
): ChangedBits {
  const truth = said(acceptCertificate(certificate, terms));
  const random = seededRandom(seed);
  const count = { refused: 0, same: 0, other: 0 };
  for (let k = 0; k < times; k++) {
    const own = certificate.slice();
    const at = Math.floor(random() * 8 * own.length);
    own[at >> 3]! ^= 1 << (at & 7);
    try {
      count[said(acceptCertificate(own, terms)) === truth ? 'same' : 'other'] += 1;
    } catch {
      count.refused += 1;
    }
  }
  return count;
}
