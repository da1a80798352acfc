const MAX_LENGTH = 255;

/** The title of a document on one line, as it can be stored and shown; null if it has none. */
export function titleLine(title: string | null): string | null {
  const line = (title ?? '')
    .toWellFormed()
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim();
  return line === '' ? null : line.slice(0, MAX_LENGTH).toWellFormed();
}
