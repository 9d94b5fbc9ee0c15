export const parts: Readonly<Record<string, { readonly mutate: readonly string[]; readonly tests: readonly string[] }>>;
export function isOf(name: string, file: string): boolean;
