import { TEXT_ENCODINGS } from '@citewell/contracts/text-encodings';

/**
 * The encodings to choose from, with those that a warning names at the top: they are the most likely ones.
 *
 * @param warning the sentence of the server; empty if there is none
 */
export function encodingsFor(warning: string): readonly string[] {
  const words = new Set(warning.toLowerCase().match(/[\w-]+/g));
  return TEXT_ENCODINGS.toSorted((a, b) => Number(words.has(b)) - Number(words.has(a)));
}
