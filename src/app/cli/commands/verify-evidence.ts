/** `ton-finality verify-evidence`: checks the evidence of a fork, without any server. */
import { encodeHex } from '../../../core/base/bytes.ts';
import { MAX_PROOF_ANSWER_BYTES } from '../../../core/base/limits.ts';
import { blockIdToJson } from '../../../core/block/block-id-json.ts';
import { type ForkProof, verifyForkEvidence } from '../../../net/lite/fork-evidence.ts';
import { wideRow } from '../../report/layout.ts';
import { defineCommand } from '../command.ts';
import { readJsonAs } from '../input/read-file.ts';
import { JSON_OPTION } from '../input/shared-options.ts';
import { EXIT } from '../output/exit-code.ts';
import { printJson, printResult } from '../output/print.ts';

/** Most bytes: two answers in base64 with the members around them. */
const MAX_EVIDENCE_BYTES = 2 * Math.ceil((MAX_PROOF_ANSWER_BYTES * 4) / 3) + 1024 * 1024;

function render({ checkpoint, sides, signedBoth, signedBothWeight, totalWeight }: ForkProof): string {
  const numbers = [...new Set(sides.map(({ blockId }) => blockId.seqno))];
  return [
    `FORK: two certified masterchain blocks${numbers.length === 1 ? '' : ' that cannot both be valid,'} ${numbers.join(' and ')}`,
    '',
    checkpoint === undefined
      ? wideRow('set', 'from the file: compare its keys with those of the validators you know')
      : wideRow('key block', `${checkpoint.keyBlock.seqno}, root hash ${encodeHex(checkpoint.keyBlock.rootHash)}`),
    ...sides.flatMap(({ source, blockId }, at) => [
      '',
      wideRow(`block ${at + 1}`, `from ${source}, as the file says`),
      wideRow('root hash', encodeHex(blockId.rootHash)),
      wideRow('file hash', encodeHex(blockId.fileHash)),
    ]),
    '',
    wideRow('signed both', `${signedBoth.length} validators, weight ${signedBothWeight} of ${totalWeight}`),
    ...signedBoth.map((id) => wideRow('', encodeHex(id))),
  ].join('\n');
}

export const verifyEvidenceCommand = defineCommand({
  usage: ['FILE|- [--json]'],
  about: `Verifies the fork evidence that sync, verify, prove and follow write when two blocks of one number are certified. Both answers must be valid under the same key block, or under the validator set in the file. Prints where the two chains part and which validators signed both sides. The two blocks may have different numbers: a key block, and a later block that denies it.

Asks no server. Check for yourself that the key block, or the validator set, belongs to your chain. The names of the servers are unverified.`,
  words: { wanted: 'one FILE', count: [1, 1], rows: [['FILE, or -', 'fork evidence; - for standard input']] },
  options: JSON_OPTION,
  examples: ['verify-evidence fork-evidence-59379986.json', 'verify-evidence fork-evidence-59379986.json --json'],
  exit: '0 the evidence is valid: two such blocks exist, 2 it is not valid',
  async run({ options, words }) {
    const proof = await readJsonAs(words[0]!, verifyForkEvidence, { maxBytes: MAX_EVIDENCE_BYTES }); // exactly one is given
    if (options.json) {
      await printJson({
        schema: 'ton-finality/fork@1',
        seqno: proof.seqno,
        keyBlock: proof.checkpoint === undefined ? null : blockIdToJson(proof.checkpoint.keyBlock),
        blocks: proof.sides.map(({ source, blockId }) => ({ source, ...blockIdToJson(blockId) })),
        signedBoth: proof.signedBoth.map((id) => encodeHex(id)),
        signedBothWeight: String(proof.signedBothWeight),
        totalWeight: String(proof.totalWeight),
      });
    } else await printResult(render(proof));
    return EXIT.final;
  },
});
