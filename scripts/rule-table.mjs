/** docs/rules.md, made of conformance/rules.json and the cases of the suite: `npm run docs`. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const suite = join(root, 'conformance', 'suite');

/** The operations in the order in which trust moves, with what each asks. */
const OPERATIONS = [
  ['ed25519', 'one signature'],
  ['signatures', 'the signatures of a block'],
  ['validator-set', 'who signs under a configuration'],
  ['boc', 'bags of cells'],
  ['block-header', 'the header of a block'],
  ['proof-chain', 'a chain of proofs'],
  ['shard-link', 'the block of a shard'],
  ['transaction', 'a transaction in a block'],
  ['account', 'an account after a block'],
  ['config-param', 'a parameter of the configuration'],
  ['certificate', 'a certificate'],
];

/** The table as data: each rule once. */
export function rules() {
  return JSON.parse(readFileSync(join(root, 'conformance', 'rules.json'), 'utf8'));
}

function allCases() {
  return readdirSync(suite)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => JSON.parse(readFileSync(join(suite, name), 'utf8')).cases);
}

function countsOf(cases) {
  const count = (result) => cases.filter(({ expect }) => expect.result === result).length;
  const either = count('either');
  return `${count('accept')} + ${count('reject')}${either > 0 ? ` + ${either}` : ''}`;
}

/** The page as it has to be. */
export function rulePage(cases = allCases()) {
  const parts = OPERATIONS.map(([operation, what]) => {
    const own = cases.filter((one) => one.operation === operation);
    const rows = rules()
      .map((rule) => [rule, own.filter((one) => one.rule === rule.id)])
      .filter(([, some]) => some.length > 0)
      .map(([{ id, statement, node, ours, codes }, some]) => {
        const source = node === undefined ? 'ours' : `\`${node.file.replace(/^ton /, '')}\`, ${node.function}`;
        const said = codes.length === 0 ? 'no error: `false`' : codes.map((code) => `\`${code}\``).join(', ');
        return `| \`${id}\` | ${statement} | ${source} | \`${ours.file.replace(/^src\//, '')}\`, ${ours.function} | ${said} | ${countsOf(some)} |`;
      });
    const head = ['| rule | what holds | in the node | here | code | cases |', '| --- | --- | --- | --- | --- | --- |'];
    return [`## \`${operation}\`: ${what}`, '', `${own.length} cases.`, '', ...head, ...rows].join('\n');
  });
  return [
    '# Rules of finality',
    '',
    'Every rule that has to hold before something is final, in one sentence. Each has its source in the node of the network (ton-blockchain/ton), the',
    'function that applies it here, and the code of the error. `npm run docs` makes this page from `conformance/rules.json` and the cases of the suite.',
    '',
    'Each rule has cases in [the conformance suite](../conformance/README.md). Some must be accepted. Others must be rejected, and differ from an accepted',
    'case in one thing. The column _cases_ counts both, accepted + rejected, and then the cases on which sane implementations differ. The id of a case',
    'begins with the operation and the rule.',
    '',
    `${parts.join('\n\n')}\n`,
  ].join('\n');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(join(root, 'docs/rules.md'), rulePage());
}
