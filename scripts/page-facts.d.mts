export function factsOf(text: string): Map<string, number>;
