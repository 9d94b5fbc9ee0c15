/** One block from servers: its signatures, and what else they say of it. Judges nothing. */

import { encodeHex } from '../base/bytes.ts';
import { SourceError } from '../base/errors.ts';
import type { BlockHeader } from '../decode/block-header.ts';
import { parseSignatureSet, type SignatureSet } from '../decode/signature-set.ts';
import { claimedValidatorSet } from '../http/claimed-set.ts';
import { crossCheck } from '../http/cross-check.ts';
import { firstOf } from '../http/first-and-race.ts';
import { onlyOn } from '../http/network.ts';
import { askQuorum, quorumOf } from '../http/quorum.ts';
import type { BlockSource } from '../http/source.ts';
import { type ToncenterV2, toncenterV2 } from '../http/toncenter-v2.ts';
import { toncenterV3 } from '../http/toncenter-v3.ts';
import type { ValidatorSet } from '../validators/validator-set.ts';
import type { BlockHeaderFacts } from '../verify/report.ts';
import { configReaders } from './config-readers.ts';
import type { SourcePlan } from './source-options.ts';

export interface FetchedBlock {
  /** Signatures of one and the same block; several where a quorum agreed on it. */
  readonly sets: readonly [SignatureSet, ...SignatureSet[]];
  readonly header: BlockHeaderFacts | undefined;
  /** Only with `--validators-from server`. */
  readonly claimedSet: ValidatorSet | undefined;
  /** What could not be checked, and servers that fell out of line. */
  readonly warnings: readonly string[];
}

/** A second opinion is not worth as long a wait as the block itself. */
const EVIDENCE_DEADLINE_MS = 10_000;

/** A person wants to know which server is odd, and is not kept waiting for it by half a second. */
const GRACE_MS = 500;

type Server = BlockSource & ToncenterV2;
type AskServers = <T>(ask: (server: Server) => Promise<T>, keyOf: (answer: T) => string) => Promise<T>;

/** Under a quorum the servers must agree on the answer; without one they are asked in order. */
function asker(servers: readonly Server[], need: number | undefined): AskServers {
  return async (ask, keyOf) => {
    if (need !== undefined) {
      const byName = new Map(servers.map((server) => [server.name, server]));
      return await askQuorum(servers, need, ({ name }) => ask(byName.get(name)!), keyOf); // the names are those of `servers`
    }
    let last: unknown;
    for (const server of servers) {
      try {
        return await ask(server);
      } catch (error) {
        if (!(error instanceof SourceError)) throw error;
        last = error;
      }
    }
    throw last;
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

function combine(plan: SourcePlan, servers: readonly Server[], warnings: string[]): BlockSource {
  const { network } = plan;
  const sources = network === undefined ? servers : servers.map((server) => onlyOn(network, server));
  if (plan.need !== undefined) {
    return quorumOf(sources, plan.need, {
      graceMs: GRACE_MS,
      onOdd: ({ source, key, error }) => {
        warnings.push(error instanceof Error ? error.message : `${source} names another block: ${key}`);
      },
    });
  }
  return sources.length === 1 ? sources[0]! : firstOf(sources);
}

/** @throws SourceError, DecodeError, ValidatorSetError */
export async function fetchBlock(plan: SourcePlan): Promise<FetchedBlock> {
  const servers = plan.v2.map((opts) => toncenterV2(opts));
  const v3 = plan.v3 && toncenterV3(plan.v3);
  const warnings: string[] = [];
  const source = combine(plan, servers, warnings);
  const ask = asker(servers, plan.need);

  // The newest block a server names may not be ready to be asked for yet.
  const waitForBlock = plan.wanted === 'latest';
  const seqno = plan.wanted === 'latest' ? await source.latestSeqno() : plan.wanted;
  const answers =
    source.agreedSignatures === undefined
      ? [await source.signatures(seqno, { waitForBlock })]
      : await source.agreedSignatures(seqno, { waitForBlock });
  const [first, ...rest] = answers.map((answer) => parseSignatureSet(answer));
  if (first === undefined) throw new TypeError('a source gives at least one answer, or throws');
  const { blockId } = first;

  let full: BlockHeader | undefined;
  const witness = {
    name: source.name,
    async header(asked: number) {
      full = await ask((server) => server.header(asked, { deadlineMs: EVIDENCE_DEADLINE_MS }), headerKey);
      return full;
    },
  };
  const witnesses = { header: witness, ...(v3 === undefined ? {} : { v3 }) };
  const checked = await crossCheck(blockId, source.name, witnesses, { deadlineMs: EVIDENCE_DEADLINE_MS });
  return {
    sets: [first, ...rest],
    header: checked.header,
    claimedSet: plan.claimedSet ? await fetchClaimedSet(full, source.name, ask) : undefined,
    warnings: [...new Set([...warnings, ...checked.warnings])],
  };
}

async function fetchClaimedSet(header: BlockHeader | undefined, said: string, ask: AskServers): Promise<ValidatorSet> {
  if (header === undefined) {
    throw new SourceError('source/not-ready', `${said}: no header, so the key block of its set is not known`, {
      hint: 'ask again, ask another server, or give the set with --validators',
    });
  }
  const askParam = (param: number, seqno: number) => ask((server) => server.configParam(param, seqno), encodeHex);
  return await claimedValidatorSet(header, said, askParam, configReaders);
}
