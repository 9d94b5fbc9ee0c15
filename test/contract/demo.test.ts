/** The page of `demo/` is one small file that names nothing outside itself, and its policy allows just what it needs. */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { demoPage } from '../../scripts/bundle-demo.mjs';

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

describe('the page', () => {
  let page: string;
  const only = (pattern: RegExp): string => {
    const found = [...page.matchAll(pattern)];
    expect(found).toHaveLength(1);
    return found[0]![1]!;
  };
  beforeAll(async () => {
    page = await demoPage();
  });

  it('has at most 150 kB gzipped', () => {
    expect(gzipSync(page, { level: 9 }).length).toBeLessThanOrEqual(150_000);
  });

  it('lets its one script and its one style run by their hashes, and nothing else', () => {
    const script = only(/<script>([\s\S]*?)<\/script>/g);
    const style = only(/<style>([\s\S]*?)<\/style>/g);
    expect(only(/http-equiv="Content-Security-Policy" content="([^"]*)"/g).split('; ')).toEqual([
      "default-src 'none'",
      `script-src ${hashOf(script)} 'wasm-unsafe-eval'`,
      `style-src ${hashOf(style)}`,
      'worker-src blob:',
      'img-src data:',
      'connect-src https: http://localhost:* http://127.0.0.1:*',
      "base-uri 'none'",
      "form-action 'none'",
    ]);
  });

  it('leads nowhere: no file beside it, no style of an element, no handler in its markup', () => {
    const markup = page.replace(/<(script|style)>[\s\S]*?<\/\1>/g, '');
    expect(markup.match(/\s(?:src|href|style|on\w+)="[^"]*"/g)).toEqual([' href="data:,"', ' href="#result"']);
  });
});
