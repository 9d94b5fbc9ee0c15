/** Escapes text for XML and HTML. */

/** Escapes characters that XML and HTML reserve, and replaces those that XML cannot contain. */
export function inert(text: string): string {
  return text
    .replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd]/g, '')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
