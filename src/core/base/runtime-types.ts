/**
 * Types of the runtime that the declarations of this package name. They use the type of the DOM or of Node if the
 * compiler knows one, and otherwise list the members that the library uses. The package therefore compiles without
 * both.
 */

/** The members of a signal that the library uses. */
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

/** The type for `await using`, if the compiler has it. */
export type AsyncCloseable = { readonly [K in AsyncDispose]: () => Promise<void> };
