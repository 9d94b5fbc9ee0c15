/**
 * What a runtime has beside the language, as far as the declarations of this package name it: the compiler's own type where
 * it knows one, of the DOM or of Node, and else what is used of it. So the package compiles with neither.
 */

/** What is used of a signal. */
export interface SignalShape {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** The runtime's `AbortSignal`. */
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Own } } ? Own : SignalShape;

/** The runtime's `fetch`. */
export type Fetch = typeof globalThis extends { fetch: infer Own }
  ? Own
  : (url: string, init?: object) => Promise<unknown>;

type AsyncDispose = SymbolConstructor extends { readonly asyncDispose: infer Key extends symbol } ? Key : never;

/** What `await using` ends, where the compiler knows it. */
export type AsyncCloseable = { readonly [K in AsyncDispose]: () => Promise<void> };
