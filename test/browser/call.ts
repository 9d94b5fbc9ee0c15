/** Calls a function of the program in a page, as if it were here. */
import type { Page } from 'playwright-core';

type Functions = Readonly<Record<string, (...args: never[]) => unknown>>;

/** Arguments and answer are copied: they must be plain. */
export async function call<P extends Functions, N extends keyof P & string>(
  page: Page,
  name: N,
  ...args: Parameters<P[N]>
): Promise<Awaited<ReturnType<P[N]>>> {
  const answer: unknown = await page.evaluate(
    ([name, args]) => (globalThis as unknown as { program: Functions }).program[name]!(...args), // set by the bundle
    [name, args as never[]] as const,
  );
  return answer as Awaited<ReturnType<P[N]>>; // what the function of that name returned, copied
}
