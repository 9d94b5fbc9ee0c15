export const SIMPLEX: string;
export const ORDINARY: string;
export function cutHeaderProof(name: string): Promise<Uint8Array>;
export function mainValidators(name: string): { readonly main: number; readonly validators: readonly unknown[] };
