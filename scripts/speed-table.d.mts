export function speedTable(results: unknown): string;
