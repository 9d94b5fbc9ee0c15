// The page of demo/: says where it is, and with --port N serves it on loopback until Ctrl-C.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { bundleDemo, DEMO_PAGE } from './bundle-demo.mjs';

const { values } = parseArgs({ options: { port: { type: 'string' } } });
await bundleDemo();
console.log(`one file, which works from where it is: ${pathToFileURL(DEMO_PAGE).href}`);

if (values.port !== undefined) {
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error('expected --port with a number up to 65535');
  const server = createServer(({ method, url }, response) => {
    const isPage = method === 'GET' && (url === '/' || url === '/index.html');
    response.writeHead(isPage ? 200 : 404, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
    response.end(isPage ? readFileSync(DEMO_PAGE) : '');
  });
  server.listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/`));
}
