/** An account that was deleted: its entry stands, with nothing in it, and servers send that nothing beside the proof. */
import { describe, expect, it } from 'vitest';
import { buildCertificate } from '../../../src/core/certificate/build.ts';
import { partsOf } from '../../../src/core/certificate/parse.ts';
import { verifyCertificate } from '../../../src/core/certificate/verify.ts';
import { checkpointFromZerostate } from '../../../src/core/chain/checkpoint.ts';
import { beginCell, bocOf, merkleProof } from '../../helpers/cells.ts';
import { bagOf } from '../../helpers/cut-proofs.ts';
import {
  committee,
  configCell,
  headerProof,
  makeBlock,
  makeState,
  makeZerostate,
  signBlock,
} from '../../helpers/make-chain.ts';

const setters = committee('setters');
const address = new Uint8Array(32).fill(0x55);
const account = { workchain: -1, address };
const none = beginCell().storeBit(false).endCell();
const label = beginCell().storeUint(0b10, 2).storeUint(256, 9).storeBuffer(Buffer.from(address)).storeUint(0, 10);
const accounts = beginCell()
  .storeBit(true)
  .storeRef(label.storeRef(none).storeUint(1, 256).storeUint(9, 64).endCell())
  .storeUint(0, 10)
  .endCell();
const config = configCell({ elected: setters });
const zero = makeZerostate(config);
const state = makeState({ seqno: 1, config, accounts });
const block = makeBlock({ seqno: 1, signedBy: setters, prevKeyBlockSeqno: 0, state });
const certified = (bag: Uint8Array) =>
  buildCertificate({
    checkpoint: checkpointFromZerostate(zero.boc, zero.id),
    set: signBlock(block),
    headerProof: headerProof(block),
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
    expect(verifyCertificate(given, { anchor: zero.id }).facts).toMatchObject([{ found: false, reason: 'deleted' }]);
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
