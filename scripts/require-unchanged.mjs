// Fails if git would show a change, or a new file, below a folder.
import { spawnSync } from 'node:child_process';

const folder = process.argv[2];
const { stdout, status } = spawnSync('git', ['status', '--porcelain', '--', folder], { encoding: 'utf8' });
if (status !== 0) process.exit(status ?? 1);
if (stdout !== '') {
  console.error(`${folder} is not what its source makes:\n${stdout}`);
  process.exit(1);
}
