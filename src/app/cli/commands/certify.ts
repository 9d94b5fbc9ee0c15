/** `ton-finality certify`: makes one file with which others can check a final block and a fact in it, offline. */
import { encodeHex } from '../../../core/base/bytes.ts';
import { formatBlockId } from '../../../core/block/block-id.ts';
import { buildCertificate } from '../../../core/certificate/build.ts';
import { certificateToJson } from '../../../core/certificate/json.ts';
import { certificateToBoc } from '../../../core/certificate/parse.ts';
import { verifyCertificate } from '../../../core/certificate/verify.ts';
import { writeFileAtomically } from '../../files/write-file.ts';
import { renderCertificate } from '../../report/render-facts.ts';
import { defineCommand } from '../command.ts';
import {
  FACT_OPTIONS,
  FACT_WORDS,
  LITE_FACT_OPTIONS,
  OVER_LITE,
  readAccount,
  readBlockInputs,
  readFactInput,
  readNamedQuestion,
  requireNoOther,
} from '../input/fact-inputs.ts';
import { type LitePlan, readLitePlan } from '../input/lite-options.ts';
import { badFlag, needing, type OptionTable, type OptionValues, option, under } from '../input/option-rows.ts';
import { readCheckpointFlag } from '../input/read-file.ts';
import { exitCodeOfFacts } from '../output/exit-code.ts';
import { printJson, printResult } from '../output/print.ts';

const OPTIONS = {
  ...FACT_OPTIONS,
  ...LITE_FACT_OPTIONS,
  ...under(
    OVER_LITE,
    needing(['lite', 'config'], {
      wallet: option.text('A', 'with a transaction: adds the state of your jetton wallet, which acceptDeposit needs'),
    }),
  ),
  ...under('output', {
    'all-signatures': option.flag('keep every valid signature; by default the fewest that make the block final'),
    out: option.text('FILE', 'file to write the certificate to'),
    json: option.flag('print one JSON object, schema ton-finality/certificate@1'),
  }),
} satisfies OptionTable;

type CertifyFlags = OptionValues<typeof OPTIONS>;

const signersOf = (options: CertifyFlags) => (options['all-signatures'] ? { signers: { keep: 'all' } as const } : {});

async function certifyFromFiles(words: readonly string[], options: CertifyFlags) {
  if (words.length === 0) requireNoOther(undefined, options);
  const facts =
    words.length === 0 ? [] : [await readFactInput(await readNamedQuestion(words, options, false), options)];
  return buildCertificate({ ...(await readBlockInputs(options)), facts, ...signersOf(options) });
}

async function certifyFromServers(plan: LitePlan, words: readonly string[], options: CertifyFlags) {
  const [kind = ''] = words;
  if (options.wallet !== undefined && !['transaction', 'message'].includes(kind)) {
    throw badFlag('wallet', 'expected a transaction that it goes with');
  }
  const wallet = options.wallet === undefined ? undefined : readAccount('wallet', options.wallet);
  const named = await readNamedQuestion(words, options, true);
  const { fetchFact } = await import('../servers/fetch-fact.ts');
  const checkpoint = await readCheckpointFlag(options);
  const asked = { ...named, checkpoint, options, wallet, forward: true } as const;
  return await fetchFact(plan, asked, ({ input, beside, proofs }) => {
    const facts = beside === undefined ? [input] : [input, beside];
    return buildCertificate({ checkpoint, proofs, facts, ...signersOf(options) });
  });
}

export const certifyCommand = defineCommand({
  usage: [
    '[transaction|message|account|config FILE] [options] --out FILE.fin.boc',
    'transaction|message|account|config --lite HOST:PORT:KEY --checkpoint FILE [options] --out FILE',
  ],
  about: `Writes a certificate: one file with everything needed to verify that a block is final and what it contains. To verify it: ton-finality verify --certificate FILE --anchor ID`,
  words: FACT_WORDS,
  options: OPTIONS,
  requires: [['out']],
  examples: [
    'certify --checkpoint c.json --signatures s.json --block b.boc --out b.fin.boc',
    'certify account a.tl --account 0:HEX --checkpoint c.json --proof p.tl --out a.boc',
  ],
  exit: '0 written, 1 written and proves an absence, 2 bad input or an invalid proof, 3 no server has the fact or servers disagree, 4 the checkpoint is too old, or too few servers agree',
  async run({ options, words }) {
    const out = options.out!; // required
    const plan = await readLitePlan(options);
    const certificate =
      plan === undefined ? await certifyFromFiles(words, options) : await certifyFromServers(plan, words, options);
    const bytes = certificateToBoc(certificate);
    await writeFileAtomically(out, bytes);
    const report = verifyCertificate(certificate, { anchor: certificate.anchor });
    const code = exitCodeOfFacts(report.facts);
    if (options.json) {
      await printJson(certificateToJson(certificate));
      return code;
    }
    const written = `written to ${out}: ${bytes.length} bytes, SHA-256 ${encodeHex(certificate.id)}`;
    const next = `the verifier must trust ${formatBlockId(certificate.anchor)}`;
    await printResult([renderCertificate(report), '', written, next].join('\n'));
    return code;
  },
});
