/** An account that was deleted: its entry stands, with nothing in it, and servers send that nothing beside the proof. */
import { describe, expect, it } from 'vitest';
import { partsOf } from '../../../src/core/certificate/parse.ts';
import { verifyCertificate } from '../../../src/core/certificate/verify.ts';
import { beginCell, bocOf, merkleProof } from '../../helpers/cells.ts';
import { certificateUnder } from '../../helpers/certificates.ts';
import { bagOf } from '../../helpers/cut-proofs.ts';
import { accountsWith } from '../../helpers/dictionaries.ts';
import { committee, makeBlock, makeState } from '../../helpers/make-chain.ts';
import { networkOf } from '../../helpers/networks.ts';

const setters = committee('setters');
const address = new Uint8Array(32).fill(0x55);
const account = { workchain: -1, address };
const none = beginCell().storeBit(false).endCell();
const accounts = accountsWith([{ account, cell: none }]);
const { config, zerostate, checkpoint } = networkOf(setters);
const state = makeState({ seqno: 1, config, accounts });
const block = makeBlock({ seqno: 1, signedBy: setters, prevKeyBlockSeqno: 0, state });
const certified = (bag: Uint8Array) =>
  certificateUnder(checkpoint, block, {
    facts: [
      {
        kind: 'account',
        account,
        answer: { proof: bagOf(merkleProof(block.root), merkleProof(state)), state: bag },
      },
    ],
  });

describe('an account that was deleted', () => {
  it('is certified as absent, with or without the nothing that servers send', () => {
    const bare = certified(new Uint8Array(0));
    const given = certified(bocOf(none));
    expect(given.id).toEqual(bare.id);
    expect(partsOf(given).parts.facts).toMatchObject([{ kind: 'absent-account', contents: undefined }]);
    expect(verifyCertificate(given, { anchor: zerostate.id }).facts).toMatchObject([
      { found: false, reason: 'deleted' },
    ]);
  });

  it('is not with anything else beside the proof', () => {
    for (const other of [
      beginCell().storeBit(true).endCell(),
      beginCell().storeUint(0, 2).endCell(),
      beginCell().storeBit(false).storeRef(none).endCell(),
    ]) {
      expect(() => certified(bocOf(other))).toThrow(expect.objectContaining({ code: 'cert/claim' }));
    }
  });
});
