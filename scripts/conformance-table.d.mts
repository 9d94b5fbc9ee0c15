export function conformancePage(results?: readonly object[]): string;
