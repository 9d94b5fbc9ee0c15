/** One block from servers over HTTP: asked for until its signatures are good, and then compared with what the others say. */
import { encodeHex } from '../base/bytes.ts';
import { FinalityError, SourceError, type SourceStatement } from '../base/errors.ts';
import { QUESTION_DEADLINE_MS } from '../base/limits.ts';
import { present } from '../base/present.ts';
import type { BlockHeader } from '../decode/block-header.ts';
import { type BlockIdExt, differingField } from '../decode/block-id.ts';
import type { SignatureSet } from '../decode/signature-set.ts';
import { type Agreement, agreementOf } from '../net/machine/agreement.ts';
import type { AskOptions, SignedAnswer } from '../net/sources/block-source.ts';
import { claimedValidatorSet } from '../net/sources/claimed-set.ts';
import { type Compared, compare, poorWords, rowWitness, signedWitness, type Witness } from '../net/sources/compare.ts';
import { configReaders } from '../net/sources/config-readers.ts';
import { crossCheck } from '../net/sources/cross-check.ts';
import { signedEvidence } from '../net/sources/fork-error.ts';
import { goodBlock } from '../net/sources/good-block.ts';
import { overheard } from '../net/sources/overheard.ts';
import { gatherQuorum } from '../net/sources/quorum.ts';
import { quorumOf } from '../net/sources/quorum-source.ts';
import { isSigned } from '../net/sources/signed-enough.ts';
import { NOTHING_SAID, type WitnessReport, witnessWarnings } from '../net/sources/witness-report.ts';
import type { ValidatorSet } from '../validators/validator-set.ts';
import type { BlockHeaderFacts, VerificationReport } from '../verify/report.ts';
import { isStale } from '../verify/set-check.ts';
import { type Doubt, doubtOf } from './doubts.ts';
import type { SourcePlan, WitnessTerms } from './input/server-options.ts';
import { printNote } from './output.ts';
import { askInOrder, type Server, type Servers } from './servers.ts';

export interface FetchedBlock {
  readonly set: SignatureSet;
  /** The server that sent it; `undefined` for a file. */
  readonly source: string | undefined;
  readonly header: BlockHeaderFacts | undefined;
  /** Only with `--validators-from server`. */
  readonly claimedSet: ValidatorSet | undefined;
  /** What could not be checked. */
  readonly warnings: readonly string[];
}

/** What a block is worth. */
export interface Judged {
  readonly fetched: FetchedBlock;
  readonly validators: ValidatorSet;
  readonly report: VerificationReport;
  /** Judges other signatures by the same set, and by no header. */
  verify(set: SignatureSet): VerificationReport;
}

/** What the servers came to. */
export interface Verified<T extends Judged> {
  readonly judged: T;
  readonly warnings: readonly string[];
  readonly witnesses: WitnessReport;
  /** Why a block that would be final is not. */
  readonly doubt?: Doubt;
}

function headerKey(header: BlockHeader): string {
  const { id, catchainSeqno, validatorListHashShort, prevKeyBlockSeqno } = header;
  return [
    encodeHex(id.rootHash),
    encodeHex(id.fileHash),
    catchainSeqno,
    validatorListHashShort,
    prevKeyBlockSeqno,
  ].join();
}

function oddWords({ source, key, error }: SourceStatement): string {
  if (error instanceof SourceError) return error.message; // begins with the label
  return error instanceof Error ? `${source}: ${error.message}` : `${source} says otherwise: ${key}`;
}

