import type { Change } from './changelog.mjs';

export interface ReleaseState {
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly changelog: string;
  readonly changes: readonly Change[];
  readonly tags: readonly string[];
  /** Of `git status --porcelain`. */
  readonly changed: string;
  readonly provenance: boolean;
}
export function missingForRelease(state: ReleaseState): readonly string[];
