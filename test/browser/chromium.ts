/** A headless Chromium, and the loopback server that its pages come from. */
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { chromium, type Page } from 'playwright-core';

/** Where Debian's package `chromium` puts it; `CHROMIUM` names another one. */
const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** False is a reason to skip, but not where `CI=true`: there the file fails. */
export const hasChromium: boolean = existsSync(EXECUTABLE);

if (!hasChromium) {
  const missing = `${EXECUTABLE} is missing: see CONTRIBUTING.md on how to install Chromium`;
  if (process.env.CI === 'true') throw new Error(missing);
  console.warn(`\nBROWSER TESTS ARE SKIPPED: ${missing}\n`);
}

/** One file of the site. */
export interface Resource {
  readonly type:
    | 'text/html'
    | 'text/javascript'
    | 'application/json'
    | 'text/css'
    | 'text/plain'
    | 'image/svg+xml'
    | 'image/png';
  readonly body: string | Uint8Array;
  /** Content-Security-Policy, if any. */
  readonly policy?: string;
}

export interface Site {
  /** Opens a path of the site in a page of its own. */
  open(path: string, options?: { readonly javaScript?: boolean }): Promise<Page>;
  /** Opens a file of this machine; `before` is done with the page first. */
  openFile(file: string, before?: (page: Page) => Promise<void>): Promise<Page>;
  /** What was asked of this server. */
  readonly served: readonly string[];
  /** What the pages and their workers asked of others. */
  readonly elsewhere: readonly string[];
  /** What reached this server as a proxy: the former, and what Chromium wants for itself whatever its flags say. */
  readonly refused: readonly string[];
  /** Uncaught errors and rejections of the pages. */
  readonly pageErrors: readonly Error[];
  /** Errors and warnings in their consoles. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

/**
 * Serves the resources and starts the browser, with these flags of its own beside. The server is the browser's proxy too: Chromium sends it whatever is not for
 * loopback, where it is noted and refused. So no page reaches beyond this machine.
 */
export async function openSite(
  resources: Readonly<Record<string, Resource>>,
  flags: readonly string[] = [],
): Promise<Site> {
  const served: string[] = [];
  const elsewhere: string[] = [];
  const refused: string[] = [];
  const pageErrors: Error[] = [];
  const complaints: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    if (!url.startsWith('/')) {
      refused.push(url);
      response.writeHead(403).end();
      return;
    }
    served.push(url);
    const resource = resources[url];
    if (resource === undefined) {
      response.writeHead(404).end();
      return;
    }
    const { type, body, policy } = resource;
    response.setHeader('content-type', `${type}; charset=utf-8`);
    if (policy !== undefined) response.setHeader('content-security-policy', policy);
    response.end(body);
  });
  server.on('connect', ({ url = '' }, socket) => {
    refused.push(url);
    socket.on('error', () => {}); // Chromium may hang up first
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port, so the address is no string or null
  const origin = `http://127.0.0.1:${port}`;

  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  const browser = await chromium
    .launch({
      executablePath: EXECUTABLE,
      headless: true,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        `--proxy-server=127.0.0.1:${port}`,
        ...flags,
      ],
    })
    .catch(async (error: unknown) => {
      await stop();
      throw error;
    });

  async function watchedPage(isOwn: (url: string) => boolean, javaScriptEnabled = true): Promise<Page> {
    const page = await browser.newPage({ javaScriptEnabled });
    page.on('pageerror', (error) => pageErrors.push(error));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('request', (request) => {
      if (!isOwn(request.url())) elsewhere.push(request.url());
    });
    return page;
  }

  return {
    served,
    elsewhere,
    refused,
    pageErrors,
    complaints,
    async open(path, { javaScript = true } = {}) {
      const page = await watchedPage((url) => new URL(url).origin === origin, javaScript);
      await page.goto(`${origin}${path}`);
      return page;
    },
    async openFile(file, before) {
      const { href } = pathToFileURL(file);
      const page = await watchedPage((url) => url === href || /^(?:blob|data):/.test(url));
      await before?.(page);
      await page.goto(href);
      return page;
    },
    async close() {
      await browser.close();
      await stop();
    },
  };
}
