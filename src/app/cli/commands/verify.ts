/** `ton-finality verify`: prints one block with its verdict, coverage and signers. */
import { BODY_LIMITS } from '../../../core/base/limits.ts';
import { present } from '../../../core/base/present.ts';
import { parseSignatureList, type SignatureList } from '../../../core/block/signature-list.ts';
import type { ProvenHeader } from '../../../core/chain/block-header.ts';
import { checkSessionId, type SessionIdCheck } from '../../../core/validators/session-id.ts';
import type { ValidatorSet } from '../../../core/validators/validator-set.ts';
import { withWarnings } from '../../../core/verify/own-report.ts';
import type { BlockHeaderFacts, Policy } from '../../../core/verify/report.ts';
import { strict } from '../../../core/verify/strict.ts';
import { type BlockOptions, verifyBlock } from '../../../core/verify/verifier.ts';
import { askedOf } from '../../../net/sources/witness-report.ts';
import { withFileName } from '../../files/with-file-name.ts';
import { requireNoInput, requireWritable } from '../../files/write-file.ts';
import { row } from '../../report/layout.ts';
import { defineCommand } from '../command.ts';
import { InputLog } from '../input/input-log.ts';
import { needing, type OptionTable, type OptionValues, option, under, without } from '../input/option-rows.ts';
import { inputName, readBytes, readJsonAs, requireOneStdin } from '../input/read-file.ts';
import { readSourcePlan, readWitnessTerms, SOURCE_OPTIONS } from '../input/server-options.ts';
import { EXPECT_OPTIONS, STRICT_OPTION, TRUST_OPTIONS, WITNESS_OPTIONS } from '../input/shared-options.ts';
import {
  BOUND_ID_OPTION,
  readValidators,
  requireExpectedBlock,
  THRESHOLD_OPTION,
  UNBOUND_OPTION,
  VALID_UNTIL_OPTION,
} from '../input/trust-inputs.ts';
import { printEvent, printEventNow } from '../output/print.ts';
import { printVerdict } from '../output/print-verdict.ts';
import { noteWitnesses, tellFork } from '../output/print-witnesses.ts';
import type { SavedAnswers, UsedAnswer } from '../output/save-answers.ts';
import type { BlockToJudge, JudgedBlock } from '../servers/fetch-block.ts';
import { beforeStop } from '../stop.ts';

/** Options that say how a block is judged, wherever it comes from. */
const JUDGING_OPTIONS = {
  ...TRUST_OPTIONS,
  ...under('policy: at least as strict as the node, except for options marked "exception"', {
    ...STRICT_OPTION,
    ...THRESHOLD_OPTION,
    ...BOUND_ID_OPTION,
    ...EXPECT_OPTIONS,
    ...without(['strict'], {
      'ignore-defects': option.flag('exception: count the valid entries of a signature list that a node would reject'),
      'accept-claimed': option.flag('exception: accept a validator set that only a server claims'),
    }),
    ...UNBOUND_OPTION,
  }),
  ...under('header and clock', {
    block: option.text(
      'FILE',
      'the block or a Merkle proof of its header; binds the whole block id, the validator set and the network',
    ),
    ...without(['block'], {
      'catchain-seqno': { ...option.uint32('gen_catchain_seqno'), needs: ['list-hash'] },
      'list-hash': { ...option.uint32('gen_validator_list_hash_short'), needs: ['catchain-seqno'] },
    }),
    now: option.unixTime(
      "clock for the age of the validator set (Unix time); with latest or --strict the default is this machine's clock",
    ),
    ...needing(['validators'], VALID_UNTIL_OPTION),
  }),
} satisfies OptionTable;

type JudgingValues = OptionValues<typeof JUDGING_OPTIONS>;

