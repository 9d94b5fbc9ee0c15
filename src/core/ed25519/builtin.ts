/** Finds modules of the runtime without importing them, so that the same code runs where they do not exist. */

interface RuntimeProcess {
  readonly getBuiltinModule?: (name: string) => unknown;
}

/** A module of Node, Bun or Deno; `undefined` in browsers. */
export function builtinModule(name: string): unknown {
  const runtime = (globalThis as { readonly process?: RuntimeProcess }).process; // absent in browsers, so optional
  return runtime?.getBuiltinModule?.(name);
}
