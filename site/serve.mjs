/** Serves a built site on loopback, to look at it. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, resolve, sep } from 'node:path';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

/** The file behind an address; undefined where there is none, or where it leads out of the folder. */
function fileAt(folder, base, url) {
  const { pathname } = new URL(url, 'http://site');
  if (!pathname.startsWith(base)) return undefined;
  const named = join(folder, decodeURIComponent(pathname.slice(base.length)));
  if (named !== resolve(folder) && !named.startsWith(resolve(folder) + sep) && named !== resolve(folder) + sep)
    return undefined;
  const file = existsSync(named) && statSync(named).isDirectory() ? join(named, 'index.html') : named;
  return existsSync(file) ? file : undefined;
}

/** @returns where it is, once it is there */
export async function serveSite(folder, base, port) {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error('--port: wanted a number up to 65535');
  const server = createServer(({ url }, response) => {
    let file;
    try {
      file = fileAt(folder, base, url);
    } catch {
      // an address that cannot be read
    }
    const shown = file ?? join(folder, '404.html');
    response.writeHead(file === undefined ? 404 : 200, {
      'content-type': TYPES[extname(shown)] ?? 'text/plain; charset=utf-8',
    });
    response.end(readFileSync(shown));
  });
  await new Promise((listening) => server.listen(port, '127.0.0.1', listening));
  return `http://127.0.0.1:${server.address().port}${base}`;
}
