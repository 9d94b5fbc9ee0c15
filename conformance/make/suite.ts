/** The whole suite as files: what each flag means, and the cases of each operation in files of a bounded size. */

import { makeBlockHeader } from './block-header.ts';
import { makeBoc } from './boc.ts';
import { type Book, type Case, SUITE_VERSION } from './cases.ts';
import { makeCertificate } from './certificate.ts';
import { makeEd25519 } from './ed25519.ts';
import { makeAccount, makeConfigParam, makeTransaction } from './facts.ts';
import { makeProofChain } from './proof-chain.ts';
import { makeShardLink } from './shard-link.ts';
import { makeSignatures } from './signatures.ts';
import { makeValidatorSet } from './validator-set.ts';

/** Well below the 4 MiB that a file may have. */
const MAX_FILE_BYTES = 3_500_000;

/** What a flag means, and what it costs to get its cases wrong. */
export const FLAGS: Readonly<Record<string, { means: string; cost: 'money lost' | 'bridge halted' | 'crash' }>> = {
  ED25519: {
    means: 'Edges of Ed25519, where libraries disagree with the node and with each other',
    cost: 'money lost',
  },
  SIMPLEX: { means: 'Signatures of the Simplex consensus, in use on mainnet since April 2026', cost: 'bridge halted' },
  THRESHOLD: { means: 'Weights around two thirds', cost: 'money lost' },
  UNSOUND_COUNT: { means: 'Signers who do not count, or do not count twice', cost: 'money lost' },
  WRONG_MESSAGE: { means: 'Good signatures of something else', cost: 'money lost' },
  WRONG_BLOCK: { means: 'A good proof of another block', cost: 'money lost' },
  OVERFLOW: { means: 'Numbers that do not fit where careless code puts them', cost: 'money lost' },
  WRONG_SET: { means: 'Signatures of validators who have no say at that block', cost: 'money lost' },
  PRUNED: { means: 'What a proof leaves out, taken for what is not there', cost: 'money lost' },
  HOSTILE: { means: 'Cells and bags that no honest writer makes', cost: 'crash' },
  RESOURCE: { means: 'A small input that asks for very much work', cost: 'crash' },
  JSON: { means: 'Text that two parsers read in two ways', cost: 'money lost' },
};

/** Who makes the cases of each operation, in the order of the specification. */
export const MAKERS: Readonly<Record<string, () => Book>> = {
  ed25519: makeEd25519,
  signatures: makeSignatures,
  'proof-chain': makeProofChain,
  'block-header': makeBlockHeader,
  'validator-set': makeValidatorSet,
  boc: makeBoc,
  'shard-link': makeShardLink,
  transaction: makeTransaction,
  account: makeAccount,
  'config-param': makeConfigParam,
  certificate: makeCertificate,
};

export interface SuiteFile {
  readonly name: string;
  readonly version: string;
  readonly operation: string;
  readonly notes: Readonly<Record<string, object>>;
  readonly cases: readonly Case[];
}

/** The files of one operation, their cases in the order in which they were made. */
export function filesOf(operation: string, cases: readonly Case[]): readonly SuiteFile[] {
  const parts: Case[][] = [[]];
  let bytes = 0;
  for (const one of cases) {
    const size = Buffer.byteLength(JSON.stringify(one)) + 2;
    if (bytes + size > MAX_FILE_BYTES) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)!.push(one);
    bytes += size;
  }
  return parts.map((part, n) => {
    const used = [...new Set(part.flatMap(({ flags }) => flags))].sort();
    const notes = Object.fromEntries(
      used.map((flag) => {
        const note = FLAGS[flag];
        if (note === undefined) throw new Error(`flag ${flag} is not explained`);
        return [flag, note];
      }),
    );
    const name = parts.length === 1 ? `${operation}.json` : `${operation}-${n + 1}.json`;
    return { name, version: SUITE_VERSION, operation, notes, cases: part };
  });
}
