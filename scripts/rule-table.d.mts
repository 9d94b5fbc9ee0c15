export interface Rule {
  readonly id: string;
  readonly statement: string;
  /** In ton-blockchain/ton; absent for a rule of ours. */
  readonly node?: { readonly file: string; readonly function: string };
  readonly ours: { readonly file: string; readonly function: string };
  /** What is thrown where the rule is broken. */
  readonly codes: readonly string[];
}
export function rules(): readonly Rule[];
export function rulePage(cases?: readonly object[]): string;
