// Plays the other side of a bridge: pays each key once, and answers 409 to a key that it has paid. Port 8090.
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

const paid = new Map();

createServer(async (request, response) => {
  if (request.method === 'GET') return response.end(`${JSON.stringify([...paid.values()])}\n`);
  const order = await text(request);
  const { asset, amount, recipient } = JSON.parse(order);
  response.statusCode = paid.has(request.url) ? 409 : 200;
  if (response.statusCode === 200) paid.set(request.url, { asset, amount, recipient });
  return response.end();
}).listen(8090, '127.0.0.1');
