/** `ton-finality certify`: makes one file with which others can check a final block and a fact in it, offline. */
import { encodeHex } from '../../../core/base/bytes.ts';
import { present } from '../../../core/base/present.ts';
import { formatBlockId } from '../../../core/block/block-id.ts';
import { buildCertificate } from '../../../core/certificate/build.ts';
import { certificateToJson } from '../../../core/certificate/json.ts';
import { type Certificate, certificateToBoc } from '../../../core/certificate/parse.ts';
import { verifyCertificate } from '../../../core/certificate/verify.ts';
import { parseAccountId } from '../../../core/facts/account-id.ts';
import { verifyFact } from '../../../net/lite/ask-fact.ts';
import { writeFileAtomically } from '../../files/write-file.ts';
import { renderCertificate } from '../../report/render-facts.ts';
import { defineCommand } from '../command.ts';
import { exitCodeOfFacts } from '../exit-code.ts';
import {
  FACT_KINDS,
  FACT_OPTIONS,
  FACT_WORDS,
  readBlockInputs,
  readFactInput,
  readFactWords,
  requireNoOther,
} from '../fact-inputs.ts';
import { withFileName } from '../input/error-with-file.ts';
import { type LitePlan, readLitePlan } from '../input/lite-options.ts';
import {
  badFlag,
  flagRow,
  needing,
  type OptionTable,
  type OptionValues,
  textRow,
  under,
} from '../input/option-rows.ts';
import type { FetchedFact } from '../lite-facts.ts';
import { printJson, printResult } from '../output.ts';
import { askOverLite, LITE_FACT_OPTIONS } from './prove.ts';

const OPTIONS = {
  ...FACT_OPTIONS,
  ...LITE_FACT_OPTIONS,
  ...under(
    'over lite servers, instead of FILE, --proof, --signatures, --block and --shard',
    needing(['lite', 'config'], {
      wallet: textRow('A', 'with a transaction: adds the state of your jetton wallet, which acceptDeposit needs'),
    }),
  ),
  ...under('output', {
    'all-signatures': flagRow('keep every valid signature; by default the fewest that make the block final'),
    out: textRow('FILE', 'file to write the certificate to'),
    json: flagRow('print one JSON object, schema ton-finality/certificate@1'),
  }),
} satisfies OptionTable;

type CertifyFlags = OptionValues<typeof OPTIONS>;

const signersOf = (options: CertifyFlags) =>
  present({ signers: options['all-signatures'] === true ? ({ keep: 'all' } as const) : undefined });

async function fromFiles(words: readonly string[], options: CertifyFlags): Promise<Certificate> {
  const named = words.length === 0 ? undefined : readFactWords(words);
  if (named === undefined) requireNoOther(undefined, options);
  const facts = named === undefined ? [] : [await readFactInput(named.kind, named.file, options)];
  const { checkpoint, proofs, set, headerProof } = await readBlockInputs(options);
  return buildCertificate({
    checkpoint,
    proofs,
    ...present({ signatures: set, headerProof }),
    facts,
    ...signersOf(options),
  });
}

/** Reads the wallet whose state the certificate contains in addition to a transaction. @throws UsageError with another kind of fact */
function readWallet(options: CertifyFlags, kind: string | undefined) {
  const { wallet } = options;
  if (wallet === undefined) return undefined;
  if (kind !== 'transaction' && kind !== 'message') throw badFlag('wallet', 'expected a transaction that it goes with');
  return withFileName('--wallet', () => parseAccountId(wallet));
}

async function certifyFromServers(
  plan: LitePlan,
  words: readonly string[],
  options: CertifyFlags,
): Promise<Certificate> {
  const make = ({ input, beside, block, proofs, checkpoint }: FetchedFact) => {
    const facts = beside === undefined ? [input] : [input, beside];
    return {
      fact: verifyFact(input, block),
      certificate: buildCertificate({ checkpoint, proofs, facts, ...signersOf(options) }),
    };
  };
  return (await askOverLite(plan, words, options, true, make, readWallet(options, words[0]))).certificate;
}

export const certifyCommand = defineCommand({
  name: 'certify',
  usage: [
    '[transaction|message|account|config FILE] [options] --out FILE.fin.boc',
    'transaction|message|account|config --lite HOST:PORT:KEY --checkpoint FILE [options] --out FILE',
  ],
  about: `Writes a certificate: one file with everything needed to verify that a block is final and what it contains. To verify it: ton-finality verify --certificate FILE --anchor ID`,
  words: { wanted: 'a fact and its FILE', count: [0, 9], rows: FACT_WORDS, choices: FACT_KINDS },
  options: OPTIONS,
  requires: [['out']],
  examples: [
    'certify --checkpoint c.json --signatures s.json --block b.boc --out b.fin.boc',
    'certify account a.tl --account 0:HEX --checkpoint c.json --proof p.tl --out a.boc',
  ],
  exit: '0 written, 1 written and proves an absence, 2 bad input or an invalid proof, 3 no server has the fact or servers disagree, 4 the checkpoint is too old',
  async run({ options, words }) {
    const out = options.out!; // required
    const plan = await readLitePlan(options);
    const certificate =
      plan === undefined ? await fromFiles(words, options) : await certifyFromServers(plan, words, options);
    const bytes = certificateToBoc(certificate);
    await writeFileAtomically(out, bytes);
    const report = verifyCertificate(certificate, { anchor: certificate.anchor });
    const code = exitCodeOfFacts(report.facts);
    if (options.json === true) {
      await printJson(certificateToJson(certificate));
      return code;
    }
    const written = `written to ${out}: ${bytes.length} bytes, SHA-256 ${encodeHex(certificate.id)}`;
    const next = `the verifier must trust ${formatBlockId(certificate.anchor)}`;
    await printResult([renderCertificate(report), '', written, next].join('\n'));
    return code;
  },
});
