/** Messages that all carry one big body: what copying it costs has an end. Takes seconds, and so is not run for mutants. */
import { Address, beginCell, Dictionary, storeMessage } from '@ton/core';
import { expect, it } from 'vitest';
import { MAX_BOC_CELLS } from '../../../src/core/base/limits.ts';
import { verifyHistory } from '../../../src/core/facts/history.ts';
import { messagesOf } from '../../../src/core/facts/messages.ts';
import { bocOf } from '../../helpers/cells.ts';
import { isFull } from '../../helpers/share.ts';

it('bodies that stand in their messages are copied up to so many cells together, whatever they share', () => {
  const account = { workchain: 0, address: new Uint8Array(32).fill(0x11) };
  const depth = 500;
  let big = beginCell().endCell();
  for (let k = 1; k < depth; k++) big = beginCell().storeUint(k, 32).storeRef(big).endCell();
  const message = beginCell()
    .store(
      storeMessage({
        info: { type: 'external-out', src: new Address(0, Buffer.from(account.address)), createdLt: 1n, createdAt: 1 },
        body: beginCell().storeRef(big).endCell(),
      }),
    )
    .endCell();
  const all = (count: number) => {
    const out = Dictionary.empty(Dictionary.Keys.Uint(15), Dictionary.Values.Cell());
    for (let k = 0; k < count; k++) out.set(k, message);
    const transaction = beginCell()
      .storeUint(7, 4)
      .storeBuffer(Buffer.from(account.address))
      .storeUint(9, 64)
      .storeUint(0, 256 + 64)
      .storeUint(1_700_000_000, 32)
      .storeUint(count, 15)
      .storeUint(0b1010, 4)
      .storeRef(beginCell().storeBit(false).storeDict(out).endCell())
      .storeUint(0, 5)
      .storeRef(beginCell().storeUint(0x72, 8).storeUint(1, 256).storeUint(2, 256).endCell())
      .storeRef(beginCell().storeUint(1, 4).storeUint(0, 6).endCell())
      .endCell();
    const start = { account, lt: 9n, hash: Uint8Array.from(transaction.hash()) };
    return messagesOf(verifyHistory([{ transactions: bocOf(transaction) }], start)[0]!);
  };
  const most = Math.floor(MAX_BOC_CELLS / (depth + 1));
  if (isFull) expect(all(most)).toHaveLength(most); // the place of the refusal below says it too: all before it were copied
  const refused = expect.objectContaining({ code: 'decode/too-large', path: `out_msgs[${most}]` });
  expect(() => all(most + 1)).toThrow(refused);
});
