/** `ton-finality checkpoint`: makes a checkpoint from a pinned block, moves it along proofs, and prints it. */
import { encodeHex } from '../../../core/base/bytes.ts';
import { TrustError } from '../../../core/base/errors.ts';
import { STAKE_HELD_SECONDS } from '../../../core/base/limits.ts';
import { present } from '../../../core/base/present.ts';
import type { BlockIdExt } from '../../../core/block/block-id.ts';
import { parseSignatureList, type SignatureList } from '../../../core/block/signature-list.ts';
import { advanceCheckpoint } from '../../../core/chain/advance.ts';
import { openBlock, readBlock, readHeader } from '../../../core/chain/block-header.ts';
import {
  type Checkpoint,
  checkpointFromKeyBlock,
  checkpointFromZerostate,
  checkpointToJson,
  validatorSetAt,
} from '../../../core/chain/checkpoint.ts';
import { type BlockWalk, verifyBlockProof } from '../../../core/chain/walk.ts';
import { masterchain } from '../../../net/sources/signed-answer.ts';
import { withFileName } from '../../files/with-file-name.ts';
import { OWN_TO_WRITE, requireWritable, writeFileAtomically } from '../../files/write-file.ts';
import { isoTime, wideRows } from '../../report/layout.ts';
import { defineCommand } from '../command.ts';
import { badFlag, needing, type OptionTable, type OptionValues, option, without } from '../input/option-rows.ts';
import { inputName, readBytes, readCheckpointFlag, readJsonAs, requireOneStdin } from '../input/read-file.ts';
import { JSON_OPTION, STALE_START_OPTION } from '../input/shared-options.ts';
import { EXIT } from '../output/exit-code.ts';
import { jsonText, printJson, printResult } from '../output/print.ts';

const STARTS: Readonly<Record<Exclude<Checkpoint['staleStart'], 'none'>, string>> = {
  refused: 'validators could have withdrawn their stakes, not accepted: no block under this checkpoint is final',
  accepted: 'validators could have withdrawn their stakes, accepted with --accept-stale-start',
  unknown: 'unknown: the file has version 1, or was made without a clock',
};

/** A checkpoint in a few lines. */
function renderCheckpoint(checkpoint: Checkpoint): string {
  const { keyBlock, anchor, config, globalId, genUtime, configProof, staleStart } = checkpoint;
  const set = validatorSetAt(checkpoint);
  const signers = `${set.validators.length} of ${config.list.length}`;
  const block = (id: BlockIdExt) => (id.seqno === 0 ? 'zerostate' : `block ${id.seqno}`);
  return [
    `checkpoint at key block ${keyBlock.seqno}, made ${isoTime(genUtime)}`,
    '',
    ...wideRows({
      'root hash': encodeHex(keyBlock.rootHash),
      'file hash': encodeHex(keyBlock.fileHash),
      'proven from': `${block(anchor)}, root hash ${encodeHex(anchor.rootHash)}`,
      began: staleStart === 'none' ? undefined : STARTS[staleStart],
      network: `global id ${globalId}`,
      validators: `${signers} sign the masterchain, weight ${set.totalWeight}`,
      elected: `${isoTime(config.utimeSince)} to ${isoTime(config.utimeUntil)}`,
      proof: `${configProof.length} bytes`,
    }),
  ].join('\n');
}

/** Warning of a walk that began with validators whose term was over. */
const STALE_START_LINE =
  '  the first validators could have withdrawn their stakes, accepted with --accept-stale-start: an attacker with the old keys could have forged all of it';

/** Says where a proof ended, and with which coverage. */
function renderWalk({ reports, tip, complete, checkpoint }: BlockWalk): string {
  const lines = reports.map(({ coverage, validators, verdict }) => {
    const { blockId, signedWeight, totalWeight } = coverage;
    const by = validators.provenance.kind === 'proven' ? validators.provenance.keyBlock.seqno : '?';
    const words = verdict.status === 'undecided' ? `undecided, ${verdict.reason}` : verdict.status;
    return `  block ${blockId.seqno} is ${words}: ${signedWeight} of ${totalWeight} signed, set of key block ${by}`;
  });
  if (reports.length === 0)
    lines.push(`  the proof has no newer key block: the checkpoint stays at ${checkpoint.keyBlock.seqno}`);
  if (tip.seqno > checkpoint.keyBlock.seqno) {
    lines.push(
      `  the proof ends at block ${tip.seqno}; the checkpoint is at the last key block whose validator set it shows`,
    );
  }
  if (!complete) lines.push('  the server stopped before the requested block: ask again from where it ended');
  return lines.join('\n');
}

