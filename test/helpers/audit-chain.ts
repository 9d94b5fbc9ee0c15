/** One little chain with key blocks, in every form in which an audit takes blocks: folders, lines, HTTP. Deterministic. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LiteChain } from './lite-chain.ts';
import { blockIdToAnswer, toAnswer } from './make-block.ts';
import { type MadeBlock, signBlock } from './make-chain.ts';
import type { Chain, Json, RecordedBlock } from './stand-in-chain.ts';

export const FIRST_UTIME = 1_700_000_000;

/** Key blocks at 10, 20, …, each with other validators. */
export function auditChain(length = 45): LiteChain {
  return new LiteChain({ length, firstUtime: FIRST_UTIME, name: 'audit' });
}

/** Simplex signatures, and ordinary ones of every fifth block. */
export function answerOf(block: MadeBlock): Json {
  const { seqno } = block.id;
  return toAnswer(signBlock(block, block.form.signedBy, seqno % 5 === 0 ? 'ordinary' : 'simplex', 3 + (seqno % 2)));
}

export interface Written {
  /** Numbers of blocks without signatures, or without a block file. */
  readonly unsigned?: readonly number[];
  readonly unproven?: readonly number[];
}

/** `NNN.json` and `NNN.boc`. @returns the folder */
export function writeFolder(chain: LiteChain, folder: string, { unsigned = [], unproven = [] }: Written = {}): string {
  mkdirSync(folder, { recursive: true });
  for (const [seqno, block] of chain.blocks) {
    if (!unsigned.includes(seqno)) {
      writeFileSync(join(folder, `${seqno}.json`), JSON.stringify({ ok: true, result: answerOf(block) }));
    }
    if (!unproven.includes(seqno)) writeFileSync(join(folder, `${seqno}.boc`), block.boc);
  }
  return folder;
}

/** One line a block. @returns the file */
export function writeLines(chain: LiteChain, file: string): string {
  const lines = [...chain.blocks.values()].map((block) =>
    JSON.stringify({ answer: answerOf(block), block: Buffer.from(block.boc).toString('base64') }),
  );
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

/** For `startStandIn`: signatures and headers, and nothing that proves them. */
export function httpChain(chain: LiteChain): Chain {
  const init = blockIdToAnswer(chain.zerostateId);
  const blocks = new Map<number, RecordedBlock>();
  for (const [seqno, block] of chain.blocks) {
    const signatures = answerOf(block) as RecordedBlock['signatures']; // an answer has an id
    const header = {
      '@type': 'blocks.header',
      id: signatures.id,
      global_id: -777,
      version: 0,
      flags: 0,
      after_merge: false,
      after_split: false,
      before_split: false,
      want_merge: false,
      want_split: false,
      validator_list_hash_short: block.listHash | 0,
      catchain_seqno: block.catchainSeqno,
      min_ref_mc_seqno: 1,
      is_key_block: block.form.config !== undefined,
      prev_key_block_seqno: block.form.prevKeyBlockSeqno,
      start_lt: '1',
      end_lt: '2',
      gen_utime: block.form.genUtime,
      vert_seqno: 1,
      prev_blocks: [{ ...signatures.id, seqno: seqno - 1 }],
    };
    blocks.set(seqno, { seqno, signatures, header: () => header, validatorsFile: '' });
  }
  return { init, blocks, configParam: () => undefined };
}

/** A folder for one test file, and names in it. */
export function scratch(): {
  readonly folder: string;
  readonly next: (name?: string) => string;
  readonly remove: () => void;
} {
  const folder = mkdtempSync(join(tmpdir(), 'ton-finality-audit-'));
  let made = 0;
  return {
    folder,
    next: (name = 'rows.ndjson') => join(folder, `${made++}-${name}`),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export function text(file: string): string {
  return readFileSync(file, 'utf8');
}
