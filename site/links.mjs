/** Links of a folder of HTML: every file and every place in it that a page names has to be there. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

const decode = (text) => text.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"');

/** @returns the file and what in it leads nowhere */
export function brokenLinks(root, files) {
  const ids = new Map();
  const idsOf = (file) => {
    if (!ids.has(file)) {
      const found = readFileSync(file, 'utf8').matchAll(/\s(?:id|name)="([^"]*)"/g);
      ids.set(file, new Set(Array.from(found, ([, id]) => decode(id))));
    }
    return ids.get(file);
  };
  return files.flatMap((file) => {
    const links = readFileSync(file, 'utf8')
      .replace(/<(script|style)\b[^>]*>[\s\S]*?<\/\1>/g, '')
      .matchAll(/<[a-z][^>]*?\s(?:href|src)="([^"]*)"/g);
    const leadsNowhere = (link) => {
      if (/^(?:https?|mailto|data|javascript):/.test(link)) return false;
      const [path, place] = decode(link).split('#', 2);
      const plain = decodeURIComponent(path.split('?', 1)[0]);
      const target = plain === '' ? file : join(plain.startsWith('/') ? root : dirname(file), plain);
      const page = existsSync(target) && statSync(target).isDirectory() ? join(target, 'index.html') : target;
      if (!page.startsWith(root) || !existsSync(page)) return true;
      const isPlace = place !== undefined && place !== '' && page.endsWith('.html');
      return isPlace && !idsOf(page).has(decodeURIComponent(place));
    };
    return [...new Set(Array.from(links, ([, link]) => link))].filter(leadsNowhere).map((link) => ({ file, link }));
  });
}
