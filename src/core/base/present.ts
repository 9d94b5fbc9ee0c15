/** Optional members: left out instead of `undefined`, and never found on a prototype. */

/** An object type with every member optional. */
type Present<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

/**
 * Copies the own members of an object. The copy has no prototype, so a missing member is not found on
 * `Object.prototype`.
 */
export function ownMembers<T extends object>(value: T): T {
  return { __proto__: null, ...value };
}

/** Copies the members that have a value. */
export function present<T extends object>(members: T): Present<T> {
  const there: Record<string, unknown> = Object.create(null); // so that a missing member is not found on a prototype
  for (const [name, value] of Object.entries(members)) if (value !== undefined) there[name] = value;
  return there as Present<T>; // has members of `members` only
}
