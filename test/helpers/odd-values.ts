/** Values that no function of this library is meant for. */

/** A proxy that was taken back: whatever it is asked, it throws a TypeError. */
export function revoked<T extends object>(target: T): T {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}
