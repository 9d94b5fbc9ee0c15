// Fails if git would show a change, or a new file, below folders.
import { spawnSync } from 'node:child_process';

const folders = process.argv.slice(2);
const { stdout, status } = spawnSync('git', ['status', '--porcelain', '--', ...folders], { encoding: 'utf8' });
if (status !== 0) process.exit(status ?? 1);
if (stdout !== '') {
  console.error(`${folders.join(', ')}: not what their sources make:\n${stdout}`);
  process.exit(1);
}
