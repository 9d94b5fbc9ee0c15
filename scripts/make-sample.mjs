/**
 * Copies two recorded blocks into `src/app/sample/recorded.ts`, for those who have the package and not the repository. Needs a
 * build: the header proof is cut out of the block as the library cuts proofs. `test/unit/sample.test.ts` compares them.
 *
 *   node scripts/make-sample.mjs
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const load = (path) => import(join(root, 'build', 'src', path));
const read = (path) => readFileSync(join(root, 'vectors', 'real', path));
const json = (path) => JSON.parse(read(path).toString('utf8'));

/** Formats JSON with a line for each object that holds no other, so that a list of entries reads as a table. */
function tableOf(value) {
  return JSON.stringify(value, null, 1).replace(
    /\{([^{}[\]]+)\}/g,
    (_, members) => `{${members.replace(/\n\s*/g, ' ')}}`,
  );
}

export const SIMPLEX = 'mainnet-2026-04-simplex/block-59379986';
export const ORDINARY = 'mainnet-2020-04-06/block-3082200';

function sourceOf(name) {
  const { source } = json('index.json').find(({ id }) => id === name);
  return source.map(({ repository, path, commit }) => `${repository}, ${path}, commit ${commit}`).join('; ');
}

/** The validators of the masterchain alone: the others of the list sign nothing here, and would be three quarters of the sample. */
export function mainValidators(name) {
  const { validators, main, ...rest } = json(`${name}/validators.json`);
  const own = validators.slice(0, main);
  const total_weight = String(own.reduce((sum, { weight }) => sum + BigInt(weight), 0n));
  return { ...rest, total: main, main, total_weight, validators: own };
}

/** The Merkle proof of what a reader of the header opens, in a bag of cells. */
export async function cutHeaderProof(name) {
  const { openBlock, readProvenBlock } = await load('core/chain/block-header.js');
  const { buildMerkleProof } = await load('core/cells/build-proof.js');
  const { parseSignatureList } = await load('core/block/signature-list.js');
  const { blockId } = parseSignatureList(json(`${name}/signatures.json`));
  const { root: block } = openBlock(Uint8Array.from(read(`${name}/block.boc`)), 'block');
  readProvenBlock(block, blockId, 'block', 'if-shown');
  return buildMerkleProof(block);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const proof = Buffer.from(await cutHeaderProof(ORDINARY)).toString('base64');
  const constant = (name, type, value) => `export const ${name}: ${type} = ${value};\n`;
  writeFileSync(
    join(root, 'src', 'app', 'sample', 'recorded.ts'),
    `/**
 * Two recorded mainnet blocks, copied from \`vectors/real\` by \`scripts/make-sample.mjs\`; not edited by hand. They come from:
 *  ${SIMPLEX}: ${sourceOf(SIMPLEX)}
 *  ${ORDINARY}: ${sourceOf(ORDINARY)}
 */

/** \`${SIMPLEX}/signatures.json\` */
${constant('SIMPLEX_SIGNATURES', 'unknown', tableOf(json(`${SIMPLEX}/signatures.json`)))}
/** The first \`main\` entries of \`${SIMPLEX}/validators.json\`. */
${constant('SIMPLEX_VALIDATORS', 'unknown', tableOf(mainValidators(SIMPLEX)))}
/** \`${ORDINARY}/signatures.json\` */
${constant('ORDINARY_SIGNATURES', 'unknown', tableOf(json(`${ORDINARY}/signatures.json`)))}
/** The first \`main\` entries of \`${ORDINARY}/validators.json\`. */
${constant('ORDINARY_VALIDATORS', 'unknown', tableOf(mainValidators(ORDINARY)))}
/** The header of \`${ORDINARY}/block.boc\`, cut out as a Merkle proof; base64. */
${constant('ORDINARY_HEADER_PROOF', 'string', `'${proof}'`)}`,
  );
}
