/** Writes what every command prints with `--help` to the end of `docs/cli.md`. Run it after a build. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { COMMANDS } from '../build/src/app/cli/commands.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = join(root, 'docs', 'cli.md');
const HEADING = '## Help texts\n';

const names = ['', ...COMMANDS.map(({ name }) => name)];
const sections = names.map((name) => {
  const command = ['ton-finality', ...name.split(' ').filter(Boolean), '--help'];
  const cli = join(root, 'build/bundle/app/cli/cli.js');
  const text = execFileSync(process.execPath, [cli, ...command.slice(1)], { encoding: 'utf8' });
  return `### ton-finality${name === '' ? '' : ` ${name}`}\n\n\`\`\`console\n$ ${command.join(' ')}\n${text}\`\`\`\n`;
});
const text = readFileSync(page, 'utf8');
const end = text.indexOf(HEADING);
if (end < 0) throw new Error(`${page} has no heading of help texts`);
writeFileSync(page, `${text.slice(0, end)}${HEADING}\n${sections.join('\n')}`);
