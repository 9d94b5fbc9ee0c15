/** Where the page ends up. */
export const DEMO_PAGE: string;
/** The whole page, as text. */
export function demoPage(): Promise<string>;
export function bundleDemo(): Promise<void>;
