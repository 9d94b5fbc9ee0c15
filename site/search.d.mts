/** Words of a text. */
export function tokenize(text: string): string[];

/** A word as the index has it; null of an empty one. */
export function processTerm(term: string): string | null;

/** Every place of a page, as HTML, that can be found. */
export function sectionsOf(html: string): { anchor: string; titles: string[]; text: string }[];
