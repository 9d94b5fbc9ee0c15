/** `ton-finality checkpoint`: makes a trust state from a pinned block, moves it along proofs, prints it. */
import { encodeHex } from '../../base/bytes.ts';
import { UsageError } from '../../base/errors.ts';
import { MASTERCHAIN_SHARD, MASTERCHAIN_WORKCHAIN } from '../../base/limits.ts';
import { advance } from '../../chain/advance.ts';
import { openBlock, readBlock, readHeader } from '../../chain/block-header.ts';
import {
  type Checkpoint,
  checkpointFromKeyBlock,
  checkpointFromZerostate,
  checkpointToJson,
  parseCheckpoint,
  validatorSetAt,
} from '../../chain/checkpoint.ts';
import { type BlockWalk, walkBlockProof } from '../../chain/walk.ts';
import type { BlockIdExt } from '../../decode/block-id.ts';
import { parseSignatureSet } from '../../decode/signature-set.ts';
import { withFileName } from '../input/error-with-file.ts';
import { type OptionTable, type ParsedOptions, parseOptions, readHashOption } from '../input/options.ts';
import { inputName, readBytes, readJson } from '../input/read-file.ts';
import { printJson, printResult } from '../output.ts';
import { writeFileAtomically } from '../write-file.ts';

const CHECKPOINT_USAGE = `usage: ton-finality checkpoint init|advance|show [options]

A checkpoint says which key block is trusted, since which block that you pinned, and carries the proof.

  init --key-block FILE --root-hash HEX --file-hash HEX --out FILE
  init --zerostate FILE --root-hash HEX --file-hash HEX --out FILE
                                    starts from a block that you pin: its whole file, or a Merkle proof that shows
                                    header and configuration (that bears out the root hash only); take the hashes from
                                    a source you trust
  advance --checkpoint FILE --proof FILE.tl --out FILE
                                    moves it along the answer of liteServer.getBlockProof
  advance --checkpoint FILE --key-block FILE --signatures FILE --out FILE
  advance --checkpoint FILE --key-block FILE --stored-proof FILE --out FILE
                                    moves it to the next key block: the block, and getMasterchainBlockSignatures of it,
                                    or the proof that a node stores
  show FILE                         prints it, after proving it again

  --json                            one object: the checkpoint and, for advance, where the proof ended

--out may name the checkpoint itself: it is replaced whole or not at all.
exit code: 0 done, 2 bad input or a proof that does not hold`;

