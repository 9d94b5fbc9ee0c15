/** `ton-finality sync`: moves from a pinned block to today's head over lite servers, none of which is trusted. */

import { encodeHex } from '../../../core/base/bytes.ts';
import { present } from '../../../core/base/present.ts';
import { blockIdToJson } from '../../../core/block/block-id-json.ts';
import { MAINNET, MAINNET_INIT_BLOCK_UTIME } from '../../../core/chain/anchors.ts';
import { checkpointToJson } from '../../../core/chain/checkpoint.ts';
import type { LiteServerClient } from '../../../net/lite/client.ts';
import { isBrokenProof } from '../../../net/lite/climb.ts';
import { syncCheckpoint } from '../../../net/lite/sync.ts';
import type { SyncResult } from '../../../net/lite/sync-result.ts';
import { masterchain } from '../../../net/sources/signed-answer.ts';
import { type FileLock, lockFile } from '../../files/lock-file.ts';
import { OWN_TO_WRITE, requireWritable, writeFileAtomically } from '../../files/write-file.ts';
import { isoTime, wideRow, wideRows } from '../../report/layout.ts';
import { warningWords } from '../../report/render-report.ts';
import { reportToJson } from '../../report/report-json.ts';
import { defineCommand } from '../command.ts';
import { LITE_RUN_OPTIONS, type LitePlan, readLitePlan, strictness } from '../input/lite-options.ts';
import { badFlag, type OptionTable, type OptionValues, option, under } from '../input/option-rows.ts';
import { readCheckpointFlag } from '../input/read-file.ts';
import { readWitnesses } from '../input/server-options.ts';
import { JSON_OPTION } from '../input/shared-options.ts';
import { EXIT } from '../output/exit-code.ts';
import { jsonText, printEvent, printJson, printResult } from '../output/print.ts';
import { noteWitnesses, OTHER_WITNESSES, witnessWords } from '../output/print-witnesses.ts';
import type { Waiting } from '../output/say-while-waiting.ts';
import { bar, statusLine } from '../output/status-line.ts';
import { overLite } from '../servers/lite-run.ts';
import { SyncPartial } from '../servers/sync-partial.ts';

const OPTIONS = {
  ...under('start (one of)', {
    checkpoint: option.text('FILE', 'checkpoint to start from; replaced once the newest block is proven'),
    'root-hash': {
      ...option.hash(
        'with --file-hash and --out: root hash of a block you pin, a zerostate or, with --seqno, a key block',
      ),
      needs: ['file-hash'],
    },
    'file-hash': { ...option.hash('file hash of the same block'), needs: ['root-hash'] },
    seqno: { ...option.seqno('number of the key block', 0), needs: ['root-hash'] },
    'built-in': option.flag(
      `with --out: key block ${MAINNET.initBlock.seqno} of mainnet, as this program has it; prints its age`,
    ),
  }),
  ...under('lite servers', {
    ...LITE_RUN_OPTIONS,
    'max-age': option.count('SECONDS', 1, 86_400, 'undecided if the newest block is older; default 60'),
    save: option.text('DIR', 'save every answer as received; checkpoint advance --proof reads those of getBlockProof'),
  }),
  ...under('output', { out: option.text('FILE', 'write the checkpoint here instead'), ...JSON_OPTION }),
} satisfies OptionTable;

type SyncFlags = OptionValues<typeof OPTIONS>;

type SyncStart = Awaited<ReturnType<typeof readStart>>;

/** Reads the start, and the Unix seconds at which it was made, if the checkpoint says so. */
async function readStart(options: SyncFlags) {
  const { checkpoint, 'root-hash': rootHash, 'file-hash': fileHash, seqno: number = 0, 'built-in': builtIn } = options;
  const isPinned = rootHash !== undefined;
  if ([checkpoint !== undefined, isPinned, builtIn].filter(Boolean).length !== 1) {
    throw badFlag('checkpoint', 'expected one of --checkpoint, --root-hash with --file-hash, and --built-in');
  }
  if (checkpoint !== undefined) {
    const from = await readCheckpointFlag(options, { mustBePlain: true });
    return { from, block: from.keyBlock, genUtime: from.genUtime };
  }
  if (builtIn) {
    if (options.network === 'testnet') throw badFlag('network', 'the block of --built-in is of mainnet, got testnet');
    return { from: MAINNET.initBlock, block: MAINNET.initBlock, genUtime: MAINNET_INIT_BLOCK_UTIME };
  }
  if (rootHash === undefined || fileHash === undefined) throw new TypeError('one hash'); // each needs the other
  const block = { ...masterchain(number), rootHash, fileHash };
  return { from: block, block, genUtime: undefined };
}