const OUT_OPTION = {
  out: option.text('FILE', 'checkpoint to write; replaced whole or not at all; must be a plain file'),
} satisfies OptionTable;

/** Reads a file and parses it; errors name the file. */
async function readFileAs<T>(file: string, parse: (bytes: Uint8Array) => T): Promise<T> {
  const bytes = await readBytes(file);
  return withFileName(inputName(file), () => parse(bytes));
}

interface Moved {
  readonly checkpoint: Checkpoint;
  readonly startIsStale: boolean | undefined;
  readonly walk?: BlockWalk;
}

const ADVANCE_OPTIONS = {
  checkpoint: option.text('FILE', 'checkpoint to move'),
  proof: option.text('FILE.tl', 'answer of liteServer.getBlockProof to move along'),
  ...without(['proof'], {
    'key-block': option.text('FILE', 'or the next key block: the block itself'),
    ...needing(['key-block'], {
      signatures: option.text('FILE', 'with --key-block: its getMasterchainBlockSignatures'),
      'stored-proof': {
        ...option.text('FILE', 'with --key-block: the proof that a node stores'),
        not: ['signatures', 'proof'],
      },
    }),
  }),
  now: option.unixTime("clock for the age of the first validator set (Unix time); default: this machine's clock"),
  ...STALE_START_OPTION,
  ...OUT_OPTION,
  ...JSON_OPTION,
} satisfies OptionTable;

type CheckpointFlags = OptionValues<typeof ADVANCE_OPTIONS>;

async function move(options: CheckpointFlags, from: Checkpoint, nowSeconds: number): Promise<Moved> {
  const clock = { nowSeconds, acceptStaleStart: options['accept-stale-start'] };
  if (options.proof !== undefined) {
    const walk = await readFileAs(options.proof, (tl) => verifyBlockProof(tl, from, clock));
    return { checkpoint: walk.checkpoint, startIsStale: walk.startIsStale, walk };
  }
  const { signatures: file, 'stored-proof': stored } = options;
  const block = await readBytes(options['key-block']!); // given if there is no proof
  const more =
    stored !== undefined ? { storedProof: await readBytes(stored) } : { signatures: await readSignatures(file) };
  const checkpoint = advanceCheckpoint({ block, ...more }, from, clock);
  return { checkpoint, startIsStale: checkpoint.startIsStale };
}

async function readSignatures(file: string | undefined): Promise<SignatureList> {
  if (file === undefined) throw badFlag('signatures', 'expected --signatures FILE or --stored-proof FILE');
  return await readJsonAs(file, parseSignatureList);
}

/**
 * Moves a checkpoint, unless the term of its validators is over. What follows is then worth no more than those old keys, and the user has
 * to accept that.
 * @throws TrustError `trust/stale-start`
 */
async function moveInTime(options: CheckpointFlags): Promise<Moved> {
  const nowSeconds = options.now ?? Math.floor(Date.now() / 1000);
  const from = await readCheckpointFlag(options);
  const moved = await move(options, from, nowSeconds);
  if (options.now === undefined && nowSeconds < moved.checkpoint.genUtime) {
    const made = isoTime(moved.checkpoint.genUtime);
    const hint = 'set the clock of this machine, or pass the time with --now';
    throw badFlag('now', `the clock says ${isoTime(nowSeconds)}, the key block ${made}`, hint);
  }
  if (moved.startIsStale === false || options['accept-stale-start']) return moved;
  const until = isoTime(from.config.utimeUntil + STAKE_HELD_SECONDS);
  const what =
    from.staleStart === 'refused'
      ? `trust in key block ${from.keyBlock.seqno} began with validators that could have withdrawn their stakes`
      : `the validators of key block ${from.keyBlock.seqno} could withdraw their stakes from ${until} on`;
  throw new TrustError('trust/stale-start', `${what}; nothing was written`, {
    path: '--checkpoint',
    hint: 'start from a newer checkpoint; or confirm the end of the proof with an independent source and pass --accept-stale-start',
  });
}

async function save(
  { out, json: asJson }: OptionValues<typeof OUT_OPTION & typeof JSON_OPTION>,
  { checkpoint, walk, startIsStale }: Partial<Moved> & Pick<Moved, 'checkpoint'>,
): Promise<void> {
  const json = checkpointToJson(checkpoint);
  writeFileAtomically(out!, jsonText(json), true, OWN_TO_WRITE); // required
  if (asJson) {
    const tip = walk === undefined ? {} : { tip: { seqno: walk.tip.seqno, rootHash: encodeHex(walk.tip.rootHash) } };
    await printJson({ ...json, ...tip, ...present({ startIsStale }) });
    return;
  }
  const walked = walk === undefined ? [] : [renderWalk(walk)];
  const lines = startIsStale === true ? [...walked, STALE_START_LINE] : walked;
  if (lines.length > 0) await printResult(`${lines.join('\n')}\n`);
  await printResult(renderCheckpoint(checkpoint));
}