const OPTIONS = {
  'key-block': { type: 'string' },
  zerostate: { type: 'string' },
  'root-hash': { type: 'string' },
  'file-hash': { type: 'string' },
  checkpoint: { type: 'string' },
  proof: { type: 'string' },
  signatures: { type: 'string' },
  'stored-proof': { type: 'string' },
  out: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies OptionTable;

type Options = ParsedOptions<typeof OPTIONS>['values'];
type FileOption = Exclude<keyof Options, 'json' | 'help'>;

function usage(message: string, path?: string): UsageError {
  const hint = 'see ton-finality checkpoint --help';
  return new UsageError('usage/bad-option', message, path === undefined ? { hint } : { path, hint });
}

function required(options: Options, name: FileOption): string {
  const value = options[name];
  if (value === undefined) throw usage(`expected --${name}, got nothing`);
  return value;
}

/** Refuses options that belong to another form of the command: they would be silently without effect. */
function only(options: Options, allowed: readonly FileOption[]): void {
  const known: readonly string[] = [...allowed, 'json', 'help'];
  const surplus = Object.keys(options).find((name) => !known.includes(name));
  if (surplus !== undefined) throw usage('does not belong to this form of the command', `--${surplus}`);
}

/** The pinned id. Its seqno is read from the block, which the root hash pins. */
function pinnedId(options: Options, seqno: number): BlockIdExt {
  return {
    workchain: MASTERCHAIN_WORKCHAIN,
    shard: MASTERCHAIN_SHARD,
    seqno,
    rootHash: readHashOption('root-hash', required(options, 'root-hash')),
    fileHash: readHashOption('file-hash', required(options, 'file-hash')),
  };
}

/** Reads a file and names it in whatever is wrong with it. */
async function readFileAs<T>(file: string, parse: (bytes: Uint8Array) => T): Promise<T> {
  const bytes = await readBytes(file);
  return withFileName(inputName(file), () => parse(bytes));
}

async function readCheckpoint(file: string): Promise<Checkpoint> {
  const json = await readJson(file);
  return withFileName(inputName(file), () => parseCheckpoint(json));
}

/** Standard input can be read once. */
function requireOneStdin(options: Options): void {
  if (Object.values(options).filter((value) => value === '-').length > 1) {
    throw usage('standard input can be only one of the files');
  }
}

async function init(options: Options): Promise<Checkpoint> {
  if (options.zerostate !== undefined) {
    only(options, ['zerostate', 'root-hash', 'file-hash', 'out']);
    const pinned = pinnedId(options, 0);
    return readFileAs(options.zerostate, (boc) => checkpointFromZerostate(boc, pinned));
  }
  only(options, ['key-block', 'root-hash', 'file-hash', 'out']);
  if (options['key-block'] === undefined) throw usage('expected --key-block FILE or --zerostate FILE, got neither');
  const unnumbered = pinnedId(options, 1);
  return readFileAs(options['key-block'], (boc) => {
    const { seqno } = readHeader(readBlock(openBlock(boc, 'block').root, 'block'), 'block');
    return checkpointFromKeyBlock(boc, { ...unnumbered, seqno });
  });
}

async function move(options: Options): Promise<{ checkpoint: Checkpoint; walk?: BlockWalk }> {
  const from = await readCheckpoint(required(options, 'checkpoint'));
  if (options.proof !== undefined) {
    only(options, ['checkpoint', 'proof', 'out']);
    const walk = await readFileAs(options.proof, (tl) => walkBlockProof(from, tl));
    return { checkpoint: walk.checkpoint, walk };
  }
  if (options['key-block'] === undefined) throw usage('expected --proof FILE or --key-block FILE, got neither');
  const block = await readBytes(options['key-block']);
  if (options['stored-proof'] !== undefined) {
    only(options, ['checkpoint', 'key-block', 'stored-proof', 'out']);
    return { checkpoint: advance(from, { block, storedProof: await readBytes(options['stored-proof']) }) };
  }
  only(options, ['checkpoint', 'key-block', 'signatures', 'out']);
  const file = required(options, 'signatures');
  const json = await readJson(file);
  const signatures = withFileName(inputName(file), () => parseSignatureSet(json));
  return { checkpoint: advance(from, { block, signatures }) };
}

function isoTime(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}

function row(name: string, value: string): string {
  return `  ${name.padEnd(11)} ${value}`;
}

/** A checkpoint in a few lines. */
function renderCheckpoint(checkpoint: Checkpoint): string {
  const { keyBlock, anchor, config, globalId, genUtime, configProof } = checkpoint;
  const set = validatorSetAt(checkpoint);
  const block = (id: BlockIdExt) => (id.seqno === 0 ? 'zerostate' : `block ${id.seqno}`);
  return [
    `checkpoint at key block ${keyBlock.seqno}, made ${isoTime(genUtime)}`,
    '',
    row('root hash', encodeHex(keyBlock.rootHash)),
    row('file hash', encodeHex(keyBlock.fileHash)),
    row('proven from', `${block(anchor)}, root hash ${encodeHex(anchor.rootHash)}`),
    row('network', `global id ${globalId}`),
    row(
      'validators',
      `${set.validators.length} of ${config.list.length} sign the masterchain, weight ${set.totalWeight}`,
    ),
    row('elected', `${isoTime(config.utimeSince)} to ${isoTime(config.utimeUntil)}`),
    row('proof', `${configProof.length} bytes`),
  ].join('\n');
}

/** Where a proof ended, and under which coverage. */
function renderWalk({ reports, tip, complete, checkpoint }: BlockWalk): string {
  const lines = reports.map(({ coverage, validators }) => {
    const { blockId, signedWeight, totalWeight } = coverage;
    const by = validators.provenance.kind === 'proven' ? validators.provenance.keyBlock.seqno : '?';
    return `  block ${blockId.seqno} is final: ${signedWeight} of ${totalWeight} signed, set of key block ${by}`;
  });
  if (reports.length === 0)
    lines.push(`  the proof leads nowhere new: the checkpoint stays at ${checkpoint.keyBlock.seqno}`);
  if (tip.seqno > checkpoint.keyBlock.seqno) {
    lines.push(
      `  the proof ends at block ${tip.seqno}; the checkpoint stands at the last key block whose set it shows`,
    );
  }
  if (!complete) lines.push('  the server stopped short of the block it was asked for: ask on from where it ended');
  return lines.join('\n');
}

async function save(options: Options, out: string, checkpoint: Checkpoint, walk?: BlockWalk): Promise<void> {
  const json = checkpointToJson(checkpoint);
  await writeFileAtomically(out, `${JSON.stringify(json, null, 2)}\n`);
  if (options.json === true) {
    const tip = walk === undefined ? {} : { tip: { seqno: walk.tip.seqno, rootHash: encodeHex(walk.tip.rootHash) } };
    await printJson({ ...json, ...tip });
    return;
  }
  if (walk !== undefined) await printResult(`${renderWalk(walk)}\n`);
  await printResult(renderCheckpoint(checkpoint));
}

/** @param words the command line after `checkpoint` @returns the exit code */
export async function checkpointCommand(words: readonly string[]): Promise<number> {
  const { values: options, positionals } = parseOptions(words, OPTIONS);
  if (options.help === true) {
    await printResult(CHECKPOINT_USAGE);
    return 0;
  }
  const [action, ...files] = positionals;
  if (action === 'show') {
    only(options, []);
    const [file, ...surplus] = files;
    if (file === undefined || surplus.length > 0) throw usage(`expected one FILE, got ${files.length}`);
    const checkpoint = await readCheckpoint(file);
    if (options.json === true) await printJson(checkpointToJson(checkpoint));
    else await printResult(renderCheckpoint(checkpoint));
    return 0;
  }
  if (action !== 'init' && action !== 'advance') {
    const got = action === undefined ? 'nothing' : JSON.stringify(action.slice(0, 80));
    throw usage(`expected init, advance or show, got ${got}`);
  }
  if (files.length > 0) throw usage(`expected options only, got ${JSON.stringify(files[0]?.slice(0, 80))}`);
  const out = required(options, 'out');
  requireOneStdin(options);
  const { checkpoint, walk } =
    action === 'init' ? { checkpoint: await init(options), walk: undefined } : await move(options);
  await save(options, out, checkpoint, walk);
  return 0;
}
