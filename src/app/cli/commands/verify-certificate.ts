/** `ton-finality verify --certificate`: checks a certificate from the block that its reader trusts. */
import { UsageError } from '../../../core/base/errors.ts';
import { parseBlockId } from '../../../core/block/block-id.ts';
import { certificateReportToJson, verifyCertificateJson } from '../../../core/certificate/json.ts';
import { parseCertificate } from '../../../core/certificate/parse.ts';
import { verifyCertificate } from '../../../core/certificate/verify.ts';
import { parseCheckpoint } from '../../../core/chain/checkpoint.ts';
import { renderCertificate } from '../../report/render-facts.ts';
import { EXIT, exitCodeOfFacts } from '../exit-code.ts';
import { withFileName } from '../input/error-with-file.ts';
import { readJsonOrBytes } from '../input/json-or-bytes.ts';
import { helpHint, type OptionTable, parseOptions, readUint32Option } from '../input/options.ts';
import { inputName, readJson } from '../input/read-file.ts';
import { printJson, printResult } from '../output.ts';

const CERTIFICATE_USAGE = `usage: ton-finality verify --certificate FILE|- --anchor ID|--checkpoint FILE [options]

Checks a certificate, offline: from the block that you trust to the block it is for, and every fact in it.

  --certificate FILE                *.fin.boc, or its JSON
  --anchor ID                       the block that you trust, as (-1,8000000000000000,SEQNO):ROOT:FILE: the certificate
                                    has to start there
  --checkpoint FILE                 or a checkpoint of your own, whose key block is one of the certificate's
  --now SECONDS                     the block is claimed to be a head: judge the age of its validators by this time
  --json                            one object, schema ton-finality/certificate-report@1

exit code: 0 final, 1 final, and something is proven absent, 2 bad input or a proof that does not hold,
           4 undecided: without an anchor nothing is proven`;

const OPTIONS = {
  certificate: { type: 'string' },
  anchor: { type: 'string' },
  checkpoint: { type: 'string' },
  now: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies OptionTable;

/** @param words the command line after `verify`, with --certificate in it @returns the exit code */
export async function verifyCertificateCommand(words: readonly string[]): Promise<number> {
  const { values: options, positionals } = parseOptions(words, OPTIONS, 'verify --certificate');
  if (options.help === true) {
    await printResult(CERTIFICATE_USAGE);
    return EXIT.final;
  }
  const file = options.certificate;
  if (file === undefined || positionals.length > 0) {
    throw new UsageError('usage/bad-option', 'expected --certificate FILE and nothing beside it', {
      hint: helpHint('verify --certificate'),
    });
  }
  if (options.anchor !== undefined && options.checkpoint !== undefined) {
    throw new UsageError('usage/bad-option', 'expected one of --anchor and --checkpoint, got both', {
      path: '--anchor',
    });
  }
  const anchorText = options.anchor;
  const anchor = anchorText === undefined ? {} : { anchor: withFileName('--anchor', () => parseBlockId(anchorText)) };
  const read = await readJsonOrBytes(file);
  const checkpointFile = options.checkpoint;
  const json = checkpointFile === undefined ? undefined : await readJson(checkpointFile);
  const trusted = {
    ...anchor,
    ...(checkpointFile === undefined
      ? {}
      : { checkpoint: withFileName(inputName(checkpointFile), () => parseCheckpoint(json)) }),
    ...(options.now === undefined ? {} : { nowSeconds: readUint32Option('now', options.now) }),
  };
  const named = <T>(parse: () => T) => withFileName(inputName(file), parse);
  const report =
    'json' in read
      ? named(() => verifyCertificateJson(read.json, trusted))
      : verifyCertificate(
          named(() => parseCertificate(read.bytes)),
          trusted,
        );
  if (options.json === true) await printJson(certificateReportToJson(report));
  else await printResult(renderCertificate(report));
  return report.verdict.status === 'final' ? exitCodeOfFacts(report.facts) : EXIT.undecided;
}
