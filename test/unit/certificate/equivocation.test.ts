/** Where two certificates part: who signed both sides, under the set that both sides still have in common. */
import { describe, expect, it } from 'vitest';
import { buildCertificate } from '../../../src/core/certificate/build.ts';
import { findEquivocation } from '../../../src/core/certificate/equivocation.ts';
import { checkpointFromKeyBlock } from '../../../src/core/chain/checkpoint.ts';
import { signedMessage } from '../../../src/core/message/signed-message.ts';
import { certificateUnder, keyStep } from '../../helpers/certificates.ts';
import { entryOf } from '../../helpers/make-block.ts';
import {
  type Committee,
  committee,
  configCell,
  headerProof,
  type MadeBlock,
  makeBlock,
  signBlock,
} from '../../helpers/make-chain.ts';
import { networkOf } from '../../helpers/networks.ts';

const [common, left, right] = ['common', 'left', 'right'].map((name) => committee(name, [10n, 20n, 30n])) as [
  Committee,
  Committee,
  Committee,
];
const { zerostate: zero, checkpoint } = networkOf(common);
const anchor = zero.id;

const keyBlock = (elected: Committee, genUtime = 1_500_000) =>
  makeBlock({ seqno: 3, signedBy: common, prevKeyBlockSeqno: 0, genUtime, config: configCell({ elected }) });
const certified = (block: MadeBlock, keys: readonly MadeBlock[] = []) =>
  certificateUnder(checkpoint, block, { proofs: keys.map(keyStep) });
const refusal = (message: string) =>
  expect.objectContaining({ code: 'cert/equivocation', message: expect.stringContaining(message) });
const keys = (signers: readonly Uint8Array[]) => signers.map((key) => Buffer.from(key).toString('hex'));
const keysOf = ({ signers }: Committee, places: readonly number[]) =>
  keys(places.map((place) => signers[place]!.publicKey));

describe('a fork at a key block with two next sets', () => {
  const [one, other] = [keyBlock(left), keyBlock(right, 1_500_001)];
  const behind = (key: MadeBlock, signedBy: Committee, seqno = 5) =>
    certified(makeBlock({ seqno, signedBy, prevKeyBlockSeqno: 3, genUtime: 1_500_010 }), [key]);

  it('is shown at the key blocks, with those of the common set who signed both', () => {
    for (const seqno of [5, 6]) {
      const found = findEquivocation(behind(one, left), behind(other, right, seqno), { anchor });
      expect(found.blocks.map(({ rootHash }) => rootHash)).toEqual([one.id.rootHash, other.id.rootHash]);
      expect(keys(found.signers)).toEqual(keysOf(common, [1, 2]));
      expect([found.jointWeight, found.totalWeight]).toEqual([50n, 60n]);
    }
  });

  it('is shown behind key blocks that both have, by the set that those brought', () => {
    const two = makeBlock({ seqno: 5, signedBy: left, prevKeyBlockSeqno: 3, genUtime: 1_500_020 });
    const found = findEquivocation(behind(one, left), certified(two, [one]), { anchor });
    expect(found.blocks[1]).toEqual(two.id);
    expect(keys(found.signers)).toEqual(keysOf(left, [1, 2]));
    const from = checkpointFromKeyBlock(one.boc, one.id);
    expect(findEquivocation(behind(one, left), certified(two, [one]), { checkpoint: from })).toEqual(found);
  });

  it('is shown where one side passes over the key block of the other', () => {
    const past = certified(makeBlock({ seqno: 5, signedBy: common, prevKeyBlockSeqno: 0 }));
    for (const [a, b] of [
      [behind(one, left), past],
      [past, behind(one, left)],
    ] as const) {
      const found = findEquivocation(a, b, { anchor });
      expect(new Set(found.blocks.map(({ seqno }) => seqno))).toEqual(new Set([3, 5]));
      expect(keys(found.signers)).toEqual(keysOf(common, [1, 2]));
    }
  });
});

describe('one slot of one Simplex session', () => {
  const [five, six] = [5, 6].map((seqno) => makeBlock({ seqno, signedBy: common, prevKeyBlockSeqno: 0 })) as [
    MadeBlock,
    MadeBlock,
  ];

  const SLOT = 42;
  const signed = (block: MadeBlock, change: object) => {
    const unsigned = { ...signBlock(block, common, 'simplex'), slot: SLOT, ...change };
    const message = signedMessage(unsigned);
    const signatures = common.signers.slice(1).map((signer) => entryOf(signer, message));
    return buildCertificate({ checkpoint, signatures: { ...unsigned, signatures }, headerProof: headerProof(block) });
  };

  it('with two candidates is one, though their blocks have different numbers', () => {
    const found = findEquivocation(signed(five, {}), signed(six, {}), { anchor });
    expect(found.blocks).toEqual([five.id, six.id]);
    expect([found.jointWeight, found.totalWeight]).toEqual([50n, 60n]);
  });

  it('is none with one candidate, and no two slots or sessions are', () => {
    const here = signed(five, {});
    expect(() => findEquivocation(here, signed(five, {}), { anchor })).toThrow(refusal('one block'));
    for (const change of [{ slot: SLOT + 1 }, { sessionId: new Uint8Array(32) }]) {
      expect(() => findEquivocation(here, signed(six, change), { anchor })).toThrow(refusal('seqno differs'));
      expect(() => findEquivocation(here, signed(five, change), { anchor })).toThrow(refusal('one block'));
    }
    expect(() => findEquivocation(here, certified(six), { anchor })).toThrow(refusal('seqno differs'));
  });
});

describe('two places of one history', () => {
  it('are no contradiction: before a key block, at it, and behind it', () => {
    const key = keyBlock(left);
    const all = [
      certified(makeBlock({ seqno: 2, signedBy: common, prevKeyBlockSeqno: 0 })),
      certified(key),
      certified(makeBlock({ seqno: 5, signedBy: left, prevKeyBlockSeqno: 3 }), [key]),
    ];
    for (const [k, a] of all.entries()) {
      for (const [n, b] of all.entries()) {
        const reason = k === n ? 'one block' : 'seqno differs';
        expect(() => findEquivocation(a, b, { anchor })).toThrow(refusal(reason));
      }
    }
  });
});
