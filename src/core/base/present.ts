/** Optional members, which are left out and never `undefined`, and never found on a prototype. */

/** The same members, each of which may be missing. */
type Present<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

/** A copy of what an object says itself: what it does not say is not found on the prototype of all objects. */
export function ownMembers<T extends object>(value: T): T {
  return { __proto__: null, ...value };
}

/** Those of an object's members that have a value. */
export function present<T extends object>(members: T): Present<T> {
  const there: Record<string, unknown> = Object.create(null); // what is left out is not found on a prototype
  for (const [name, value] of Object.entries(members)) if (value !== undefined) there[name] = value;
  return there as Present<T>; // its members are those of `members`
}
