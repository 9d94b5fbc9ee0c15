/**
 * Preloaded, it leaves a process no way to a network: every door that Node has to one throws, and is counted. `node --import` this file.
 * The count is the last line of stderr, so that a test sees that the doors were shut and that nothing knocked.
 */
import dgram from 'node:dgram';
import dns from 'node:dns';
import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import tls from 'node:tls';

let knocked = 0;

function shut(owner, names) {
  for (const name of names) {
    owner[name] = () => {
      knocked += 1;
      throw new Error(`${name}: this process has no network`);
    };
  }
}

shut(net, ['connect', 'createConnection', 'createServer']);
shut(net.Socket.prototype, ['connect']);
shut(tls, ['connect', 'createServer']);
shut(dgram, ['createSocket']);
shut(http, ['request', 'get', 'createServer']);
shut(https, ['request', 'get']);
shut(http2, ['connect']);
for (const owner of [dns, dns.promises]) shut(owner, ['lookup', 'resolve', 'resolve4', 'resolve6', 'resolveTxt']);
shut(globalThis, ['fetch', 'WebSocket', 'EventSource']);
syncBuiltinESMExports();
process.on('exit', () => process.stderr.write(`network: ${knocked}\n`));
