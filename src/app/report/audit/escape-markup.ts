/** Text as text, wherever markup could stand. */

/** Without what XML and HTML take for themselves, and what XML cannot hold. */
export function inert(text: string): string {
  return text
    .replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd]/g, '')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
