import type { Line } from './pdf-lines.js';

const MAX_CHARACTERS = 100;

/** Whether a line is short, begins like a title and does not end like a sentence. */
export function couldBeHeading({ text, cells, isMonospaced, isEntry }: Line): boolean {
  // Many books have a wide gap between the number and the title.
  const isNumbered = cells.length === 2 && /^[\dA-Z]{1,3}(?:\.\d{1,2})*\.?$/.test(cells[0]?.text ?? '');
  if ((cells.length > 1 && !isNumbered) || isMonospaced || isEntry) return false;
  if (text.length > MAX_CHARACTERS) return false;
  return /^[\p{Lu}\p{Lo}\d]/u.test(text) && /\p{L}{2}/u.test(text) && !/[.,;:!?…]$/.test(text);
}
