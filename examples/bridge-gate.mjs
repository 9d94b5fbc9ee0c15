// A bridge gate: releases on a jetton deposit, and on nothing else. Everything it is shown comes from servers that may lie.
import { jettonNotificationOf, messagesOf, verifyTransaction } from 'ton-finality/facts';

/**
 * @param block the block of the deposit, proven: see blockOfReport, blockOfWalk, verifyShardBlock
 * @param answer liteServer.transactionInfo of the deposit
 * @param gate { vault: AccountId, wallet: AccountId } the contract that takes deposits, and its own jetton wallet, whose state
 *   was proven once to belong to the vault and to the jetton that is accepted
 * @param paid keys of deposits that were released before
 * @returns the deposit to release @throws with the reason why not
 */
export function deposit(block, answer, lt, { vault, wallet }, paid) {
  if (block.provenance.kind === 'assumed') throw new Error('this block was not proven final');
  if ((block.provenance.validators?.kind ?? 'proven') !== 'proven')
    throw new Error('the validator set of this block is not proven');
  if (block.provenance.exceptions?.length > 0) throw new Error(`exceptions: ${block.provenance.exceptions}`);
  const fact = verifyTransaction(answer, block, { account: vault, lt, requireSuccess: true });
  if (!fact.found) throw new Error(`no such transaction: ${fact.reason}`);
  const [incoming] = messagesOf(fact).filter(({ direction }) => direction === 'in');
  const jettons = incoming && jettonNotificationOf(incoming);
  if (jettons === undefined) throw new Error('no jettons came in');
  if (!isAccount(jettons.wallet, wallet))
    throw new Error('not from our own jetton wallet: any account can send such a message');
  const key = `${vault.workchain}:${hex(vault.address)}:${lt}`;
  if (paid.has(key)) throw new Error('paid before');
  paid.add(key);
  return { key, amount: jettons.amount, sender: jettons.sender, masterchainSeqno: fact.masterchain.seqno };
}

const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

function isAccount(address, { workchain, address: bytes }) {
  return (
    address.kind === 'account' && address.account.workchain === workchain && hex(address.account.address) === hex(bytes)
  );
}
