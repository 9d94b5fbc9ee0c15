export interface Change {
  readonly name: string;
  readonly text: string;
}
export function readChanges(): readonly Change[];
export function withChanges(page: string, changes: readonly Change[], heading?: string): string;
