/** @param base the folder of its host that the site is served from
 * @returns the file and what in it leads nowhere */
export function brokenLinks(
  root: string,
  files: readonly string[],
  base?: string,
): readonly { readonly file: string; readonly link: string }[];
