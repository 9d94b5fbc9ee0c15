/** `ton-finality verify --certificate`: checks a certificate from a block that its verifier trusts. */
import { present } from '../../../core/base/present.ts';
import { parseBlockId } from '../../../core/block/block-id.ts';
import { verifyCertificateJson } from '../../../core/certificate/json.ts';
import { parseCertificate } from '../../../core/certificate/parse.ts';
import { verifyCertificate } from '../../../core/certificate/verify.ts';
import { withFileName } from '../../files/with-file-name.ts';
import { renderCertificate } from '../../report/render-facts.ts';
import { defineCommand } from '../command.ts';
import { option } from '../input/option-rows.ts';
import { inputName, readCheckpointFlag, readJsonOrBytes } from '../input/read-file.ts';
import { EXIT, exitCodeOfFacts } from '../output/exit-code.ts';
import { printJson, printResult } from '../output/print.ts';

export const verifyCertificateCommand = defineCommand({
  usage: ['--certificate FILE|- --anchor ID|--checkpoint FILE [options]'],
  about: 'Verifies a certificate offline: every step from the block you trust to the certified block, and every fact.',
  words: { wanted: 'only options, with --certificate FILE', count: [0, 0] },
  options: {
    certificate: option.text('FILE', 'certificate (*.fin.boc) or its JSON; - for standard input'),
    anchor: {
      ...option.text(
        'ID',
        'block you trust, as (-1,8000000000000000,SEQNO):ROOT:FILE; the certificate must start there',
      ),
      not: ['checkpoint'],
    },
    checkpoint: option.text('FILE', "or your own checkpoint; its key block must be one of the certificate's"),
    now: option.unixTime(
      'treat the block as the newest, and check the age of its validators against this time (Unix time)',
    ),
    json: option.flag('print one JSON object, schema ton-finality/certificate-report@1'),
  },
  insteadOf: { strict: 'leave it out: every step of a certificate is proven; --now checks the age of the validators' },
  requires: [['certificate']],
  examples: [
    "verify --certificate b.fin.boc --anchor '(-1,8000000000000000,59238081):ROOT:FILE'",
    'verify --certificate block.fin.boc --checkpoint checkpoint.json --json',
  ],
  exit: '0 final, 1 final and an absence is proven, 2 bad input or an invalid proof, 4 undecided: without an anchor nothing is proven',
  async run({ options }) {
    const { certificate, anchor, checkpoint, now, json } = options;
    const file = certificate!; // required
    const trusted = present({
      anchor: anchor === undefined ? undefined : withFileName('--anchor', () => parseBlockId(anchor)),
      checkpoint: checkpoint === undefined ? undefined : await readCheckpointFlag(options),
      nowSeconds: now,
    });
    const read = await readJsonOrBytes(file);
    const named = <T>(parse: () => T) => withFileName(inputName(file), parse);
    const report =
      'json' in read
        ? named(() => verifyCertificateJson(read.json, trusted))
        : verifyCertificate(
            named(() => parseCertificate(read.bytes)),
            trusted,
          );
    if (json) await printJson(report);
    else await printResult(renderCertificate(report));
    return report.verdict.status === 'final' ? exitCodeOfFacts(report.facts) : EXIT.undecided;
  },
});