export const checkpointInitCommand = defineCommand({
  usage: [
    '--key-block FILE --root-hash HEX --file-hash HEX --out FILE',
    '--zerostate FILE --root-hash HEX --file-hash HEX --out FILE',
  ],
  about:
    'Writes a checkpoint: a file that names the trusted key block and the block you pinned, and carries the proof.',
  options: {
    'key-block': {
      ...option.text(
        'FILE',
        'key block to pin: its whole file, or a Merkle proof that shows header and configuration (a proof confirms only the root hash)',
      ),
      not: ['zerostate'],
    },
    zerostate: option.text('FILE', 'or the zerostate to pin'),
    'root-hash': option.hash('root hash of the block you pin, from a source you trust'),
    'file-hash': option.hash('file hash of the same block'),
    ...OUT_OPTION,
    ...JSON_OPTION,
  },
  requires: [['key-block', 'zerostate'], ['root-hash'], ['file-hash'], ['out']],
  examples: [
    'checkpoint init --key-block b.boc --root-hash HEX --file-hash HEX --out c.json',
    'checkpoint init --zerostate z.boc --root-hash HEX --file-hash HEX --out c.json',
  ],
  exit: '0 done, 2 bad input or a block that does not match the pinned hashes, 5 internal error',
  async run({ options }) {
    const { zerostate, out, 'root-hash': rootHash, 'file-hash': fileHash } = options;
    requireWritable(out!); // required
    const pinned = (seqno: number) => ({ ...masterchain(seqno), rootHash: rootHash!, fileHash: fileHash! }); // required
    const checkpoint =
      zerostate !== undefined
        ? await readFileAs(zerostate, (boc) => checkpointFromZerostate(boc, pinned(0)))
        : await readFileAs(options['key-block']!, (boc) => {
            // The root hash pins the block, and with it the number.
            const { seqno } = readHeader(readBlock(openBlock(boc, 'block').root, 'block'), 'block');
            return checkpointFromKeyBlock(boc, pinned(seqno));
          });
    await save(options, { checkpoint });
    return EXIT.final;
  },
});

export const checkpointAdvanceCommand = defineCommand({
  usage: [
    '--checkpoint FILE --proof FILE.tl --out FILE',
    '--checkpoint FILE --key-block FILE --signatures FILE --out FILE',
    '--checkpoint FILE --key-block FILE --stored-proof FILE --out FILE',
  ],
  about: 'Moves a checkpoint along a proof, or to the next key block. --out may be the same file as --checkpoint.',
  options: ADVANCE_OPTIONS,
  requires: [['checkpoint'], ['proof', 'key-block'], ['out']],
  examples: [
    'checkpoint advance --checkpoint c.json --proof p.tl --out c.json',
    'checkpoint advance --checkpoint c --key-block b.boc --signatures s.json --out n',
  ],
  exit: '0 done, 2 bad input or an invalid proof, 4 the first validator set is stale, 5 internal error',
  async run({ options }) {
    const { checkpoint, proof, signatures, 'key-block': block, 'stored-proof': stored, out } = options;
    requireWritable(out!); // required
    requireOneStdin({ checkpoint, proof, 'key-block': block, signatures, 'stored-proof': stored });
    await save(options, await moveInTime(options));
    return EXIT.final;
  },
});

export const checkpointShowCommand = defineCommand({
  usage: ['FILE [--json]'],
  about: 'Verifies a checkpoint and prints it.',
  words: {
    wanted: 'one FILE',
    count: [1, 1],
    rows: [['FILE, or -', 'checkpoint to print; - for standard input']],
  },
  options: JSON_OPTION,
  insteadOf: { checkpoint: 'pass the file without an option' },
  examples: ['checkpoint show checkpoint.json', 'checkpoint show checkpoint.json --json'],
  exit: '0 the checkpoint is valid, 2 it is not',
  async run({ options, words }) {
    const checkpoint = await readCheckpointFlag({ ...options, checkpoint: words[0] });
    if (options.json) await printJson(checkpointToJson(checkpoint));
    else await printResult(renderCheckpoint(checkpoint));
    return EXIT.final;
  },
});
