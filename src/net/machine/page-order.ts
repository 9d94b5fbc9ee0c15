/**
 * Decides which server is asked for the next page of a list. A server may send one row a page, or wait before each
 * page. Such pages are proven and no lie, but they would take hours. A server that was slow, or that sent less than it
 * could, is therefore asked after the others, known or unknown. Pure.
 */

/** How a server sent its last page. */
export interface GivenPage {
  readonly rows: number;
  readonly ms: number;
  /** Whether the page had room for more rows. The last page of a list is not short, because nothing follows it. */
  readonly isShort: boolean;
}

/** Milliseconds of a page after which other servers are tried. */
const SLOW_MS = 250;

/** Returns the servers in the order in which they are asked; servers of equal cost keep their order. */
export function inPageOrder<S>(servers: readonly S[], pageOf: (server: S) => GivenPage | undefined): readonly S[] {
  const costs = new Map(servers.map((server) => [server, costOf(pageOf(server))]));
  return [...servers].sort((a, b) => costs.get(a)! - costs.get(b)!);
}

/**
 * Returns the milliseconds for each row of a slow or short page. Other pages cost less, also by row, and an unknown
 * server is in between.
 */
function costOf(page: GivenPage | undefined): number {
  if (page === undefined) return -1;
  const { rows, ms, isShort } = page;
  return ms / rows - (isShort || ms > SLOW_MS ? 0 : SLOW_MS + 2);
}