const partialOf = (out: string) => `${out}.partial`;

function age(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 2 * 3600) return `${Math.round(seconds / 60)} minutes`;
  if (seconds < 2 * 86_400) return `${Math.round(seconds / 3600)} hours`;
  return `${Math.round(seconds / 86_400)} days`;
}

const UNDECIDED_WORDS = {
  'stale-set':
    'the validators of the start can have withdrawn their stakes, and fewer than two other servers name this block. Pass servers of\n  independent operators, a newer start, or --accept-stale-start to accept the block anyway. No checkpoint was written',
  contradicted:
    'the validators of the start can have withdrawn their stakes, and a server names a different block, with or without a proof.\n  Exclude the server that is wrong with --without SERVER, or pin a newer block. No checkpoint was written',
  'too-few-witnesses':
    'fewer servers than --witnesses name the same block. Pass more servers, run by independent operators. No checkpoint was written',
  'stale-head': 'the newest proven block is old: the servers are behind, or the network has stopped',
} as const;

function renderSync(result: SyncResult, start: SyncStart, out: string, isWritten: boolean): string {
  const { verdict, tip, tipHeader, checkpoint, report, witnesses } = result;
  const head = `masterchain block ${tip.seqno}, made ${isoTime(tipHeader.genUtime)}, ${age(result.headAgeSeconds)} ago`;
  const signed = report?.coverage;
  const made = start.genUtime === undefined ? '' : `, made ${isoTime(start.genUtime)}`;
  const stale = result.startIsStale ? '; its validators can have withdrawn their stakes' : '';
  const by = `set of key block ${checkpoint.keyBlock.seqno}`;
  return [
    verdict.status === 'final' ? `FINAL: ${head}` : `UNDECIDED (${verdict.reason}): ${head}`,
    ...(verdict.status === 'final' ? [] : [`  ${UNDECIDED_WORDS[verdict.reason]}`]),
    '',
    wideRow('root hash', encodeHex(tip.rootHash)),
    wideRow('file hash', encodeHex(tip.fileHash)),
    ...wideRows({ signed: signed && `${signed.signedWeight} of ${signed.totalWeight}, ${by}` }),
    wideRow('proven from', `block ${start.block.seqno}${made}${stale}`),
    wideRow('witnesses', witnessWords(witnesses)),
    ...result.warnings.map((warning) => wideRow('warning', warningWords(warning))),
    wideRow('asked', `${result.answers} answers, ${result.links} links, ${result.bytes} bytes`),
    wideRow('checkpoint', `key block ${checkpoint.keyBlock.seqno}${isWritten ? `, in ${out}` : ', not written'}`),
  ].join('\n');
}

function toJson(result: SyncResult, isWritten: boolean) {
  const { verdict, tip, tipHeader, checkpoint, report, witnesses } = result;
  const statements = (kind: (typeof OTHER_WITNESSES)[number]) =>
    witnesses[kind].map(({ source, key, error }) => ({
      source,
      says: key ?? null,
      error: error instanceof Error ? error.message : null,
    }));
  return {
    schema: 'ton-finality/sync@2',
    verdict,
    block: blockIdToJson(tip),
    genUtime: tipHeader.genUtime,
    headAgeSeconds: Math.round(result.headAgeSeconds),
    startIsStale: result.startIsStale,
    keyBlock: blockIdToJson(checkpoint.keyBlock),
    anchor: blockIdToJson(checkpoint.anchor),
    checkpointWritten: isWritten,
    witnesses: {
      agreed: witnesses.agreed,
      ...present({ voices: witnesses.voices }),
      ...Object.fromEntries(OTHER_WITNESSES.map((kind) => [kind, statements(kind)])),
    },
    warnings: result.warnings,
    links: result.links,
    answers: result.answers,
    bytes: result.bytes,
    report: report === undefined ? null : reportToJson(report),
  };
}

