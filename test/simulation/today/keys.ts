/** In place of `src/net/adnl/keys.ts`: no server of a world has a key that could be bad. */
export function requireServerKey(): void {}

export function keyId(publicKey: Uint8Array): Uint8Array {
  return publicKey;
}

export function shortKeyId(publicKey: Uint8Array): string {
  return String(publicKey[0]);
}

export function montgomeryU(publicKey: Uint8Array): Uint8Array {
  return publicKey;
}
