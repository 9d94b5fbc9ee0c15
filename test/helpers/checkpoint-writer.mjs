/**
 * A program that keeps a checkpoint in a file until it is killed: `write FILE A B` writes one of two over the other as fast as it can,
 * `keep FILE CONFIG` keeps it fresh over lite servers. It says a line for each time that the file was written.
 */
import { readFileSync } from 'node:fs';
import { keepCheckpoint, readCheckpoint, writeCheckpoint } from 'ton-finality/node';
import { connectLite, parseGlobalConfig } from 'ton-finality/servers';

const [, , what, file, ...names] = process.argv;

if (what === 'write') {
  const two = names.map((name) => readCheckpoint(name));
  for (let k = 0; ; k++) {
    writeCheckpoint(file, two[k % 2]);
    process.stdout.write('written\n');
    if (k % 16 === 0) await new Promise((go) => setImmediate(go));
  }
} else {
  const { servers } = parseGlobalConfig(JSON.parse(readFileSync(names[0], 'utf8')));
  const clients = servers.map((server) => connectLite(server));
  const onProgress = ({ checkpoint }) => void process.stdout.write(`${checkpoint.keyBlock.seqno}\n`);
  await keepCheckpoint(file, clients, { everySeconds: 0.005, maxHeadAgeSeconds: 3600, onProgress });
}
