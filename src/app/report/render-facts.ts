/** Renders facts and certificates as text: first what is proven, then the blocks up to the trusted one. */
import { encodeHex } from '../../core/base/bytes.ts';
import { FINALITY_THRESHOLD } from '../../core/base/limits.ts';
import { type BlockIdExt, formatBlockId } from '../../core/block/block-id.ts';
import type { Cell } from '../../core/cells/cell.ts';
import { forEachEntry } from '../../core/cells/dictionary.ts';
import { Slice } from '../../core/cells/slice.ts';
import type { CertifiedFact } from '../../core/certificate/judge-fact.ts';
import type { CertificateReport, OldestSet } from '../../core/certificate/verify.ts';
import type { SignedSummary } from '../../core/certificate/walk-steps.ts';
import type { KeyBlock } from '../../core/chain/key-blocks.ts';
import { formatAccountId } from '../../core/facts/account-id.ts';
import type { MessageAddress } from '../../core/facts/addresses.ts';
import { type Currency, readVarUint } from '../../core/facts/currency.ts';
import type { JettonNotification } from '../../core/facts/jetton.ts';
import type { MessageFact } from '../../core/facts/messages.ts';
import type { TransactionOutcome } from '../../core/facts/outcome.ts';
import type { BlockProvenance, FactBase, ProofStep } from '../../core/facts/proven-block.ts';
import type { TransactionFact } from '../../core/facts/transaction.ts';
import { requiredWeight } from '../../core/verify/weights.ts';
import { isoTime, percentOf, wideRow, wideRows } from './layout.ts';

const NANO = 1_000_000_000n;

/** Nanotons as tons, with all digits. */
function tons(nano: bigint): string {
  const fraction = (nano % NANO).toString().padStart(9, '0').replace(/0+$/, '');
  return `${nano / NANO}${fraction === '' ? '' : `.${fraction}`} TON`;
}

/** Most currencies that are shown one by one. */
const MAX_CURRENCIES = 8;

/** HashmapE 32 (VarUInteger 32) of other currencies; its hash if the proof omits some of them, or there are many. */
function otherCurrencies(other: Cell): string {
  const shown: string[] = [];
  try {
    forEachEntry(new Slice(other, 'other'), 32, MAX_CURRENCIES, (id, slice) => {
      shown.push(`${readVarUint(slice, 5)} of currency ${id}`);
    });
    return shown.join(', ');
  } catch {
    return `other currencies, ${encodeHex(other.hash(0))}`;
  }
}

/** An amount with all its currencies. */
function amount({ grams, other }: Currency): string {
  return other === undefined ? tons(grams) : `${tons(grams)}, ${otherCurrencies(other)}`;
}

function addressWords(address: MessageAddress): string {
  if (address.kind === 'none') return 'nobody';
  const anycast = 'anycast' in address ? `, its first ${address.anycast?.bitLength} bits rewritten (anycast)` : '';
  if ('account' in address) return `${formatAccountId(address.account)}${anycast}`;
  const { bytes, bitLength } = address.bits;
  const where = address.kind === 'variable' ? ` in workchain ${address.workchain}` : '';
  return `${address.kind} address of ${bitLength} bits${where}, ${encodeHex(bytes)}${anycast}`;
}

function outcomeWords({ type, success, aborted, compute, action, bounce }: TransactionOutcome): string {
  const words = [success ? 'succeeded' : 'did not succeed', type];
  if (aborted) words.push('aborted');
  if (compute !== undefined)
    words.push(compute.skipped ? `no code ran (${compute.reason})` : `exit code ${compute.exitCode}`);
  if (action !== undefined && !action.success) words.push(`actions failed with ${action.resultCode}`);
  if (bounce !== undefined) words.push(`bounced (${bounce})`);
  return words.join(', ');
}

function transactionRows({ account, lt, hash, transaction }: TransactionFact): string[] {
  return wideRows({
    account: formatAccountId(account),
    lt: String(lt),
    hash: encodeHex(hash),
    contents: transaction === undefined ? 'not given: its hash is proven' : undefined,
    time: transaction && isoTime(transaction.now),
    outcome: transaction && outcomeWords(transaction.outcome),
  });
}

