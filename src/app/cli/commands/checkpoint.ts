/** `ton-finality checkpoint`: makes a trust state from a pinned block, moves it along proofs, prints it. */
import { encodeHex } from '../../../core/base/bytes.ts';
import { TrustError, UsageError } from '../../../core/base/errors.ts';
import { MASTERCHAIN_SHARD, MASTERCHAIN_WORKCHAIN, STAKE_HELD_SECONDS } from '../../../core/base/limits.ts';
import type { BlockIdExt } from '../../../core/block/block-id.ts';
import { parseSignatureSet } from '../../../core/block/signature-set.ts';
import { advance } from '../../../core/chain/advance.ts';
import { openBlock, readBlock, readHeader } from '../../../core/chain/block-header.ts';
import {
  type Checkpoint,
  checkpointFromKeyBlock,
  checkpointFromZerostate,
  checkpointToJson,
  parseCheckpoint,
} from '../../../core/chain/checkpoint.ts';
import { type BlockWalk, walkBlockProof } from '../../../core/chain/walk.ts';
import { isoTime } from '../../report/layout.ts';
import { withFileName } from '../input/error-with-file.ts';
import {
  type OptionTable,
  type ParsedOptions,
  parseOptions,
  readHashOption,
  readSecondsOption,
} from '../input/options.ts';
import { inputName, readBytes, readJson } from '../input/read-file.ts';
import { jsonText, printJson, printResult } from '../output.ts';
import { renderCheckpoint, renderWalk, STALE_START } from '../render-checkpoint.ts';
import { requireWritable, writeFileAtomically } from '../write-file.ts';

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
    --now SECONDS                   clock for the age of the set it begins with, in Unix time; default: this machine's
    --accept-stale-start            exception: go on from a set that is past its time; its old keys could have made all of
                                    the proof, so have its end confirmed by somebody else
  show FILE                         prints it, after proving it again

  --json                            one object: the checkpoint and, for advance, where the proof ended

--out may name the checkpoint itself: it is replaced whole or not at all, and never a device, a pipe or a link.
exit code: 0 done, 2 bad input or a proof that does not hold, 4 the set it begins with is past its time, 5 internal error`;

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
  now: { type: 'string' },
  'accept-stale-start': { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies OptionTable;

type Options = ParsedOptions<typeof OPTIONS>['values'];
type FileOption = Exclude<keyof Options, 'json' | 'help' | 'now' | 'accept-stale-start'>;

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
function only(options: Options, allowed: readonly (keyof Options)[]): void {
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

interface Moved {
  readonly checkpoint: Checkpoint;
  readonly startIsStale: boolean | undefined;
  readonly walk?: BlockWalk;
}

const CLOCK = ['now', 'accept-stale-start'] as const;

async function move(options: Options, from: Checkpoint, nowSeconds: number): Promise<Moved> {
  const clock = { nowSeconds, acceptStaleStart: options['accept-stale-start'] === true };
  if (options.proof !== undefined) {
    only(options, ['checkpoint', 'proof', 'out', ...CLOCK]);
    const walk = await readFileAs(options.proof, (tl) => walkBlockProof(from, tl, clock));
    return { checkpoint: walk.checkpoint, startIsStale: walk.startIsStale, walk };
  }
  if (options['key-block'] === undefined) throw usage('expected --proof FILE or --key-block FILE, got neither');
  const block = await readBytes(options['key-block']);
  if (options['stored-proof'] !== undefined) {
    only(options, ['checkpoint', 'key-block', 'stored-proof', 'out', ...CLOCK]);
    const storedProof = await readBytes(options['stored-proof']);
    const checkpoint = advance(from, { block, storedProof }, clock);
    return { checkpoint, startIsStale: checkpoint.startIsStale };
  }
  only(options, ['checkpoint', 'key-block', 'signatures', 'out', ...CLOCK]);
  const file = required(options, 'signatures');
  const json = await readJson(file);
  const signatures = withFileName(inputName(file), () => parseSignatureSet(json));
  const checkpoint = advance(from, { block, signatures }, clock);
  return { checkpoint, startIsStale: checkpoint.startIsStale };
}

/**
 * Moves a checkpoint, unless the set it begins with is past its time: then nothing that follows is worth more than those
 * old keys, and the caller has to say that it will do.
 * @throws TrustError `trust/stale-start`
 */
async function moveInTime(options: Options): Promise<Moved> {
  const nowSeconds = options.now === undefined ? Math.floor(Date.now() / 1000) : readSecondsOption('now', options.now);
  const from = await readCheckpoint(required(options, 'checkpoint'));
  const moved = await move(options, from, nowSeconds);
  if (options.now === undefined && nowSeconds < moved.checkpoint.genUtime) {
    const made = isoTime(moved.checkpoint.genUtime);
    const hint = 'set the clock of this machine, or give the time with --now';
    throw new UsageError('usage/bad-option', `the clock says ${isoTime(nowSeconds)}, the key block ${made}`, {
      path: '--now',
      hint,
    });
  }
  if (moved.startIsStale === false || options['accept-stale-start'] === true) return moved;
  const until = isoTime(from.config.utimeUntil + STAKE_HELD_SECONDS);
  const what =
    from.staleStart === 'refused'
      ? `trust in key block ${from.keyBlock.seqno} began with a set past its stakes`
      : `the set of key block ${from.keyBlock.seqno} is past its round and its stakes since ${until}`;
  throw new TrustError('trust/stale-start', `${what}; nothing was written`, {
    path: '--checkpoint',
    hint: 'start from a younger checkpoint; or have the end of the proof confirmed by somebody else, and give --accept-stale-start',
  });
}

async function save(
  options: Options,
  out: string,
  { checkpoint, walk, startIsStale }: Partial<Moved> & Pick<Moved, 'checkpoint'>,
): Promise<void> {
  const json = checkpointToJson(checkpoint);
  writeFileAtomically(out, jsonText(json));
  if (options.json === true) {
    const tip = walk === undefined ? {} : { tip: { seqno: walk.tip.seqno, rootHash: encodeHex(walk.tip.rootHash) } };
    await printJson({ ...json, ...tip, ...(startIsStale === undefined ? {} : { startIsStale }) });
    return;
  }
  const walked = walk === undefined ? [] : [renderWalk(walk)];
  const lines = startIsStale === true ? [...walked, STALE_START] : walked;
  if (lines.length > 0) await printResult(`${lines.join('\n')}\n`);
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
  requireWritable(out);
  requireOneStdin(options);
  await save(options, out, action === 'init' ? { checkpoint: await init(options) } : await moveInTime(options));
  return 0;
}
