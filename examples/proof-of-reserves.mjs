// Proof of reserves: what a list of accounts held at one final block, or nothing at all.
import { formatAccountId, verifyAccount } from 'ton-finality/facts';

/**
 * @param block a masterchain block, proven, without any exception
 * @param answers [AccountId, liteServer.accountState read by parseLiteAnswer] of every account on the list
 * @returns the sum in nanotons, and what each account held; an account that is proven not to exist holds nothing
 */
export function reserves(block, answers) {
  const { kind, exceptions = [] } = block.provenance;
  if (kind === 'assumed') throw new Error('this block was not proven final');
  if (exceptions.length > 0) throw new Error(`a block that is final only with ${exceptions.join(', ')}`);
  const held = answers.map(([account, answer]) => {
    const fact = verifyAccount(answer, block, account);
    return { account: formatAccountId(account), balance: fact.found ? fact.balance.grams : 0n, at: fact.genUtime };
  });
  if (new Set(held.map(({ account }) => account)).size !== held.length) throw new Error('an account is counted twice');
  const total = held.reduce((sum, { balance }) => sum + balance, 0n);
  return { masterchainSeqno: block.masterchain.seqno, total, held };
}
