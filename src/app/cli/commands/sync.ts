/** `ton-finality sync`: from a pinned block to today's head over lite servers, none of which is believed. */

import { encodeHex } from '../../../core/base/bytes.ts';
import { UsageError } from '../../../core/base/errors.ts';
import { MASTERCHAIN_SHARD, MASTERCHAIN_WORKCHAIN, MAX_SEQNO } from '../../../core/base/limits.ts';
import type { BlockIdExt } from '../../../core/block/block-id.ts';
import { blockIdToJson } from '../../../core/block/block-id-json.ts';
import { MAINNET_INIT_BLOCK, MAINNET_INIT_BLOCK_UTIME } from '../../../core/chain/anchors.ts';
import { type Checkpoint, checkpointToJson, parseCheckpoint } from '../../../core/chain/checkpoint.ts';
import { connectLite } from '../../../net/lite/client.ts';
import { isBrokenProof } from '../../../net/lite/climb.ts';
import { syncCheckpoint } from '../../../net/lite/sync.ts';
import type { SyncResult } from '../../../net/lite/sync-result.ts';
import { type FileLock, lockFile } from '../../files/lock-file.ts';
import { isoTime, wideRow } from '../../report/layout.ts';
import { warningWords } from '../../report/render-report.ts';
import { reportToJson } from '../../report/report-json.ts';
import { EXIT } from '../exit-code.ts';
import { readCount } from '../input/counts.ts';
import { withFileName } from '../input/error-with-file.ts';
import { LITE_OPTIONS, LITE_USAGE, type LitePlan, readLitePlan, strictness } from '../input/lite-options.ts';
import { type OptionTable, type ParsedOptions, parseOptions, readHashOption } from '../input/options.ts';
import { inputName, readJson } from '../input/read-file.ts';
import { tellFork } from '../keep-evidence.ts';
import { printJson, printNote, printResult } from '../output.ts';
import { type LiteSaver, saveLiteAnswers } from '../save-lite-answers.ts';
import { sayWhileWaiting } from '../say-while-waiting.ts';
import { bar, statusLine } from '../status-line.ts';
import { SyncPartial } from '../sync-partial.ts';
import { noteWitnesses, witnessWords } from '../witness-words.ts';
import { requireWritable, writeFileAtomically } from '../write-file.ts';

const SYNC_USAGE = `usage: ton-finality sync --checkpoint FILE (--config FILE | --lite HOST:PORT:KEY ...) [options]

Proves the way from a block that you trust to today's head, by lite servers of which none is believed, and moves the
checkpoint there. Interrupted, it goes on where it stopped.

where trust begins: one of
  --checkpoint FILE                 a checkpoint; it is replaced when the head is proven
  --root-hash HEX --file-hash HEX [--seqno N] --out FILE
                                    a block that you pin: a zerostate, or with --seqno a key block
  --built-in --out FILE             key block ${MAINNET_INIT_BLOCK.seqno} of mainnet, as this program has it; its age is told

lite servers
${LITE_USAGE}

  --out FILE                        where the checkpoint goes instead
  --witnesses K                     K other servers must name the same head; without, all are asked and none must
  --strict                          for money: at least one witness, no exception
  --accept-stale-start              exception: a start older than its set's stakes, without two witnesses. Whoever has
                                    the old keys could have made all that follows
  --max-age SECONDS                 a head older than that is undecided; default 60
  --evidence FILE                   where evidence goes if two blocks of one number are certified; default
                                    fork-evidence-SEQNO.json
  --save DIR                        keep every answer as it came; checkpoint advance --proof reads those of getBlockProof
  --json                            one object

exit code: 0 final, 2 bad input, 3 no server leads on or they disagree, 4 undecided`;

