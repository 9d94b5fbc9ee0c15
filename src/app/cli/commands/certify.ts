/** `ton-finality certify`: makes one file by which others check a final block and a fact in it, without us and offline. */
import { encodeHex } from '../../../core/base/bytes.ts';
import { UsageError } from '../../../core/base/errors.ts';
import { present } from '../../../core/base/present.ts';
import { formatBlockId } from '../../../core/block/block-id.ts';
import { buildCertificate } from '../../../core/certificate/build.ts';
import { certificateToJson } from '../../../core/certificate/json.ts';
import { type Certificate, certificateToBoc } from '../../../core/certificate/parse.ts';
import { verifyCertificate } from '../../../core/certificate/verify.ts';
import { judgeFact } from '../../../net/lite/ask-fact.ts';
import { renderCertificate } from '../../report/render-facts.ts';
import { EXIT, exitCodeOfFacts } from '../exit-code.ts';
import {
  FACT_OPTIONS,
  FACT_USAGE,
  type FactWords,
  readBlockInputs,
  readFactInput,
  requireNoOther,
} from '../fact-inputs.ts';
import { type LitePlan, readLitePlan } from '../input/lite-options.ts';
import { helpHint, type OptionTable, type ParsedOptions, parseOptions } from '../input/options.ts';
import { printJson, printResult } from '../output.ts';
import { writeFileAtomically } from '../write-file.ts';
import { ASK_OPTIONS, ASK_USAGE, askOverLite, readFactWords, requireNoAskOptions } from './prove.ts';

const CERTIFY_USAGE = `usage: ton-finality certify [transaction|message|account|config FILE] [options] --out FILE.fin.boc
       ton-finality certify transaction|message|account|config --lite HOST:PORT:KEY --checkpoint FILE [options] --out FILE

Makes a certificate: one file that says that a block is final and what stands in it, and carries every proof.
Its reader checks it from a block that he trusts himself: ton-finality verify --certificate FILE --anchor ID

${FACT_USAGE}

${ASK_USAGE}

  --all-signatures                             keep every valid signature, not the fewest that are final
  --out FILE                                   where to write it
  --json                                       one object, schema ton-finality/certificate@1

exit code: 0 written, 1 written, of something that is proven absent, 2 bad input or a proof that does not hold,
           3 no server has it or they disagree, 4 the start is too old`;

const OPTIONS = {
  ...FACT_OPTIONS,
  ...ASK_OPTIONS,
  'all-signatures': { type: 'boolean' },
  out: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies OptionTable;

type Options = ParsedOptions<typeof OPTIONS>['values'];

const signersOf = (options: Options) =>
  present({ signers: options['all-signatures'] ? ({ keep: 'all' } as const) : undefined });

async function fromFiles(positionals: readonly string[], options: Options): Promise<Certificate> {
  requireNoAskOptions(options);
  const named = positionals.length === 0 ? undefined : readFactWords(positionals, 'certify');
  const asked: FactWords = { command: 'certify', options };
  if (named === undefined) requireNoOther(undefined, asked);
  const facts = named === undefined ? [] : [await readFactInput(named.kind, named.file, asked)];
  const { checkpoint, proofs, set, headerProof } = await readBlockInputs(asked);
  return buildCertificate({ checkpoint, proofs, ...present({ set, headerProof }), facts, ...signersOf(options) });
}

async function ask(plan: LitePlan, words: readonly string[], options: Options): Promise<Certificate> {
  const given = { command: 'certify' as const, options };
  const { certificate } = await askOverLite(plan, words, given, true, ({ input, block, proofs, checkpoint }) => {
    const fact = judgeFact(input, block);
    return { fact, certificate: buildCertificate({ checkpoint, proofs, facts: [input], ...signersOf(options) }) };
  });
  return certificate;
}

/** @param words the command line after `certify` @returns the exit code */
export async function certifyCommand(words: readonly string[]): Promise<number> {
  const { values: options, positionals } = parseOptions(words, OPTIONS, 'certify');
  if (options.help === true) {
    await printResult(CERTIFY_USAGE);
    return EXIT.final;
  }
  if (options.out === undefined) {
    throw new UsageError('usage/bad-option', 'expected --out FILE, got nothing', {
      path: '--out',
      hint: helpHint('certify'),
    });
  }
  const plan = await readLitePlan(options);
  const certificate =
    plan === undefined ? await fromFiles(positionals, options) : await ask(plan, positionals, options);
  const bytes = certificateToBoc(certificate);
  await writeFileAtomically(options.out, bytes);
  const report = verifyCertificate(certificate, { anchor: certificate.anchor });
  const code = exitCodeOfFacts(report.facts);
  if (options.json === true) {
    await printJson(certificateToJson(certificate));
    return code;
  }
  const written = `written to ${options.out}: ${bytes.length} bytes, SHA-256 ${encodeHex(certificate.id)}`;
  const next = `its readers have to trust ${formatBlockId(certificate.anchor)}`;
  await printResult([renderCertificate(report), '', written, next].join('\n'));
  return code;
}
