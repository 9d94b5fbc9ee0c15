/** Finds modules of the runtime without importing them, so that the same code runs where they do not exist. */

/** A module of Node, Bun or Deno; `undefined` in browsers. */
export function builtinModule(name: string): unknown {
  const { process } = globalThis as { readonly process?: { getBuiltinModule?(name: string): unknown } }; // absent in browsers, so optional
  return process?.getBuiltinModule?.(name);
}
