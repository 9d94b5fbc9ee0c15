/** What is checked comes first, what is trusted second: a call in the other order is refused and told what belongs there. */
import { expect, it } from 'vitest';
import { advanceCheckpoint, MAINNET, verifyBlockProof, verifyStoredProof } from '../../../src/chain.ts';

const block = MAINNET.initBlock;
const bytes = new Uint8Array(5);

it.each([
  ['verifyBlockProof', 'trusted', () => verifyBlockProof(block as never, bytes as never)],
  ['verifyStoredProof', 'checkpoint', () => verifyStoredProof(block as never, bytes as never)],
  ['advanceCheckpoint', 'checkpoint', () => advanceCheckpoint(block as never, { block: bytes } as never)],
])('%s refuses a call with what is trusted in the first place', (_, path, call) => {
  expect(call).toThrow(expect.objectContaining({ code: 'usage/bad-option', path }));
});

it('a walk refuses the option `to`, and names `expect`', () => {
  expect(() => verifyBlockProof(bytes, block, { to: block } as never)).toThrow(
    expect.objectContaining({ code: 'usage/bad-option', path: 'to', hint: expect.stringContaining('expect') }),
  );
});
