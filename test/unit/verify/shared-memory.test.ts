/** A set in memory that another thread writes to: apart from what is read once on one thread, since it takes its chances. */
import { describe, expect, it } from 'vitest';
import { FinalityError } from '../../../src/core/base/errors.ts';
import type { BlockIdExt } from '../../../src/core/block/block-id.ts';
import type { SignatureList } from '../../../src/core/block/signature-list.ts';
import { opensslEngine } from '../../../src/core/ed25519/openssl.ts';
import { referenceEngine } from '../../../src/core/ed25519/reference.ts';
import { signedMessage } from '../../../src/core/message/signed-message.ts';
import { verifyBlock } from '../../../src/core/verify/verifier.ts';
import { textOf } from '../../helpers/hostile.ts';
import { candidateWithParent, hashOf, makeBlockId, makeSignedSet } from '../../helpers/make-block.ts';
import { makeSet, makeSigners } from '../../helpers/make-validators.ts';
import { whileWritten } from '../../helpers/meddler.ts';
import { requireHonest } from '../../helpers/require-honest.ts';

const signers = makeSigners([40n, 30n, 20n, 10n]);
const validators = makeSet(signers);
const signed = makeSignedSet('simplex', signers) as Extract<SignatureList, { kind: 'simplex' }>; // made so
const other: BlockIdExt = { ...makeBlockId(1000), rootHash: hashOf('a root nobody signed') };

describe('a set in memory that another thread writes to', () => {
  const shared = (bytes: Uint8Array): Uint8Array => {
    const memory = new Uint8Array(new SharedArrayBuffer(bytes.length));
    memory.set(bytes);
    return memory;
  };

  it.each([opensslEngine, referenceEngine])('is final only for the root that was signed ($name)', async (engine) => {
    const rootHash = shared(signed.blockId.rootHash);
    const candidate = shared(signed.candidate);
    const forged = candidateWithParent(other);
    const turns = engine === referenceEngine ? 20 : 400;
    const ask = () => {
      for (let turn = 0; turn < turns; turn++) {
        requireHonest(signed.blockId, () =>
          verifyBlock({ ...signed, blockId: { ...signed.blockId, rootHash }, candidate }, validators, { engine }),
        );
      }
    };
    await whileWritten(candidate, [signed.candidate, forged], () => ask());
    await whileWritten(rootHash, [signed.blockId.rootHash, other.rootHash], () => {
      candidate.set(signed.candidate);
      ask();
    });
  });

  it('has the message of the block that its candidate named when it was looked at', async () => {
    const candidate = shared(signed.candidate);
    const moved: SignatureList = { ...signed, blockId: other, candidate };
    const message = textOf(signedMessage(signed));
    const seen = { messages: 0, errors: 0 };
    await whileWritten(candidate, [signed.candidate, candidateWithParent(other)], () => {
      for (let turn = 0; turn < 10_000; turn++) {
        try {
          expect(textOf(signedMessage(moved)) === message).toBe(false);
          seen.messages++;
        } catch (error) {
          if (!(error instanceof FinalityError)) throw error;
          seen.errors++;
        }
      }
    });
    expect(seen.errors).toBeGreaterThan(0); // the other thread did write
  });
});
