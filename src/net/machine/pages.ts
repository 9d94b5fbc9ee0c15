/**
 * Which server is asked for the next page of a list that comes in pages. A server may give one row a page, or wait before each: every
 * row is proven, so that this is no lie, and takes hours. So a server that was slow, or gave less than it could, is asked after those
 * that were not, and after those that are not known yet. Pure.
 */

/** How a server gave its last page. */
export interface GivenPage {
  readonly rows: number;
  readonly ms: number;
  /** There was room for more. Of the last page of a list nothing follows. */
  readonly isShort: boolean;
}

/** Milliseconds for a page, after which other servers are tried. */
const SLOW_MS = 1_000;

/** The servers in the order in which they are asked; those that are alike stay as they were. */
export function inPageOrder<S>(servers: readonly S[], pageOf: (server: S) => GivenPage | undefined): readonly S[] {
  const costs = new Map(servers.map((server) => [server, costOf(pageOf(server))]));
  return [...servers].sort((a, b) => costs.get(a)! - costs.get(b)!);
}

/** Milliseconds a row of a page that was slow or short; any other comes before these, and a server that gave none in between. */
function costOf(page: GivenPage | undefined): number {
  if (page === undefined) return -1;
  const { rows, ms, isShort } = page;
  return isShort || ms > SLOW_MS ? ms / rows : -2;
}
