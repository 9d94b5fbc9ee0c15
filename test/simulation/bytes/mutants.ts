/** Faults that only worlds of bytes can notice, put back by hand in what judges proofs; beside those of live code, in `../mutants.ts`. */
import type { Mutant } from '../mutants.ts';

export const BYTE_MUTANTS: readonly Mutant[] = [
  {
    rule: 'a signer counts once',
    breaks: 'the weight of a validator counts as often as it signs',
    patches: [
      {
        file: 'src/core/verify/weights.ts',
        find: "return repeated.has(position) ? 'duplicate-signer' : undefined;",
        put: 'return undefined;',
      },
    ],
    noticed: 'honest-servers',
  },
  {
    rule: 'more than two thirds have to sign',
    breaks: 'one validator is enough',
    patches: [
      {
        file: 'src/core/verify/weights.ts',
        find: 'return signed * threshold.den > total * threshold.num;',
        put: 'return signed > 0n;',
      },
    ],
    noticed: 'honest-servers',
  },
  {
    rule: 'signatures are those of the block',
    breaks: 'a signature that is not good counts',
    patches: [
      {
        file: 'src/core/verify/check-signatures.ts',
        find: "answers[at] === true ? 'valid' : 'bad-signature'",
        put: "answers[at] !== undefined ? 'valid' : 'bad-signature'",
      },
    ],
    noticed: 'honest-chain',
  },
];
