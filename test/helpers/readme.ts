/** Takes the examples out of a Markdown file: commands with their output, and programs with theirs. */

export interface CommandExample {
  readonly command: string;
  readonly output: string;
}

export interface ProgramExample {
  readonly code: string;
  readonly output: string;
}

const FENCE = /^```(\w+)\n([\s\S]*?)^```$/gm;

/** Every block of code, in order. */
export function fencesOf(markdown: string): { readonly language: string; readonly body: string }[] {
  return [...markdown.matchAll(FENCE)].map(([, language, body]) => ({ language: language!, body: body! }));
}

/** Each `$ command` of a `console` block, with the lines up to the next one. */
export function commandExamples(markdown: string): CommandExample[] {
  return fencesOf(markdown)
    .filter(({ language }) => language === 'console')
    .flatMap(({ body }) =>
      body
        .split(/^\$ /m)
        .slice(1)
        .map((part) => {
          const end = part.indexOf('\n');
          return { command: part.slice(0, end), output: part.slice(end + 1).trimEnd() };
        }),
    );
}

/** Each `ts` block, with the `text` block after it. */
export function programExamples(markdown: string): ProgramExample[] {
  const all = fencesOf(markdown);
  return all.flatMap(({ language, body }, at) => {
    if (language !== 'ts') return [];
    const next = all[at + 1];
    if (next?.language !== 'text') throw new Error(`a program without its output:\n${body}`);
    return [{ code: body, output: next.body.trimEnd() }];
  });
}

/** Languages of blocks that are neither run nor the output of something that is. */
export function otherLanguages(markdown: string): string[] {
  return fencesOf(markdown)
    .map(({ language }) => language)
    .filter((language) => !['console', 'ts', 'text'].includes(language));
}

export interface RelativeLink {
  /** Empty for a heading of the same page. */
  readonly path: string;
  readonly anchor: string | undefined;
}

/** Links and images that lead into this repository; those in code do not count. */
export function relativeLinks(markdown: string): RelativeLink[] {
  const prose = markdown.replace(FENCE, '').replace(/`[^`\n]*`(?!\])/g, '');
  const links = prose.matchAll(/\]\((?!\w+:)([\w.][^)#\s]*)?(?:#([^)\s]+))?\)/g);
  const pictures = prose.matchAll(/<img [^>]*src="(?!\w+:)([^"]+)"/g);
  return [
    ...[...links].map(([, path = '', anchor]) => ({ path, anchor })),
    ...[...pictures].map(([, path = '']) => ({ path, anchor: undefined })),
  ];
}

/** The names by which headings can be linked to, as renderers of Markdown make them. */
export function headingAnchors(markdown: string): string[] {
  return [...markdown.replace(FENCE, '').matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