/** What else servers say of a block. @param servers the likeliest first @throws SourceError, DecodeError, ValidatorSetError */
async function withEvidence(
  { need, claimedSet: isSetWanted }: SourcePlan,
  { signatures: set, source }: SignedAnswer,
  servers: readonly Server[],
  limit: Pick<AskOptions, 'deadlineMs'>,
): Promise<FetchedBlock> {
  const warnings: string[] = [];
  /** Under a quorum the servers must agree on the answer; without one the first answer counts. */
  async function ask<T>(
    one: (server: Server, opts: AskOptions) => Promise<T>,
    keyOf: (answer: T) => string,
    opts: AskOptions,
  ) {
    if (need === undefined) return await askInOrder(servers, one, warnings, opts);
    const byName = new Map(servers.map((server) => [server.name, server]));
    const { agreed, odd } = await gatherQuorum(
      servers,
      Math.min(need, servers.length),
      ({ name }, { signal }) => one(byName.get(name)!, { ...opts, signal }), // the names are those of `servers`
      keyOf,
      opts,
    );
    warnings.push(...odd.map(oddWords));
    return { answer: agreed[0]!.answer, source }; // `need` is 1 or more
  }

  let header: BlockHeader | undefined;
  let headerError: unknown;
  let headerFrom = source;
  const witness = {
    /** Known for sure only once the header is there. */
    get name() {
      return headerFrom;
    },
    async header(seqno: number, opts?: AskOptions) {
      try {
        const told = await ask((server, one) => server.header(seqno, one), headerKey, opts ?? {});
        header = told.answer;
        headerFrom = told.source;
        return told.answer;
      } catch (error) {
        headerError = error;
        throw error;
      }
    },
  };
  const deadlineMs = Math.min(QUESTION_DEADLINE_MS, limit.deadlineMs ?? Number.POSITIVE_INFINITY);
  const checked = await crossCheck(set.blockId, source, { header: witness }, { deadlineMs });

  async function claimedSet(): Promise<ValidatorSet> {
    if (header === undefined) throw headerError; // the key block of the set is named there and nowhere else
    const known = header;
    if (need !== undefined) {
      const askParam = async (param: number, seqno: number) =>
        (await ask((server, opts) => server.configParam(param, seqno, opts), encodeHex, {})).answer;
      return await claimedValidatorSet(known, source, askParam, configReaders);
    }
    // All of it from one server, so that it can be named.
    const claim = (server: Server, opts: AskOptions) =>
      claimedValidatorSet(known, server.name, (param, seqno) => server.configParam(param, seqno, opts), configReaders);
    return (await askInOrder(servers, claim, warnings, limit)).answer;
  }
  return {
    set,
    source,
    header: checked.header,
    claimedSet: isSetWanted ? await claimedSet() : undefined,
    warnings: [...new Set([...warnings, ...checked.warnings])],
  };
}

function isOther(answer: SignedAnswer, id: BlockIdExt): boolean {
  return differingField(answer.signatures.blockId, id) !== undefined;
}

/** Ours for a comparison; its evidence is what both servers sent. */
function comparedOf({ fetched, validators, report }: Judged, answer: SignedAnswer): Compared {
  const { blockId } = fetched.set;
  const { body: ours } = answer;
  return {
    blockId,
    source: answer.source,
    isBound: report.bound.includes('seqno'),
    evidence: (source, body) =>
      ours === undefined || fetched.set.kind !== 'simplex'
        ? undefined
        : signedEvidence(blockId.seqno, validators, [
            { source: answer.source, body: ours },
            { source, body },
          ]),
  };
}

function doubtFrom(agreement: Agreement, rivals: number): Doubt | undefined {
  if (agreement !== 'contradicted') return doubtOf(agreement);
  return doubtOf(agreement, rivals > 0 ? 'rival' : 'old-set');
}