/** The rows of one message. */
export function messageRows(message: MessageFact, jetton?: JettonNotification): string[] {
  const way = message.direction === 'in' ? 'came in' : `went out, number ${message.index}`;
  const internal = message.kind === 'internal' ? message : undefined;
  return wideRows({
    message: `${way}, ${message.kind}`,
    hash: encodeHex(message.hash),
    from: addressWords(message.source),
    to: addressWords(message.destination),
    value: internal && amount(internal.value),
    bounced: internal?.bounced ? 'yes: not a payment' : undefined,
    opcode: message.opcode?.toString(16).padStart(8, '0'),
    'body hash': encodeHex(message.bodyHash),
    jettons: jetton && `${jetton.amount} from ${addressWords(jetton.sender)}, query ${jetton.queryId}`,
    '': jetton && 'anyone can send such a message: it counts only from the wallet that you know',
  });
}

/**
 * Renders what is proven: the first line and its rows. A part that nothing proves is called unproven.
 * @param rows of the message, if more is known of it
 */
export function factLines(fact: CertifiedFact, rows?: readonly string[]): string[] {
  const proven = fact.provenance.kind === 'assumed' ? 'UNPROVEN' : 'PROVEN';
  const lines = (words: string, values: Parameters<typeof wideRows>[0] = {}) => [
    `${proven} ${words}`,
    ...wideRows(values),
  ];
  switch (fact.kind) {
    case 'shard-block':
      return lines('block of a shard', { block: formatBlockId(fact.block) });
    case 'message': {
      const own = rows ?? messageRows(fact.message);
      return [...lines('message'), ...own, 'of the transaction', ...transactionRows(fact.transaction)];
    }
    case 'transaction': {
      if (fact.found) return [...lines('transaction'), ...transactionRows(fact)];
      const account = formatAccountId(fact.account);
      return lines(`ABSENT: no such transaction (${fact.reason})`, { account, lt: String(fact.lt) });
    }
    case 'account': {
      const account = formatAccountId(fact.account);
      if (!fact.found) return lines(`ABSENT: no such account (${fact.reason})`, { account });
      return lines('account', {
        account,
        balance: amount(fact.balance),
        'state hash': encodeHex(fact.accountHash),
        last: `lt ${fact.lastTransLt}, ${encodeHex(fact.lastTransHash)}`,
      });
    }
    case 'config':
      if (!fact.found) return lines(`ABSENT: no configuration parameter ${fact.param}`);
      return lines('configuration parameter', { number: String(fact.param), hash: encodeHex(fact.hash) });
    default:
      return lines(fact.found ? 'library' : 'ABSENT: no such library', { hash: encodeHex(fact.hash) });
  }
}

const STEP_WORDS: Readonly<Record<ProofStep['by'], string>> = {
  assumed: 'taken on trust, not proven',
  checkpoint: 'the key block of the checkpoint',
  signatures: 'final by signatures',
  'back-link': 'listed as an earlier block in the state of the one above it',
  listed: 'listed by the block above it',
  precedes: 'the block before the one above it',
};

function blockLine(block: BlockIdExt, genUtime: number | undefined): string {
  return `${formatBlockId(block)}${genUtime === undefined ? '' : `, ${isoTime(genUtime)}`}`;
}

function stepLines(place: string, { block, genUtime, by }: ProofStep): string[] {
  return [`${place} ${blockLine(block, genUtime)}`, wideRow('', STEP_WORDS[by])];
}

/** Says by how much signatures exceed the required weight. */
function weightWords(signedWeight: bigint, totalWeight: bigint): string {
  const margin = signedWeight - requiredWeight(totalWeight, FINALITY_THRESHOLD);
  return `${percentOf(signedWeight, totalWeight)}, ${margin < 0n ? `${-margin} less` : `${margin} more`} than needed`;
}

function provenanceRows(provenance: BlockProvenance): string[] {
  if (provenance.kind === 'assumed')
    return [wideRow('trust', 'this block was not proven final: it was accepted without a proof')];
  const exceptions = provenance.exceptions.join(', ') || undefined;
  if (provenance.kind === 'checkpoint') return wideRows({ anchor: formatBlockId(provenance.anchor), exceptions });
  const { validators, signatures, signedWeight, totalWeight } = provenance;
  const proven = validators.kind === 'proven' ? validators : undefined;
  const origin = validators.kind === 'claimed' ? `only claimed by ${validators.source}` : 'given by the caller';
  return wideRows({
    signatures: `${signatures}, ${signedWeight} of ${totalWeight}, ${weightWords(signedWeight, totalWeight)}`,
    'key block': proven && formatBlockId(proven.keyBlock),
    anchor: proven && formatBlockId(proven.anchor),
    validators: proven === undefined ? origin : undefined,
    exceptions,
  });
}

