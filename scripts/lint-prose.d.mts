import type { Block } from './prose.mjs';
export interface Fault {
  readonly line: number;
  readonly rule: string;
  readonly found: string;
  readonly advice: string;
}
interface Exception {
  readonly file: string;
  readonly rule: string;
  readonly found: string;
}
export const GENERATED: readonly string[];
export function checkedFiles(): string[];
export function faultsOf(block: Block): Fault[];
export function faultsIn(path: string, text: string): Fault[];
export function faultsAt(path: string): Fault[];
export function isGuide(path: string): boolean;
export function partOf(path: string, left: Readonly<Record<string, number>>): string;
export function lint(
  files: readonly string[],
  known: { readonly exceptions: readonly Exception[]; readonly left: Readonly<Record<string, number>> },
  found?: (path: string) => readonly Fault[],
): { faults: (Fault & { path: string })[]; unused: Exception[] };