/** @param isFromServer whether a server was asked for the block by its number: the number must then be covered */
function readPolicy(options: JudgingValues, isFromServer: boolean): Policy {
  const acceptUnbound = options['accept-unbound'];
  return {
    onDefect: options['ignore-defects'] ? 'ignore' : 'reject',
    acceptClaimed: options['accept-claimed'],
    acceptUnbound,
    requireBoundId: options['require-bound-id'] || (isFromServer && !acceptUnbound),
    ...present({ threshold: options.threshold }),
  };
}

/** Returns policy and context for `verifyBlock`; with `--strict` those of the library, and a threshold that may be stricter. */
function blockOptions(
  options: JudgingValues,
  policy: Policy,
  nowSeconds: number | undefined,
  header: BlockHeaderFacts | undefined,
): BlockOptions {
  const context = present({ header, nowSeconds });
  if (!options.strict) return { ...policy, context };
  if (nowSeconds === undefined) throw new TypeError('--strict needs a clock'); // it has one
  return { ...strict({ ...context, nowSeconds }), ...present({ threshold: policy.threshold }) };
}

/** Returns the header that the caller gives by two numbers. */
function readGivenHeader(options: JudgingValues): BlockHeaderFacts | undefined {
  const { 'catchain-seqno': catchainSeqno, 'list-hash': listHash } = options;
  if (catchainSeqno === undefined || listHash === undefined) return undefined; // one without the other is an error
  return { source: 'given', catchainSeqno, validatorListHashShort: listHash };
}

const SESSION_WORDS: Readonly<Record<SessionIdCheck, string>> = {
  match: 'its id matches the one computed from validator set and header',
  mismatch: 'its id differs from the computed one; finality does not depend on it',
  'not-enough-data': 'its id cannot be computed from this validator set',
};

/** Returns one line on the session id of a Simplex set, if a proven header gives the numbers in it. */
function sessionLine(signatures: SignatureList, validators: ValidatorSet, header: ProvenHeader | undefined) {
  if (signatures.kind !== 'simplex' || header === undefined) return undefined;
  const { catchainSeqno, prevKeyBlockSeqno, vertSeqno: verticalSeqno } = header;
  const check = checkSessionId(signatures.sessionId, validators, { catchainSeqno, prevKeyBlockSeqno, verticalSeqno });
  return row('session', SESSION_WORDS[check]);
}

