/**
 * The number of witnesses that several servers count as. One operator who rents one address block, or has one host name, can run any
 * number of servers in it, so they count as one voice. Servers of one /24 (IPv4) or /48 (IPv6) are one, and so are servers of
 * one host name. Servers on this machine belong to its user, so each of them counts. Pure: no name is looked up.
 */

/** A server, by its label and its host. */
export interface Speaker {
  readonly name: string;
  /** A host name or an address. Default: the host in a label with a scheme, such as `lite://1.2.3.4:4924/0f1e2d3c`. */
  readonly host?: string;
}

function hostIn(name: string): string | undefined {
  const found = /^[a-z][a-z0-9+.-]*:\/\/(?:\[([^\]/]*)\]|([^:/?#]+))/i.exec(name);
  return found?.[1] ?? found?.[2];
}

/**
 * Returns the four bytes of an IPv4 address, in any form that systems accept: with fewer parts, in hexadecimal or
 * octal.
 */
function ipv4Of(host: string): readonly number[] | undefined {
  const parts = host.split('.');
  if (parts.length > 4 || !parts.every((part) => /^(?:0x[0-9a-f]*|[0-9]+)$/.test(part))) return undefined;
  const numbers = parts.map((part) => (/^0[0-7]+$/.test(part) ? Number.parseInt(part, 8) : Number(part)));
  const last = numbers.pop()!; // there is one
  const rest = 256 ** (4 - numbers.length);
  if (!(last < rest) || !numbers.every((number) => number < 256)) return undefined;
  const tail = [3, 2, 1, 0].slice(numbers.length).map((at) => Math.floor(last / 256 ** at) % 256);
  return [...numbers, ...tail];
}

/** Returns the eight groups of an IPv6 address. */
function ipv6Of(host: string): readonly number[] | undefined {
  const url = `http://[${host.replace(/%.*/, '')}]`;
  if (!host.includes(':') || !URL.canParse(url)) return undefined;
  // In a URL, an IPv4 address at the end is written as two groups.
  const [head = '', tail = ''] = new URL(url).hostname.slice(1, -1).split('::');
  const groupsOf = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)));
  const [first, last] = [groupsOf(head), groupsOf(tail)];
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => 0);
  return [...first, ...zeros, ...last];
}

/** Returns the IPv4 address inside an IPv6 address: mapped, compatible, translated, or 6to4. */
function ipv4In(groups: readonly number[]): readonly number[] | undefined {
  const start = groups.slice(0, 6).join(':');
  const isEmbedded = start === '0:0:0:0:0:65535' || start === '0:0:0:0:0:0' || start === '100:65435:0:0:0:0';
  const at = groups[0] === 0x2002 ? 1 : isEmbedded ? 6 : undefined;
  if (at === undefined) return undefined;
  return groups.slice(at, at + 2).flatMap((group) => [Math.floor(group / 256), group % 256]);
}

/** Returns what two servers have in common if they count as one voice. */
function voiceOf({ name, host = hostIn(name) }: Speaker): string {
  const own = `server ${name}`;
  if (host === undefined) return own;
  const text = host.toLowerCase().replace(/\.$/, '');
  if (/^(?:.*\.)?localhost$/.test(text)) return own;
  const groups = ipv6Of(text);
  if (groups?.join(':') === '0:0:0:0:0:0:0:1') return own;
  const bytes = groups === undefined ? ipv4Of(text) : ipv4In(groups);
  if (bytes?.[0] === 127) return own;
  if (bytes !== undefined) return `ipv4 ${bytes.slice(0, 3).join('.')}`;
  return groups === undefined ? `host ${text}` : `ipv6 ${groups.slice(0, 3).join(':')}`;
}

/**
 * Returns the number of witnesses that servers count as.
 * @param prover the server that gave the proof; servers of its voice are not witnesses
 * @param countEach whether each server counts, whatever its address
 */
export function voicesOf(servers: readonly Speaker[], prover?: Speaker, countEach = false): number {
  const voice = countEach ? ({ name }: Speaker) => name : voiceOf;
  const own = prover === undefined ? undefined : voice(prover);
  return new Set(servers.map(voice).filter((one) => one !== own)).size;
}