const OPTIONS = {
  ...LITE_OPTIONS,
  checkpoint: { type: 'string' },
  'root-hash': { type: 'string' },
  'file-hash': { type: 'string' },
  seqno: { type: 'string' },
  'built-in': { type: 'boolean' },
  out: { type: 'string' },
  witnesses: { type: 'string' },
  strict: { type: 'boolean' },
  'accept-stale-start': { type: 'boolean' },
  'max-age': { type: 'string' },
  evidence: { type: 'string' },
  save: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies OptionTable;

type Options = ParsedOptions<typeof OPTIONS>['values'];

function bad(option: string, message: string, hint?: string): UsageError {
  return new UsageError('usage/bad-option', message, {
    path: `--${option}`,
    hint: hint ?? 'see ton-finality sync --help',
  });
}

interface Start {
  readonly from: Checkpoint | BlockIdExt;
  readonly block: BlockIdExt;
  /** Unix seconds at which the start was made, where it says so. */
  readonly genUtime: number | undefined;
}

async function readStart(options: Options): Promise<Start> {
  const { checkpoint, 'root-hash': rootHash, 'file-hash': fileHash, seqno, 'built-in': builtIn } = options;
  const isPinned = rootHash !== undefined || fileHash !== undefined || seqno !== undefined;
  if ([checkpoint !== undefined, isPinned, builtIn === true].filter(Boolean).length !== 1) {
    throw bad('checkpoint', 'expected one of --checkpoint, --root-hash with --file-hash, and --built-in');
  }
  if (checkpoint !== undefined) {
    const json = await readJson(checkpoint, { mustBePlain: true });
    const from = withFileName(inputName(checkpoint), () => parseCheckpoint(json));
    return { from, block: from.keyBlock, genUtime: from.genUtime };
  }
  if (builtIn === true) {
    return { from: MAINNET_INIT_BLOCK, block: MAINNET_INIT_BLOCK, genUtime: MAINNET_INIT_BLOCK_UTIME };
  }
  if (rootHash === undefined || fileHash === undefined) {
    throw bad('root-hash', 'expected both --root-hash and --file-hash, got one of them');
  }
  const block = {
    workchain: MASTERCHAIN_WORKCHAIN,
    shard: MASTERCHAIN_SHARD,
    seqno: seqno === undefined ? 0 : readCount('seqno', seqno, 0, MAX_SEQNO),
    rootHash: readHashOption('root-hash', rootHash),
    fileHash: readHashOption('file-hash', fileHash),
  };
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
    'the start is older than the stakes of its validators, and fewer than two other servers name this head. Give servers of\n  independent operators, or a newer start; --accept-stale-start takes the head all the same. No checkpoint was written',
  contradicted:
    'the start is older than the stakes of its validators, and a server names another block, with or without a proof of it. Leave\n  out the server that is wrong by --without SERVER, or pin a newer block. No checkpoint was written',
  'too-few-witnesses':
    'fewer servers than --witnesses name the same block. Give more servers, of operators that do not depend on each other. No\n  checkpoint was written',
  'stale-head': 'the newest block that is proven is old: the servers are behind, or the network stands',
} as const;

function renderSync(result: SyncResult, start: Start, out: string, isWritten: boolean): string {
  const { verdict, tip, tipHeader, checkpoint, report, witnesses } = result;
  const head = `masterchain block ${tip.seqno}, made ${isoTime(tipHeader.genUtime)}, ${age(result.headAgeSeconds)} ago`;
  const signed = report?.coverage;
  return [
    verdict.status === 'final' ? `FINAL: ${head}` : `UNDECIDED (${verdict.reason}): ${head}`,
    ...(verdict.status === 'final' ? [] : [`  ${UNDECIDED_WORDS[verdict.reason]}`]),
    '',
    wideRow('root hash', encodeHex(tip.rootHash)),
    wideRow('file hash', encodeHex(tip.fileHash)),
    ...(signed === undefined
      ? []
      : [
          wideRow(
            'signed',
            `${signed.signedWeight} of ${signed.totalWeight}, set of key block ${checkpoint.keyBlock.seqno}`,
          ),
        ]),
    wideRow(
      'proven from',
      `block ${start.block.seqno}${start.genUtime === undefined ? '' : `, made ${isoTime(start.genUtime)}`}${result.startIsStale ? '; older than the stakes of its validators' : ''}`,
    ),
    wideRow('witnesses', witnessWords(witnesses)),
    ...result.warnings.map((warning) => wideRow('warning', warningWords(warning))),
    wideRow('asked', `${result.answers} answers, ${result.links} links, ${result.bytes} bytes`),
    wideRow('checkpoint', `key block ${checkpoint.keyBlock.seqno}${isWritten ? `, in ${out}` : ', not written'}`),
  ].join('\n');
}

function toJson(result: SyncResult, isWritten: boolean) {
  const { verdict, tip, tipHeader, checkpoint, report, witnesses } = result;
  const statements = (list: SyncResult['witnesses']['silent']) =>
    list.map(({ source, key, error }) => ({
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
      ...(witnesses.voices === undefined ? {} : { voices: witnesses.voices }),
      behind: statements(witnesses.behind),
      silent: statements(witnesses.silent),
      contradicts: statements(witnesses.contradicts),
      refuted: statements(witnesses.refuted),
      forked: statements(witnesses.forked),
    },
    warnings: result.warnings,
    links: result.links,
    answers: result.answers,
    bytes: result.bytes,
    report: report === undefined ? null : reportToJson(report),
  };
}

/** @param words the command line after `sync` @returns the exit code */
export async function syncCommand(words: readonly string[]): Promise<number> {
  const { values: options, positionals } = parseOptions(words, OPTIONS);
  if (options.help === true) {
    await printResult(SYNC_USAGE);
    return 0;
  }
  if (positionals.length > 0)
    throw bad('checkpoint', `expected options only, got ${JSON.stringify(positionals[0]?.slice(0, 80))}`);
  const plan = await readLitePlan(options);
  if (plan === undefined) throw bad('lite', 'expected --config FILE or --lite HOST:PORT:KEY, got neither');
  const out = options.out ?? options.checkpoint;
  if (out === undefined || out === '-') throw bad('out', 'expected --out FILE: where the checkpoint goes');
  const witnesses =
    options.witnesses === undefined ? undefined : readCount('witnesses', options.witnesses, 0, plan.servers.length - 1);
  const maxHeadAgeSeconds =
    options['max-age'] === undefined ? undefined : readCount('max-age', options['max-age'], 1, 86_400);
  requireWritable(out);
  requireWritable(partialOf(out));
  const lock = await lockFile(out);
  try {
    return await sync(options, plan, out, { witnesses, maxHeadAgeSeconds }, lock);
  } finally {
    lock.release();
  }
}

async function sync(
  options: Options,
  plan: LitePlan,
  out: string,
  {
    witnesses,
    maxHeadAgeSeconds,
  }: { readonly witnesses: number | undefined; readonly maxHeadAgeSeconds: number | undefined },
  lock: FileLock,
): Promise<number> {
  const start = await readStart(options);
  const partial = new SyncPartial(partialOf(out), start.block);
  const status = statusLine(options.json !== true);
  const saver: LiteSaver | undefined = options.save === undefined ? undefined : await saveLiteAnswers(options.save);
  if (partial.end !== undefined) {
    await printNote(`going on at block ${partial.end.seqno}, where an earlier run stopped, after proving it again`);
  }
  if (options['built-in'] === true) {
    await printNote(
      `the built-in start is key block ${start.block.seqno}, made ${isoTime(MAINNET_INIT_BLOCK_UTIME)}, ${age(Date.now() / 1000 - MAINNET_INIT_BLOCK_UTIME)} ago: give a newer one by --root-hash, --file-hash and --seqno if you have it`,
    );
  }
  const waiting = sayWhileWaiting(options.json === true, () => status.clear());
  const clients = plan.servers.map((server) =>
    connectLite(server, {
      onServer: waiting.onServer,
      ...(plan.network === undefined ? {} : { network: plan.network }),
      ...(saver === undefined ? {} : { onAnswer: (answer) => saver.keep(answer) }),
    }),
  );
  const first = start.block.seqno;
  let unsaved: unknown;
  let hasMoved = false;
  const run = () =>
    syncCheckpoint(clients, start.from, {
      ...strictness(options),
      countEachServer: plan.countEachServer,
      ...(witnesses === undefined ? {} : { witnesses }),
      resume: partial.answers,
      ...(maxHeadAgeSeconds === undefined ? {} : { maxHeadAgeSeconds }),
      onProgress(progress) {
        const { tip, target, links, bytes } = progress;
        waiting.proved(tip.seqno, target.seqno);
        const done = (tip.seqno - first) / Math.max(1, target.seqno - first);
        status.show(
          `${bar(done)} block ${tip.seqno} of ${target.seqno}, ${links} links, ${(bytes / 1e6).toFixed(1)} MB`,
        );
        hasMoved = true;
        // What cannot be kept now may be kept by the next answer; the run is worth going on with.
        lock.requireHeld();
        try {
          partial.add(progress.answer);
        } catch (error) {
          unsaved = error;
        }
      },
    });
  try {
    const result = await run().catch(async (error: unknown) => {
      // What servers send is theirs to answer for: this is of the file.
      if (hasMoved || partial.end === undefined || !isBrokenProof(error)) throw error;
      await printNote(`what ${partialOf(out)} holds is no proof: ${error.message}; beginning anew`);
      partial.forget();
      return await run();
    });
    waiting.end();
    status.clear();
    await noteWitnesses(result, options.evidence, options.json === true);
    const isWritten = result.verdict.status === 'final' || result.verdict.reason === 'stale-head';
    if (isWritten) {
      lock.requireHeld();
      writeFileAtomically(out, `${JSON.stringify(checkpointToJson(result.checkpoint), null, 2)}\n`);
      partial.remove();
    }
    if (options.json === true) await printJson(toJson(result, isWritten));
    else await printResult(renderSync(result, start, out, isWritten));
    return result.verdict.status === 'final' ? EXIT.final : EXIT.undecided;
  } catch (error) {
    status.clear();
    await tellFork(error, options);
    if (unsaved instanceof Error) await printNote(`how far it came could not be kept: ${unsaved.message}`);
    throw error;
  } finally {
    waiting.end();
    partial.close();
    for (const client of clients) client.close();
    if (saver !== undefined) await printNote(saver.summary());
  }
}
