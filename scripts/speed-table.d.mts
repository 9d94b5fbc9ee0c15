export function speedTable(results: unknown): string;
export function speedLines(results: unknown): string;
export function speedSource(results: unknown, file: string): string;
