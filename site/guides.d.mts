/** The repository. */
export const root: string;

/** The guides of the site in their order, each with its pages as files of the repository. */
export const GUIDES: readonly { readonly name: string; readonly pages: readonly string[] }[];

/** A page's address in the site without its ending. */
export function addressOf(file: string): string;

/** Every page with the guide that shows it. */
export function pages(): readonly { readonly file: string; readonly guide: string }[];

/** Returns the faults of the table of guides. */
export function faultsOfGuides(named?: readonly string[], has?: (file: string) => boolean): readonly string[];