/** Most key blocks that are shown one by one. If there are more, one line replaces those in the middle. */
const MAX_KEY_BLOCK_LINES = 16;

/** Renders key blocks from the newest to that of the checkpoint. */
function keyBlockLines(keyBlocks: readonly KeyBlock[]): string[] {
  const lines = keyBlocks.map((keyBlock, k) =>
    stepLines('under key block', { ...keyBlock, by: k === 0 ? 'checkpoint' : 'signatures' }),
  );
  if (lines.length > MAX_KEY_BLOCK_LINES) {
    const between = keyBlocks.slice(1, -1);
    const [oldest, newest] = [between[0]!, between.at(-1)!].map(
      ({ block, genUtime }) => `${block.seqno} of ${isoTime(genUtime)}`,
    );
    lines.splice(1, between.length, [
      `under ${between.length} more key blocks, ${newest} down to ${oldest}`,
      wideRow('', 'each final by signatures'),
    ]);
  }
  return lines.reverse().flat();
}

/**
 * Renders the way from the block of a fact up to the trusted block, block by block.
 * @param keyBlocks from the checkpoint on, in order, if they are known
 */
export function pathLines({ path, provenance }: FactBase, keyBlocks: readonly KeyBlock[] = []): string[] {
  const up = [...path].reverse().flatMap((step, k) => stepLines(k === 0 ? 'in block' : 'under block', step));
  const above = keyBlocks.filter(({ block }) => block.seqno < path[0]!.block.seqno); // a path has a first block
  return [...up, ...keyBlockLines(above), ...provenanceRows(provenance)];
}

function marginWords({ kind, signers, validators, signedWeight, totalWeight }: SignedSummary): string {
  return `${kind}, ${signers} of ${validators} validators, ${weightWords(signedWeight, totalWeight)}`;
}

/** Says how old the oldest validator keys are: old keys may have leaked. */
function oldestWords({ keyBlock, utimeUntil, ageSeconds }: OldestSet): string {
  const set = `of key block ${keyBlock.seqno}, elected until ${isoTime(utimeUntil)}`;
  if (ageSeconds === undefined) return set;
  return ageSeconds < 0 ? `${set}, still in office` : `${set}, ${durationWords(ageSeconds)} ago`;
}

function durationWords(seconds: number): string {
  const hours = Math.floor(seconds / 3600);
  return hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`;
}

const VERDICT_WORDS = {
  'self-consistent': 'UNDECIDED: self-consistent, but no anchor or checkpoint was given',
  'stale-set': 'UNDECIDED: the validators are too old to prove a recent block',
} as const;

/** Renders a certificate from its facts up to the anchor. */
export function renderCertificate(report: CertificateReport): string {
  const { verdict, block, genUtime, signed, steps, oldestSet, usedAnchor, skippedSteps, facts, exceptions } = report;
  const head = verdict.status === 'final' ? 'FINAL' : VERDICT_WORDS[verdict.reason];
  const lines = [`${head}: block ${blockLine(block, genUtime)}`, wideRow('signatures', marginWords(signed))];
  for (const fact of facts) {
    lines.push('', ...factLines(fact));
    for (const step of fact.path.slice(1).reverse()) lines.push(...stepLines('in block', step));
  }
  lines.push('', 'up to the trusted block');
  for (const step of [...steps].reverse()) {
    lines.push(`under key block ${blockLine(step.block, step.genUtime)}`);
    if (step.signed !== undefined) lines.push(wideRow('signatures', marginWords(step.signed)));
  }
  const anchors = {
    anchor: 'your anchor',
    checkpoint: 'your checkpoint',
    none: 'the certificate’s own: not yours',
  };
  lines.push(wideRow('anchor', `${anchors[usedAnchor.kind]}, block ${usedAnchor.block.seqno}`));
  lines.push(...wideRows({ exceptions: exceptions?.join(', ') }));
  if (oldestSet !== undefined) lines.push(wideRow('oldest keys', oldestWords(oldestSet)));
  if (skippedSteps > 0) lines.push(wideRow('not used', `${skippedSteps} key blocks before it`));
  return lines.join('\n');
}
