/** One block from servers: its signatures, and what else they say of it. Judges nothing. */
import { encodeHex } from '../base/bytes.ts';
import { SourceError, type SourceStatement } from '../base/errors.ts';
import type { BlockHeader } from '../decode/block-header.ts';
import { differingField } from '../decode/block-id.ts';
import type { SignatureSet } from '../decode/signature-set.ts';
import type { AskOptions, BlockSource, SignedAnswer } from '../net/sources/block-source.ts';
import { claimedValidatorSet } from '../net/sources/claimed-set.ts';
import { configReaders } from '../net/sources/config-readers.ts';
import { crossCheck } from '../net/sources/cross-check.ts';
import { firstOf } from '../net/sources/first-of.ts';
import { gatherQuorum } from '../net/sources/quorum.ts';
import { quorumOf } from '../net/sources/quorum-source.ts';
import type { ValidatorSet } from '../validators/validator-set.ts';
import type { BlockHeaderFacts } from '../verify/report.ts';
import type { SourcePlan } from './input/server-options.ts';
import { askInOrder, inOrder, type Server, type Servers } from './servers.ts';

export interface FetchedSet {
  readonly set: SignatureSet;
  /** The server that sent it; `undefined` for a file. */
  readonly source: string | undefined;
}

export interface FetchedBlock {
  /** Signatures of one and the same block; several where a quorum agreed on it. */
  readonly sets: readonly [FetchedSet, ...FetchedSet[]];
  readonly header: BlockHeaderFacts | undefined;
  /** Only with `--validators-from server`. */
  readonly claimedSet: ValidatorSet | undefined;
  /** The v3 server, where it names the same block. */
  readonly confirmedBy: string | undefined;
  /** What could not be checked, and servers that fell out of line. */
  readonly warnings: readonly string[];
}

/** A second opinion is not worth as long a wait as the block itself. */
const EVIDENCE_DEADLINE_MS = 10_000;

/** A person wants to know which server is odd, and is not kept waiting for it by half a second. */
const GRACE_MS = 500;

/** What servers said so far. */
interface Heard {
  /** Their answers, in the order in which they came. */
  readonly answers: SignedAnswer[];
  /** Who answered last: asked first from then on. */
  answered: Server | undefined;
  /** The latest failure of each server that has not answered since. */
  readonly failures: Map<Server, SourceError>;
}

/** One that was stopped because another was faster says nothing of why. */
function inWords({ name }: Server, error: SourceError): SourceError {
  if (error.code !== 'source/aborted') return error;
  return new SourceError('source/timeout', `${name}: no answer yet when another server gave one`, { endpoint: name });
}

