export interface PublicName {
  readonly name: string;
  readonly kind: string;
  readonly comment: string;
}
export function publicNames(): { readonly entry: string; readonly names: readonly PublicName[] }[];
export function apiList(): string;
