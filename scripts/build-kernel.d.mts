export function compileKernel(
  variant: 'relaxed' | 'simd' | 'scalar',
  options?: { readonly assertions?: boolean },
): Promise<Uint8Array<ArrayBuffer>>;
export function sha256(bytes: Uint8Array): string;