/** @throws SourceError, DecodeError, TrustError, ValidatorSetError when not one server gave what can be judged; ForkError */
export async function verifyFromServers<T extends Judged>(
  plan: SourcePlan,
  { v2, v3 }: Servers,
  judge: (fetched: FetchedBlock) => Promise<T>,
  { witnesses, nowSeconds }: WitnessTerms,
): Promise<Verified<T>> {
  const servers = v2.map((server) => overheard(server));
  const bad = new Set<string>();
  const { need } = plan;
  const { good, judged, errors } = await goodBlock<{ readonly answer: SignedAnswer; readonly judged: T }>(
    servers,
    plan,
    {
      isGood: ({ judged: { report } }) => isSigned(report),
      async judge(answer, limit) {
        const { blockId } = answer.signatures;
        const inLine = servers.filter((server) => {
          const said = server.last();
          if (bad.has(server.name) || (said instanceof SourceError && said.code !== 'source/timeout')) return false;
          return need === undefined || said === undefined || said instanceof SourceError || !isOther(said, blockId);
        });
        const others = inLine.filter(({ name }) => name !== answer.source);
        const asked = [...servers.filter(({ name }) => name === answer.source), ...others];
        bad.add(answer.source); // until it is judged
        const one = await judge(await withEvidence(plan, answer, asked, limit));
        if (isSigned(one.report)) bad.delete(answer.source);
        return { answer, judged: one };
      },
    },
  );
  const failures = servers.flatMap((server) => {
    const said = server.last();
    if (said instanceof SourceError) return [said.message];
    const isLate = said === undefined && plan.deadlineMs !== undefined && good === undefined;
    return isLate ? [`${server.name}: not asked for signatures, since the time was over (--deadline)`] : [];
  });
  const told = [...new Set([...failures, ...errors.map(({ message }) => message)])];
  const first = good ?? judged[0];
  if (first === undefined) {
    const [error, ...more] = errors;
    for (const message of told) if (message !== error?.message && more.length > 0) await printNote(message);
    throw error ?? new SourceError('source/upstream', 'no server gave an answer');
  }
  const { fetched } = first.judged;
  const notes = need === undefined ? [] : (quorumOf(v2, need).warnings ?? []);
  if (good === undefined) {
    const worse = judged.slice(1).map(({ answer, judged: { report } }) => {
      const { blockId } = answer.signatures;
      return poorWords(answer.source, report, isOther(answer, fetched.set.blockId) ? blockId : undefined);
    });
    const warnings = [...notes, ...worse, ...told, ...fetched.warnings];
    // All servers were asked for better ones.
    return { judged: first.judged, warnings, witnesses: NOTHING_SAID };
  }
  const isOld = isStale(first.judged.validators, nowSeconds);
  const others: Witness[] = servers
    .filter(({ name }) => name !== good.answer.source)
    .map((server) => {
      const said = server.last();
      const isKnown = said !== undefined && !(said instanceof SourceError);
      // Of `latest` it may have named a later one.
      const isAsked = isKnown && said.signatures.blockId.seqno === fetched.set.blockId.seqno;
      return signedWitness(isAsked ? { ...server, signatures: async () => said } : server);
    });
  const { report, rivals, poor } = await compare(
    v3 === undefined ? others : [...others, rowWitness(v3)],
    comparedOf(first.judged, good.answer),
    {
      verify: first.judged.verify,
      isOld,
      waitForBlock: plan.wanted === 'latest' && witnesses > 0,
      deadlineMs: Math.min(QUESTION_DEADLINE_MS, plan.deadlineMs ?? Number.POSITIVE_INFINITY),
    },
  );
  const silent = report.silent.flatMap(({ source, error }) =>
    told.some((words) => words.startsWith(source)) || !(error instanceof FinalityError)
      ? []
      : [`not cross-checked: ${error.message}`],
  );
  // Who gives a set by hand takes it as it is: only two histories of an old one cannot be told apart.
  const terms = { startIsStale: isOld, acceptStaleStart: true, witnesses };
  const said = {
    agreed: report.agreed.length,
    contradicts: report.contradicts.length,
    forked: report.forked.length,
    rivals,
  };
  return {
    judged: first.judged,
    warnings: [
      ...new Set([
        ...notes,
        ...told,
        ...poor,
        ...silent,
        ...witnessWarnings(fetched.set.blockId.seqno, report),
        ...fetched.warnings,
      ]),
    ],
    witnesses: report,
    ...present({
      doubt: first.judged.report.verdict.status === 'final' ? doubtFrom(agreementOf(said, terms), rivals) : undefined,
    }),
  };
}
