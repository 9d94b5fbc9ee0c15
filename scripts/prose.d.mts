export interface Block {
  readonly kind: 'heading' | 'text' | 'item' | 'cell' | 'doc' | 'comment' | 'message';
  readonly line: number;
  readonly text: string;
  /** A list of errors or a line of a schema: no sentences. */
  readonly isList?: boolean;
}
export const CODE: string;
export function plain(markdown: string): string;
export function sentencesOf(text: string): string[];
export function blocksOf(markdown: string): Block[];
export function sourceBlocksOf(code: string): Block[];
export function wordsOf(sentence: string): string[];
export function syllablesOf(word: string): number;
export function figuresOf(markdown: string): { sentences: number; words: number; mean: number; ease: number };