/** The server, with what it says written down. */
function overheard(server: Server, heard: Heard): BlockSource {
  async function noting<T>(question: Promise<T>): Promise<T> {
    try {
      const answer = await question;
      heard.answered = server;
      heard.failures.delete(server);
      return answer;
    } catch (error) {
      if (error instanceof SourceError) heard.failures.set(server, inWords(server, error));
      throw error;
    }
  }
  return {
    name: server.name,
    latestSeqno: (opts) => noting(server.latestSeqno(opts)),
    async signatures(seqno, opts) {
      const answer = await noting(server.signatures(seqno, opts));
      heard.answers.push(answer);
      return answer;
    },
  };
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

/** Signatures of one block, before anything else is asked of it. */
export interface SignedBlock extends Pick<FetchedBlock, 'sets' | 'warnings'> {
  /** Who to ask about it, the likeliest first. */
  readonly servers: readonly Server[];
  /** Who says so, for errors and provenance. */
  readonly said: string;
}

function setOf({ signatures, source }: SignedAnswer): FetchedSet {
  return { set: signatures, source };
}

function newHeard(): Heard {
  return { answers: [], answered: undefined, failures: new Map() };
}

/** Whose head is one that nobody has signatures of: its word alone stands for there being such a block. */
function withoutSignatures({ name: endpoint }: Server, seqno: number, cause: SourceError): SourceError {
  const { code, statements } = cause;
  const message = `${endpoint} names block ${seqno} as the latest, and nobody gave its signatures: ${cause.message}`;
  return new SourceError(code, message, { endpoint, statements, cause, hint: cause.hint });
}

/** From the first server that answers, which is then the first to be asked for the rest. */
async function signedInOrder({ wanted, deadlineMs }: SourcePlan, servers: readonly Server[]): Promise<SignedBlock> {
  const heard = newHeard();
  const source = () => {
    const [first, ...rest] = inOrder(servers, heard.answered).map((server) => overheard(server, heard));
    return first !== undefined && rest.length === 0 ? first : firstOf([first!, ...rest]); // a plan names one or more
  };
  // The newest block a server names may not be ready to be asked for yet.
  const waitForBlock = wanted === 'latest';
  // One limit for all servers together, however many they are.
  const limit = deadlineMs === undefined ? {} : { deadlineMs };
  const seqno = wanted === 'latest' ? await source().latestSeqno(limit) : wanted;
  const namer = heard.answered;
  const answer = await source()
    .signatures(seqno, { waitForBlock, ...limit })
    .catch((error: unknown) => {
      const isOfHead = waitForBlock && namer !== undefined && error instanceof SourceError;
      throw isOfHead ? withoutSignatures(namer, seqno, error) : error;
    });
  const warnings = [...heard.failures.values()].map(({ message }) => message);
  return { sets: [setOf(answer)], servers: inOrder(servers, heard.answered), said: answer.source, warnings };
}

/** From as many as must agree; whoever fell out of line is not asked again. */
async function signedByQuorum(
  { wanted, deadlineMs }: SourcePlan,
  need: number,
  servers: readonly Server[],
): Promise<SignedBlock> {
  const heard = newHeard();
  const warnings: string[] = [];
  const odd = new Set<string>();
  const sources = servers.map((server) => overheard(server, heard));
  const quorum = quorumOf(sources, need, {
    graceMs: GRACE_MS,
    onOdd: (statement) => {
      odd.add(statement.source);
      const { source, key } = statement;
      warnings.push(key === undefined ? oddWords(statement) : `${source} names another block: ${key}`);
    },
  });
  warnings.push(...(quorum.warnings ?? []));
  const waitForBlock = wanted === 'latest';
  const limit = deadlineMs === undefined ? {} : { deadlineMs };
  const seqno = wanted === 'latest' ? await quorum.latestSeqno(limit) : wanted;
  odd.clear(); // a server without a head may still know the block
  const answer = await quorum.signatures(seqno, { waitForBlock, ...limit });
  const { blockId } = answer.signatures;
  // Servers agree on the block, not on the list of signatures.
  const lists = heard.answers.filter(
    ({ source, signatures }) =>
      source !== answer.source && differingField(signatures.blockId, blockId) === undefined && !odd.has(source),
  );
  const inLine = servers.filter(({ name }) => !odd.has(name));
  return { sets: [setOf(answer), ...lists.map(setOf)], servers: inLine, said: quorum.name, warnings };
}

/** Signatures of the block, from the first server that answers or from as many as must agree. @throws SourceError */
export async function fetchSigned(plan: SourcePlan, { v2 }: Servers): Promise<SignedBlock> {
  const { need } = plan;
  return need === undefined ? await signedInOrder(plan, v2) : await signedByQuorum(plan, need, v2);
}

/** What else servers say of the block. @throws SourceError, DecodeError, ValidatorSetError */
export async function fetchEvidence(plan: SourcePlan, signed: SignedBlock, v3: Servers['v3']): Promise<FetchedBlock> {
  const { need } = plan;
  const { sets, servers, said } = signed;
  const warnings = [...signed.warnings];

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
      need,
      ({ name }, { signal }) => one(byName.get(name)!, { ...opts, signal }), // the names are those of `servers`
      keyOf,
      opts,
    );
    warnings.push(...odd.map(oddWords));
    return { answer: agreed[0]!.answer, source: said }; // `need` is 1 or more
  }

  let header: BlockHeader | undefined;
  let headerError: unknown;
  let headerFrom = said;
  const witness = {
    /** Known for sure only once the header is there. */
    get name() {
      return headerFrom;
    },
    async header(seqno: number, opts?: AskOptions) {
      try {
        const { answer, source } = await ask((server, one) => server.header(seqno, one), headerKey, opts ?? {});
        header = answer;
        headerFrom = source;
        return answer;
      } catch (error) {
        headerError = error;
        throw error;
      }
    },
  };
  const witnesses = { header: witness, ...(v3 === undefined ? {} : { v3 }) };
  const deadlineMs = Math.min(EVIDENCE_DEADLINE_MS, plan.deadlineMs ?? Number.POSITIVE_INFINITY);
  const checked = await crossCheck(sets[0].set.blockId, said, witnesses, { deadlineMs });

  async function claimedSet(): Promise<ValidatorSet> {
    if (header === undefined) throw headerError; // the key block of the set is named there and nowhere else
    const known = header;
    if (need !== undefined) {
      const askParam = async (param: number, seqno: number) =>
        (await ask((server, opts) => server.configParam(param, seqno, opts), encodeHex, {})).answer;
      return await claimedValidatorSet(known, said, askParam, configReaders);
    }
    // All of it from one server, so that it can be named.
    const claim = (server: Server, opts: AskOptions) =>
      claimedValidatorSet(known, server.name, (param, seqno) => server.configParam(param, seqno, opts), configReaders);
    return (await askInOrder(servers, claim, warnings, plan)).answer;
  }
  return {
    sets,
    header: checked.header,
    claimedSet: plan.claimedSet ? await claimedSet() : undefined,
    confirmedBy: v3 !== undefined && checked.confirmedBy.includes(v3.name) ? v3.name : undefined,
    warnings: [...new Set([...warnings, ...checked.warnings])],
  };
}
