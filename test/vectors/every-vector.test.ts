/** Walks `vectors/`. A file that no runner claims fails the suite, so that a vector cannot lie there unread. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { encodeHex } from '../../src/core/base/bytes.ts';
import { FinalityError } from '../../src/core/base/errors.ts';
import { parseSignatureList, type SignatureList } from '../../src/core/block/signature-list.ts';
import { referenceEngine } from '../../src/core/ed25519/reference.ts';
import { signedMessage } from '../../src/core/message/signed-message.ts';
import { parseValidatorSet } from '../../src/core/validators/from-json.ts';
import { verifyBlock } from '../../src/core/verify/verifier.ts';
import { makeVectors, SYNTHETIC_FOLDER, type SyntheticVector } from '../helpers/make-vectors.ts';
import { ED25519_FILES, ROOT, readVector, realCases, VECTORS } from '../helpers/vectors.ts';

const claimed = new Set<string>();
const claim = (file: string): string => {
  claimed.add(file);
  return file;
};

function counts(set: SignatureList, validators: ReturnType<typeof parseValidatorSet>) {
  const { coverage, verdict } = verifyBlock(set, validators);
  const count = (outcome: string) => coverage.signatures.filter((entry) => entry.outcome === outcome).length;
  return {
    signatures: coverage.signatures.length,
    valid: count('valid'),
    invalid: count('bad-signature'),
    unknown_node: count('unknown-signer'),
    main_validators: validators.validators.length,
    signed_weight: coverage.signedWeight.toString(),
    main_weight: coverage.totalWeight.toString(),
    final: verdict.status === 'final',
  };
}

describe('a recorded set', () => {
  it('is one of 60 cases', () => {
    expect(realCases).toHaveLength(60);
    claim('real/index.json');
  });

  it.each(realCases.filter(({ validators_file }) => validators_file !== undefined))(
    'has the counts, weights and verdict of index.json: $id',
    ({ signatures_file, validators_file, expected, kind }) => {
      const set = parseSignatureList(readVector(claim(`real/${signatures_file}`)));
      const validators = parseValidatorSet(readVector(claim(`real/${validators_file}`)));
      expect(set.kind).toBe(kind);
      expect(expected).toMatchObject(counts(set, validators));
    },
  );

  it.each(realCases.filter(({ validators_file }) => validators_file === undefined))(
    'without its validator set still decodes: $id',
    ({ signatures_file, expected, seqno }) => {
      const set = parseSignatureList(readVector(claim(`real/${signatures_file}`)));
      expect(set.signatures).toHaveLength(expected.signatures);
      expect(set.blockId.seqno).toBe(seqno);
    },
  );

  it('gives the same report from the reference engine as from OpenSSL, but for its name', () => {
    for (const id of [
      'mainnet-2026-04-simplex/block-59379986',
      'mainnet-2024-10/block-41089440-old-set',
      'fastnet/block-170606',
    ]) {
      const set = parseSignatureList(readVector(`real/${id}/signatures.json`));
      const validators = parseValidatorSet(readVector(`real/${id}/validators.json`));
      const reference = verifyBlock(set, validators, { engine: referenceEngine });
      expect({ ...reference, engine: '' }).toEqual({ ...verifyBlock(set, validators), engine: '' });
    }
  });

  it('of the first 99 mainnet blocks is final with 68 of 85, each', () => {
    const envelopes = readVector<unknown[]>(claim('real/mainnet-genesis/signatures-1-to-99.json'));
    const validators = parseValidatorSet(readVector(claim('real/mainnet-genesis/validators.json')));
    expect(envelopes).toHaveLength(99);
    for (const [at, envelope] of envelopes.entries()) {
      const set = parseSignatureList(envelope);
      expect(set.blockId.seqno).toBe(at + 1);
      expect(counts(set, validators)).toMatchObject({
        valid: 4,
        invalid: 0,
        unknown_node: 0,
        signed_weight: '68',
        main_weight: '85',
        final: true,
      });
    }
  });
});

interface Reference {
  readonly block_id: Record<string, unknown>;
  readonly config34: { readonly main: number; readonly list: readonly { public_key: string; weight: string }[] };
  readonly cases: readonly {
    readonly name: string;
    readonly type: 'ordinary' | 'simplex';
    readonly message_hex: string;
    readonly signatures: readonly object[];
    readonly result: string;
    readonly signed_weight?: string;
    readonly total_weight?: string;
    readonly session_id?: string;
    readonly slot?: number;
    readonly candidate?: string;
  }[];
}

describe('an independent reference answer', () => {
  const reference = readVector<Reference>(claim('synthetic/reference.json'));
  const validators = parseValidatorSet({ main: reference.config34.main, validators: reference.config34.list });
  const { workchain, shard, seqno, root_hash, file_hash } = reference.block_id;
  const id = { '@type': 'ton.blockIdExt', workchain, shard, seqno, root_hash, file_hash };

  it.each(reference.cases)('is ours too: $name is $result', ({ type, message_hex, signatures, result, ...rest }) => {
    const input =
      type === 'ordinary'
        ? { '@type': 'blocks.blockSignatures', id, signatures }
        : {
            '@type': 'blocks.blockSignatures.simplex',
            id,
            signatures,
            session_id: rest.session_id,
            slot: rest.slot,
            candidate: rest.candidate,
          };
    const set = parseSignatureList(input);
    const codes: Readonly<Record<string, string>> = {
      CANDIDATE_TRAILING_BYTES: 'decode/tl',
      CANDIDATE_UNKNOWN_CONSTRUCTOR: 'decode/tl',
      CANDIDATE_BLOCK_MISMATCH: 'decode/candidate-mismatch',
    };
    if (result in codes) {
      expect(() => verifyBlock(set, validators)).toThrow(expect.objectContaining({ code: codes[result] }));
      return;
    }
    const { verdict, coverage } = verifyBlock(set, validators);
    expect(encodeHex(signedMessage(set))).toBe(message_hex);
    const statuses: Readonly<Record<string, string>> = {
      ok: 'final',
      NOT_ENOUGH_WEIGHT: 'insufficient',
      DUPLICATE_SIGNER: 'rejected',
      UNKNOWN_SIGNER: 'rejected',
      BAD_SIGNATURE: 'rejected',
    };
    expect(verdict.status).toBe(statuses[result]);
    if (rest.signed_weight !== undefined) {
      expect([coverage.signedWeight, coverage.totalWeight].map(String)).toEqual([
        rest.signed_weight,
        rest.total_weight,
      ]);
    }
  });
});

function outcomeOf({ input, validators }: SyntheticVector): SyntheticVector['expect'] {
  try {
    const { verdict, coverage } = verifyBlock(parseSignatureList(input), parseValidatorSet(validators));
    return {
      status: verdict.status,
      ...(verdict.status === 'undecided' ? { reason: verdict.reason } : {}),
      signedWeight: coverage.signedWeight.toString(),
      totalWeight: coverage.totalWeight.toString(),
      outcomes: coverage.signatures.map(({ outcome }) => outcome),
    };
  } catch (error) {
    if (error instanceof FinalityError) return { error: error.code };
    throw error;
  }
}

describe('a synthetic vector of ours', () => {
  const names = readdirSync(`${VECTORS}/${SYNTHETIC_FOLDER}`);

  it.each(names)('says what its name says: %s', (name) => {
    const vector = readVector<SyntheticVector>(claim(`${SYNTHETIC_FOLDER}/${name}`));
    expect(outcomeOf(vector)).toEqual(vector.expect);
  });

  it('is what its source makes, to the last file', () => {
    const made = makeVectors();
    expect(names.sort()).toEqual(Object.keys(made).sort());
    for (const name of names) expect(readVector(`${SYNTHETIC_FOLDER}/${name}`)).toEqual(made[name]);
  });
});

/** Files that other tests read, and which. */
const READ_ELSEWHERE: readonly (readonly [pattern: RegExp, by: string])[] = [
  [/^audit\//, 'test/unit/audit/ledger.test.ts'],
  [/^ed25519\//, 'test/differential/engines.test.ts'],
  [/^http\/|^real\/http\//, 'test/vectors/http-bodies.test.ts'],
  [/^inclusion\//, 'test/vectors/inclusion.test.ts'],
  [/^live\/answers\//, 'test/vectors/inclusion-live.test.ts'],
  [/^real\/chains\.json/, 'test/unit/chain/real-chains.test.ts'],
  [/^live\/bridge-road\.json$/, 'test/real-time/lite/bridge-road.test.ts'],
  [/^live\//, 'test/vectors/live.test.ts'],
  [/^checkpoints\//, 'test/unit/chain/checkpoint-versions.test.ts'],
  [/^examples\//, 'test/vectors/examples.test.ts'],
  [/^real\/config\//, 'test/cli/validators.test.ts'],
  [/^real\/.*\.(boc|tl)$/, 'test/differential/cells.test.ts'],
];
const FOR_PEOPLE = /(^|\/)README\.md$/;

it('every file in vectors/ is read by some test', () => {
  const files = readdirSync(VECTORS, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(VECTORS.length + 1));
  for (const [, by] of READ_ELSEWHERE) expect(existsSync(join(ROOT, by)), by).toBe(true);
  const isRead = (file: string) => claimed.has(file) || READ_ELSEWHERE.some(([pattern]) => pattern.test(file));
  const unread = files.filter((file) => !isRead(file) && !FOR_PEOPLE.test(file));
  expect(unread).toEqual([]);
  expect(files.filter((file) => file.startsWith('ed25519/') && file.endsWith('.json')).sort()).toEqual(
    ED25519_FILES.map((name) => `ed25519/${name}.json`).sort(),
  );
});
