export function errorCodes(): { readonly code: string; readonly cause: string; readonly remedy: string }[];
export function errorPage(): string;
