/** Links of a folder of HTML: every file and every place in it that a page names has to be there. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';

const decode = (text) => text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');

const ATTRIBUTE = /[\s/]*([^\s"'<>=/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/y;

/** Name, in small letters, and value of every attribute, however it is written. */
function* attributesOf(html) {
  const markup = html.replace(/<!--[\s\S]*?-->/g, '').replace(/(<(script|style)\b[^>]*>)[\s\S]*?<\/\2\s*>/gi, '$1');
  for (const { 0: start, index } of markup.matchAll(/<[a-z][^\s/>]*/gi)) {
    ATTRIBUTE.lastIndex = index + start.length;
    for (let found = ATTRIBUTE.exec(markup); found !== null; found = ATTRIBUTE.exec(markup)) {
      const [, name, double, single, bare] = found;
      yield [name.toLowerCase(), decode(double ?? single ?? bare ?? '')];
    }
  }
}

function linksOf(html) {
  return [...attributesOf(html)].flatMap(([name, value]) => {
    if (name === 'href' || name === 'src') return [value];
    if (name !== 'srcset') return [];
    return value.split(/,\s+|,$/).flatMap((one) =>
      one
        .trim()
        .split(/\s+/, 1)
        .filter((url) => url !== ''),
    );
  });
}

/** A name that cannot be read names nothing. */
function plainOf(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/**
 * @param base the folder of its host that the site is served from: links that begin with a slash begin with it
 * @returns the file and what in it leads nowhere
 */
export function brokenLinks(root, files, base = '/') {
  const ids = new Map();
  const idsOf = (file) => {
    if (!ids.has(file)) {
      const named = [...attributesOf(readFileSync(file, 'utf8'))].filter(([name]) => name === 'id' || name === 'name');
      ids.set(file, new Set(named.map(([, value]) => value)));
    }
    return ids.get(file);
  };
  const leadsNowhere = (file, link) => {
    if (/^(?:https?|mailto|data):/i.test(link)) return false;
    const [path, place = ''] = link.split('#', 2);
    const [plain, id] = [plainOf(path.split('?', 1)[0]), plainOf(place)];
    // A name with a colon after it is a scheme, such as that of a script.
    if (plain === undefined || id === undefined || /^\s*[a-z][a-z0-9+.-]*:/i.test(plain)) return true;
    if (plain.startsWith('/') && !plain.startsWith(base)) return true;
    const target =
      plain === '' ? file : plain.startsWith('/') ? join(root, plain.slice(base.length)) : join(dirname(file), plain);
    const page = existsSync(target) && statSync(target).isDirectory() ? join(target, 'index.html') : target;
    if (!page.startsWith(resolve(root) + sep) || !existsSync(page)) return true;
    return id !== '' && page.endsWith('.html') && !idsOf(page).has(id);
  };
  return files.flatMap((file) =>
    [...new Set(linksOf(readFileSync(file, 'utf8')))]
      .filter((link) => leadsNowhere(file, link))
      .map((link) => ({ file, link })),
  );
}
