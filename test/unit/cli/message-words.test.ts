import { expect, it, vi } from 'vitest';
import { messageWords } from '../../../src/app/cli/commands/prove.ts';
import { parseSingleRoot } from '../../../src/core/cells/boc.ts';
import type { MessageFact } from '../../../src/core/facts/messages.ts';
import { messagesOf } from '../../../src/core/facts/messages.ts';
import { assumeFinal } from '../../../src/core/facts/proven-block.ts';
import { verifyTransaction } from '../../../src/core/facts/transaction.ts';
import { beginCell, bocOf } from '../../helpers/cells.ts';
import { accountOf, blockId, bytesOf, caseNamed } from '../../helpers/inclusion.ts';

const JETTON = caseNamed('transaction/mainnet-2026-05-jetton-notification-1');
const [proof, transaction] = [bytesOf(JETTON, 'proof'), bytesOf(JETTON, 'transaction')];
const asked = { account: accountOf(JETTON.request!.account!), lt: BigInt(JETTON.request!.lt!) };
const fact = verifyTransaction({ proof, transaction }, assumeFinal(blockId(JETTON.trusted)), asked);
const [incoming] = fact.found ? messagesOf(fact) : [];

const NOTIFICATION = 0x7362d09c;

/** The message that came in, with another body. */
function withBody(body: ReturnType<typeof beginCell>): MessageFact {
  return { ...incoming!, opcode: NOTIFICATION, body: parseSingleRoot(bocOf(body.endCell())) } as MessageFact;
}
const start = () => beginCell().storeUint(NOTIFICATION, 32);

it('a message that brings jettons says so', async () => {
  const whole = start().storeUint(7, 64).storeCoins(5).storeUint(0, 2);
  const words = (await messageWords(withBody(whole))).join('\n');
  expect(words).toMatch(/jettons +5 from .*query 7\n.*only from the wallet that you know/);
});

it('a message whose body only starts as a notification of jettons is told all the same, and that it is none', async () => {
  const written: string[] = [];
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((text, done) => {
    written.push(String(text));
    (done as unknown as () => void)(); // it is called without an encoding
    return true;
  });
  const rows = await messageWords(withBody(start()));
  spy.mockRestore();
  expect(rows.join('\n')).toMatch(/opcode +7362d09c/);
  expect(rows.join('\n')).not.toContain('jettons');
  expect(written.join('')).toContain('starts like a jetton notification but is not valid');
});
