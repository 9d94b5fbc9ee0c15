/** @returns the file and what in it leads nowhere */
export function brokenLinks(
  root: string,
  files: readonly string[],
): readonly { readonly file: string; readonly link: string }[];