async function sync(options: SyncFlags, plan: LitePlan, out: string, witnesses: number | undefined, lock: FileLock) {
  const start = await readStart(options);
  const partial = new SyncPartial(partialOf(out), start.block);
  const status = statusLine(!options.json);
  if (partial.end !== undefined) {
    const words = `resuming at block ${partial.end.seqno}, where an earlier run stopped, after proving it again`;
    await printEvent('resuming', words, options.json);
  }
  if (options['built-in']) {
    const made = `${isoTime(MAINNET_INIT_BLOCK_UTIME)}, ${age(Date.now() / 1000 - MAINNET_INIT_BLOCK_UTIME)} ago`;
    const words = `the built-in start is key block ${start.block.seqno}, made ${made}; if you know a newer block, pass it with --root-hash, --file-hash and --seqno`;
    await printEvent('built-in-start', words, options.json);
  }
  const first = start.block.seqno;
  let unsaved: unknown;
  let hasMoved = false;

  async function run(clients: readonly LiteServerClient[], waiting: Waiting): Promise<SyncResult> {
    return await syncCheckpoint(clients, start.from, {
      ...strictness(options),
      countEachServer: plan.countEachServer,
      ...present({ witnesses, maxHeadAgeSeconds: options['max-age'] }),
      resume: partial.answers,
      onProgress(progress) {
        const { tip, target, links, bytes } = progress;
        waiting.proved(tip.seqno, target.seqno);
        const done = (tip.seqno - first) / Math.max(1, target.seqno - first);
        status.show(
          `${bar(done)} block ${tip.seqno} of ${target.seqno}, ${links} links, ${(bytes / 1e6).toFixed(1)} MB`,
        );
        hasMoved = true;
        // An answer that cannot be kept now may be kept with the next one, so the run continues.
        lock.requireHeld();
        try {
          partial.add(progress.answer);
        } catch (error) {
          unsaved = error;
        }
      },
    });
  }

  const work = async (clients: readonly LiteServerClient[], waiting: Waiting): Promise<number> => {
    if (partial.end !== undefined) waiting.proved(first, partial.end.seqno);
    const result = await run(clients, waiting).catch(async (error: unknown) => {
      // The run starts over only if the invalid proof came from the file; errors of servers are thrown.
      if (hasMoved || partial.end === undefined || !isBrokenProof(error)) throw error;
      const words = `${partialOf(out)} holds no valid proof: ${error.message}; starting over`;
      await printEvent('starting-over', words, options.json);
      partial.forget();
      return await run(clients, waiting);
    });
    waiting.end();
    status.clear();
    await noteWitnesses(result, options);
    const isWritten = result.verdict.status === 'final' || result.verdict.reason === 'stale-head';
    if (isWritten) {
      lock.requireHeld();
      writeFileAtomically(out, jsonText(checkpointToJson(result.checkpoint)), true, OWN_TO_WRITE);
      partial.remove();
    }
    if (options.json) await printJson(toJson(result, isWritten));
    else await printResult(renderSync(result, start, out, isWritten));
    return result.verdict.status === 'final' ? EXIT.final : EXIT.undecided;
  };
  try {
    return await overLite(plan, options, work, status.clear);
  } catch (error) {
    if (unsaved instanceof Error) {
      await printEvent('progress-lost', `the progress could not be saved: ${unsaved.message}`, options.json);
    }
    throw error;
  } finally {
    status.clear();
    partial.close();
  }
}

export const syncCommand = defineCommand({
  usage: ['--checkpoint FILE (--config FILE | --lite HOST:PORT:KEY ...) [options]'],
  about:
    'Fetches and verifies the chain of key blocks from a block you trust to the newest block, over untrusted lite servers, and moves the checkpoint there. Can be interrupted and resumed.',
  options: OPTIONS,
  requires: [['config', 'lite']],
  examples: [
    'sync --built-in --config global.config.json --out checkpoint.json',
    'sync --checkpoint checkpoint.json --config global.config.json --strict',
  ],
  exit: '0 final, 2 bad input, 3 no server answers or they disagree, 4 undecided',
  async run({ options }) {
    const network = options['built-in'] ? 'mainnet' : options.network; // the built-in block is of mainnet
    const plan = (await readLitePlan({ ...options, network }))!; // servers are required
    const out = options.out ?? options.checkpoint;
    if (out === undefined || out === '-') throw badFlag('out', 'expected --out FILE, where the checkpoint is written');
    const witnesses = readWitnesses(options.witnesses, plan.servers.length - 1);
    requireWritable(out);
    requireWritable(partialOf(out));
    const lock = await lockFile(out);
    try {
      return await sync(options, plan, out, witnesses, lock);
    } finally {
      lock.release();
    }
  },
});