export const verifyCommand = defineCommand({
  usage: ['FILE|-|SEQNO|latest --validators FILE|--checkpoint FILE [options]'],
  about:
    'Verifies that one masterchain block is final, from the JSON of getMasterchainBlockSignatures: from a file or, with SEQNO or latest, from HTTP servers.',
  words: {
    wanted: 'one FILE, -, SEQNO or latest',
    count: [1, 1],
    rows: [['FILE, or -', 'answer of a server, with or without its envelope; - for standard input']],
    choices: ['latest'],
  },
  insteadOf: { anchor: 'pass the file of a certificate with --certificate FILE' },
  options: {
    ...under('trust', JUDGING_OPTIONS),
    ...under('HTTP servers, for SEQNO or latest instead of FILE', { ...SOURCE_OPTIONS, ...WITNESS_OPTIONS }),
    ...under('output', {
      json: option.flag('print one JSON object, schema ton-finality/report@3'),
      out: option.text(
        'FILE',
        'also write that object to a file, whole or not at all; unlike a pipe, this keeps the exit code',
      ),
      signers: option.flag('list every signer and every missing validator'),
    }),
  },
  examples: [
    'verify signatures.json --validators validators.json',
    'verify latest --base-url https://host/api/v2 --checkpoint checkpoint.json --strict',
  ],
  exit: '0 final, 1 not final, 2 bad input, 3 source failed, 4 undecided, 5 internal error',
  async run({ options, words, texts }) {
    const word = words[0]!; // exactly one is given
    const { block, checkpoint, validators: set, out } = options;
    requireOneStdin({ block, checkpoint, validators: set, '': word });
    const givenHeader = readGivenHeader(options);
    let saved: SavedAnswers | undefined;
    const log = new InputLog();
    const plan = readSourcePlan(word, options, {
      onServer: (event) => waiting?.onServer(event),
      onAnswer(answer) {
        log.addAnswer(answer);
        saved?.keep(answer);
      },
    });
    const policy = readPolicy(options, plan !== undefined);
    // The age of a set is judged for the newest block and with `--strict`, by this machine's clock unless the user gives the time.
    const isAged = plan?.wanted === 'latest' || options.strict;
    const nowSeconds = options.now ?? (isAged ? Math.floor(Date.now() / 1000) : undefined);
    if (out !== undefined) {
      requireWritable(out);
      requireNoInput(out, [word, set, checkpoint, block]);
    }
    const named = await readValidators(options, log);
    const blockBytes = block === undefined ? undefined : await readBytes(block, { log });
    // Most runs ask no server, so this code is loaded on use.
    const { sayWhileWaiting } = plan ? await import('../output/say-while-waiting.ts') : {};
    const { verifyFromServers } = plan ? await import('../servers/fetch-block.ts') : {};
    const servers = plan && (await import('../servers/http-servers.ts')).createServers(plan);
    const terms = readWitnessTerms(options, servers, nowSeconds);
    if (options.save !== undefined) saved = (await import('../output/save-answers.ts')).saveTo(options.save);
    const unwatch = beforeStop(() => saved && printEventNow('answers-saved', saved.summary(), options.json));
    const waiting = sayWhileWaiting?.(options.json);
    let used: UsedAnswer | undefined;

    async function judge(fetched: BlockToJudge): Promise<JudgedBlock & { readonly session: () => string | undefined }> {
      const validators = named?.validators ?? fetched.claimedSet!; // one of the two is there
      const { blockId } = fetched.signatures;
      requireExpectedBlock(blockId, options);
      let proven: ProvenHeader | undefined;
      if (block !== undefined && blockBytes !== undefined) {
        const { verifyHeader } = await import('../../../core/chain/block-header.ts');
        proven = withFileName(inputName(block), () => verifyHeader(blockBytes, blockId));
      }
      const verify = (signatures: SignatureList, header?: BlockHeaderFacts) =>
        verifyBlock(signatures, validators, blockOptions(options, policy, nowSeconds, header));
      return {
        fetched,
        validators,
        report: verify(fetched.signatures, proven ?? givenHeader ?? fetched.header),
        verify,
        session: () => sessionLine(fetched.signatures, validators, proven),
      };
    }

    try {
      const live = plan && servers && (await verifyFromServers?.(plan, servers, judge, terms, options.json));
      const readList = () => readJsonAs(word, parseSignatureList, { log, ...BODY_LIMITS.block }); // the same limit as for a server
      const judgedFile = async () => judge({ signatures: await readList(), warnings: [] });
      const { fetched, report: judged, session } = live?.judged ?? (await judgedFile());
      if (fetched.source !== undefined) {
        const hasClaimedSet = fetched.claimedSet !== undefined;
        used = { source: fetched.source, hasClaimedSet, options: JUDGING_OPTIONS, texts, policy, nowSeconds };
      }
      const report = withWarnings(judged, live?.warnings ?? []);
      const { doubt, witnesses } = live ?? {};
      const { warnings } = report;
      const tip = fetched.signatures.blockId;
      if (witnesses !== undefined) await noteWitnesses({ tip, witnesses }, options);
      const others = witnesses !== undefined && (doubt !== undefined || askedOf(witnesses) > 0) ? { witnesses } : {};
      const run = await log.runMember(nowSeconds);
      return await printVerdict({ tip, report, warnings, doubt, session, ...others }, options, { run });
    } catch (error) {
      if (plan !== undefined) await tellFork(error, options);
      throw error;
    } finally {
      waiting?.end();
      unwatch();
      // Also when the run failed.
      if (saved !== undefined) await printEvent('answers-saved', saved.summary(used), options.json);
    }
  },
});
