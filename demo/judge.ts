/** Takes one block from the content of the form to its report, by the library's own functions, in the command's order. */
import {
  type Checkpoint,
  type ProvenHeader,
  parseCheckpoint,
  TrustError,
  validatorSetAt,
  verifyBlockProof,
  verifyHeader,
} from '../src/chain.ts';
import {
  type BlockOptions,
  parseSignatureList,
  parseValidatorSet,
  type SignatureList,
  signedMessage,
  strict,
  UsageError,
  type ValidatorSet,
  type VerificationReport,
  verifyBlock,
} from '../src/index.ts';
import { type ReportJson, reportToJson } from '../src/report.ts';
import { chooseOnce, watched } from './engine.ts';
import type { Judged, JudgeRequest, Options, Tell } from './protocol.ts';
import { inputsOf, readBinary, readJson, readSignatureJson } from './read-given.ts';
import { inPart } from './trouble.ts';

/** Put in when the page is bundled. */
declare const TON_FINALITY_VERSION: string;

const STALE_START_FLAG = '--accept-stale-start';

const thisMachine = () => Math.floor(Date.now() / 1000);

interface Start {
  readonly checkpoint: Checkpoint;
  /** An option accepted expired keys. */
  readonly isStale: boolean;
}

/** Moves a checkpoint along a proof, as `checkpoint advance` does: expired keys are a start only with the option. */
function walked(from: Checkpoint, proof: Uint8Array, { now, strict, acceptStaleStart }: Options): Start {
  const isTaken = acceptStaleStart && !strict;
  const opts = { nowSeconds: now ?? thisMachine(), ...(isTaken ? { acceptStaleStart: true } : {}) };
  const { checkpoint, startIsStale } = verifyBlockProof(proof, from, opts);
  if (startIsStale === false || isTaken) return { checkpoint, isStale: startIsStale !== false };
  throw new TrustError(
    'trust/stale-start',
    `the set of key block ${from.keyBlock.seqno} is past its round and its stakes: the old keys could have made all of the proof`,
    {
      path: 'checkpoint',
      hint: 'use a newer checkpoint, set the clock to the time that you repeat, or accept the stale start',
    },
  );
}

interface Named {
  readonly validators: ValidatorSet;
  readonly startIsStale?: boolean;
}

function readSet({ validators, checkpoint, proof, options }: JudgeRequest): Named {
  if (checkpoint !== undefined) {
    const from = inPart('checkpoint', () => parseCheckpoint(readJson(checkpoint)));
    if (proof === undefined) return { validators: validatorSetAt(from) };
    const { checkpoint: at, isStale } = inPart('proof', () => walked(from, readBinary(proof), options));
    return { validators: validatorSetAt(at), startIsStale: isStale };
  }
  if (validators === undefined) {
    throw new UsageError('usage/bad-option', 'expected a validator set or a checkpoint, got neither', {
      hint: 'pass the validator set, from a source other than that of the signatures',
    });
  }
  const { claimedBy } = validators;
  const stated = claimedBy === undefined ? {} : { provenance: { kind: 'claimed', source: claimedBy } as const };
  return { validators: inPart('validators', () => parseValidatorSet(readJson(validators), stated)) };
}

function readHeader({ header }: JudgeRequest, signatures: SignatureList): ProvenHeader | undefined {
  return header === undefined
    ? undefined
    : inPart('header', () => verifyHeader(readBinary(header), signatures.blockId));
}

/** As the command: what was asked of a server by number must be bound to that number, unless an exception is named. */
function optionsOf({ options, signatures }: JudgeRequest, header: ProvenHeader | undefined): BlockOptions {
  const { now, ignoreDefects, acceptClaimed, acceptUnbound } = options;
  const known = header === undefined ? {} : { header };
  if (options.strict) return strict({ nowSeconds: now ?? thisMachine(), ...known });
  return {
    requireBoundId: options.requireBoundId || (signatures.askedOf !== undefined && !acceptUnbound),
    acceptClaimed,
    acceptUnbound,
    onDefect: ignoreDefects ? 'ignore' : 'reject',
    context: { ...known, ...(now === undefined ? {} : { nowSeconds: now }) },
  };
}

/** The report, with what the library cannot know: that the proof of the set began with keys past their time. */
function reportOf(report: VerificationReport, startIsStale: boolean): ReportJson {
  const json = reportToJson(report);
  if (!startIsStale) return json;
  const by = json.verdict.status === 'final' ? `, by the exception ${STALE_START_FLAG}` : '';
  const message = `the proof begins with expired keys, which ${STALE_START_FLAG} accepts: those keys could have made all of the proof`;
  const warning = { code: 'accepted-stale-start', message };
  return { ...json, headline: `${json.headline}${by}`, warnings: [...json.warnings, warning] };
}

/** @throws whatever the library throws, with the part that it is about */
export async function judgeBlock(request: JudgeRequest, tell: Tell): Promise<Judged> {
  const began = performance.now();
  tell({ words: 'Reading' });
  const { engine } = await chooseOnce();
  const { validators, startIsStale = false } = inPart('validators', () => readSet(request));
  const signatures = inPart('signatures', () => parseSignatureList(readSignatureJson(request.signatures)));
  const message = inPart('signatures', () => signedMessage(signatures));
  const header = readHeader(request, signatures);
  const ask = () =>
    verifyBlock(signatures, validators, { ...optionsOf(request, header), engine: watched(engine, tell) });
  const report = header === undefined ? ask() : inPart('header', ask); // of another network, or beyond a hardfork
  const { validators: list, checkpoint: from, proof, header: block, options } = request;
  return {
    kind: 'judged',
    report: {
      ...reportOf(report, startIsStale),
      run: {
        tool: 'ton-finality',
        version: TON_FINALITY_VERSION,
        judgedAt: options.now ?? thisMachine(),
        inputs: inputsOf([list, from, proof, request.signatures, block]),
      },
    },
    message,
    ...(signatures.kind === 'simplex' ? { candidate: signatures.candidate } : {}),
    hasHeader: header !== undefined,
    took: performance.now() - began,
  };
}
