export interface Change {
  readonly name: string;
  readonly text: string;
}
export const GROUPS: readonly string[];
export function readChanges(): readonly Change[];
export function withChanges(page: string, changes: readonly Change[]): string;
export function withRelease(page: string, changes: readonly Change[], version: string, day: string): string;
