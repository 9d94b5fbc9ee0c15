/** Signatures that prove nothing are asked of the next server before they are reported: the first one may lie, or be damaged. */
import { FinalityError, SourceError, UsageError } from '../base/errors.ts';
import { differingField, formatBlockId } from '../decode/block-id.ts';
import { untilGood } from '../net/sources/until-good.ts';
import { type FetchedBlock, fetchEvidence, fetchSigned, type SignedBlock } from './fetch-block.ts';
import type { SourcePlan } from './input/server-options.ts';
import type { JudgedAll } from './judge-all.ts';
import { printNote } from './output.ts';
import type { Servers } from './servers.ts';

/** What came and what it is worth. */
export interface Outcome extends JudgedAll {
  readonly fetched: FetchedBlock;
}

type Judge<T extends Outcome> = (fetched: FetchedBlock) => Promise<T>;

/** Why the answer of one server was not taken, when that of another was. */
function wordsOf({ best }: Outcome, taken: Outcome): string {
  const { set, source = 'a server', report } = best;
  const isOther = differingField(set.blockId, taken.best.set.blockId) !== undefined;
  const names = isOther ? `; it names another block: ${formatBlockId(set.blockId)}` : '';
  return `${source}: its list of signatures is not final: ${report.verdict.status}${names}`;
}

function withMore<T extends Outcome>(outcome: T, words: readonly string[], errors: readonly FinalityError[]): T {
  return { ...outcome, warnings: [...words, ...errors.map(({ message }) => message), ...outcome.warnings] };
}

/** The servers without the one that gave this; nobody is left where that cannot be told. */
function without(servers: Servers, giver: string | undefined): Servers {
  const isAmong = servers.v2.some(({ name }) => name === giver);
  return { ...servers, v2: isAmong ? servers.v2.filter(({ name }) => name !== giver) : [] };
}

function isOfServer(error: unknown): error is FinalityError {
  return error instanceof FinalityError && !(error instanceof UsageError);
}

/** Who is to blame for an answer that cannot be judged. */
function giverOfError(error: FinalityError, signed: SignedBlock | undefined): string | undefined {
  return signed?.sets[0].source ?? (error instanceof SourceError ? error.endpoint : undefined);
}

/**
 * The first outcome that is final, or would be but for a doubt about set or number; where there is none the first of all. A
 * time limit is one for all servers. A quorum has asked all of them at once.
 * @throws SourceError, DecodeError, TrustError, ValidatorSetError when not one server gave what can be judged
 */
export async function judgeInTurn<T extends Outcome>(plan: SourcePlan, servers: Servers, judge: Judge<T>): Promise<T> {
  const { v3 } = servers;
  if (plan.need !== undefined) return await judge(await fetchEvidence(plan, await fetchSigned(plan, servers), v3));
  const { deadlineMs = Number.POSITIVE_INFINITY } = plan;
  const end = performance.now() + deadlineMs;
  let left = servers;
  const { good, judged, errors } = await untilGood<Servers, T>([servers], {
    async judge(rest) {
      const leftMs = end - performance.now();
      let signed: SignedBlock | undefined;
      try {
        // A head that is none would be waited for to the end: each server's has its share of the time.
        const shareMs = plan.wanted === 'latest' ? leftMs / rest.v2.length : leftMs;
        const limited = Number.isFinite(leftMs) ? { ...plan, deadlineMs: shareMs } : plan;
        signed = await fetchSigned(limited, rest);
        const outcome = await judge(await fetchEvidence(limited, signed, v3));
        if (!outcome.isGood) left = without(rest, outcome.best.source);
        return outcome;
      } catch (error) {
        if (isOfServer(error)) left = without(rest, giverOfError(error, signed));
        throw error;
      }
    },
    isGood: ({ isGood }) => isGood,
    isRefusal: isOfServer,
    another: async () => (left.v2.length > 0 && end > performance.now() ? left : undefined),
  });
  if (good !== undefined) {
    const worse = judged.slice(0, -1).map((one) => wordsOf(one, good));
    return withMore(good, worse, errors as FinalityError[]); // `isRefusal` lets no others in
  }
  const late = left.v2.map(({ name }) => `${name}: not asked for signatures, since the time was over (--deadline)`);
  const failures = errors as FinalityError[]; // the same
  const [first, ...others] = judged;
  if (first !== undefined) {
    const worse = others.map((other) => wordsOf(other, first));
    return withMore(first, [...worse, ...late], failures);
  }
  const [error, ...more] = failures;
  for (const message of [...more.map((other) => other.message), ...late]) await printNote(message);
  throw error;
}
