import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readVector } from '../helpers/vectors.ts';
import { bundleCode, bundleProgram, pageWith } from './bundle.ts';
import { call } from './call.ts';
import { hasChromium, openSite, type Site } from './chromium.ts';
import type { HttpProgram } from './http-program.ts';

const INFO = JSON.stringify(readVector('http/v2-getMasterchainInfo-python-41579322.json'));

describe.skipIf(!hasChromium)('the servers entry in Chromium', () => {
  let site: Site;
  let page: Page;
  const apis: Server[] = [];

  async function startApi(headers: Readonly<Record<string, string>>): Promise<string> {
    const api = createServer((_, response) => response.writeHead(200, headers).end(INFO));
    await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
    apis.push(api);
    return `http://127.0.0.1:${(api.address() as AddressInfo).port}/api/v2`;
  }

  beforeAll(async () => {
    const { resource } = await bundleProgram('http-program');
    site = await openSite({ '/': pageWith('/http.js'), '/http.js': resource });
    page = await site.open('/');
  });
  afterAll(async () => {
    await site?.close();
    for (const api of apis) api.close();
  });

  it('asks a server that allows the page', async () => {
    const api = await startApi({ 'access-control-allow-origin': '*' });
    expect(await call<HttpProgram, 'head'>(page, 'head', api)).toEqual({ head: 41579322 });
  });

  it('says that a server may not allow the page, since the browser does not tell', async () => {
    const answer = await call<HttpProgram, 'head'>(page, 'head', await startApi({}));
    expect(answer).toMatchObject({ code: 'source/upstream', hint: expect.stringContaining('CORS') });
  });
});

it.each([
  ['export * from', true],
  ['export { firstOf } from', false],
])(
  'a bundle for browsers that says %s ton-finality/servers takes no module of Node, and nothing of undici',
  async (what, hasTransport) => {
    const { inputs, used, warnings } = await bundleCode(`${what} 'ton-finality/servers';`);
    expect(warnings).toEqual([]);
    expect(inputs.filter((input) => /undici|default-transport\.js|decompress/.test(input))).toEqual([]);
    expect(used.includes('build/src/net/toncenter/default-transport-browser.js')).toBe(hasTransport);
    const others = used.filter((name) => /src\/(?:app|net\/(?:adnl|lite|toncenter))\//.test(name));
    expect(others.length > 0).toBe(hasTransport);
  },
);
