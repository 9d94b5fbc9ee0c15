export interface PublicName {
  readonly name: string;
  readonly kind: string;
  readonly comment: string;
  /** The declaration file, in `build/src`. */
  readonly file: string;
}
export function publicNames(): { readonly entry: string; readonly names: readonly PublicName[] }[];
export function apiList(): string;

/** Why a doc comment does not say by its first sentence what a name is; `undefined` where it does. */
export function notAlone(comment: string): string | undefined;
