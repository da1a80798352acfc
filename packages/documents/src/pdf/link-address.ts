import { isUtf8 } from 'node:buffer';

/** Longer ones carry data, and no reader copies them. */
const MAX_CHARACTERS = 2000;
const WANTED = /^(?:https?:\/\/[^/?#]|mailto:[^?])/i;

/**
 * The web or mail address that the bytes of a PDF's string are, fit to stand in text: without white space and control
 * characters.
 *
 * @returns null for other schemes, relative ones, and what is longer than 2,000 characters
 */
export function addressOf(bytes: Buffer): string | null {
  // Four bytes are one character at the least.
  if (bytes.length > MAX_CHARACTERS * 4) return null;
  const address = bytes
    .toString(isUtf8(bytes) ? 'utf8' : 'latin1')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
    .replace(/\p{Z}/gu, '%20');
  return address.length <= MAX_CHARACTERS && WANTED.test(address) ? address : null;
}

/** Whether a reader of these words reads the address in them (or its DOI), however it is set and divided into lines. */
export function showsAddress(words: string, address: string): boolean {
  return keyOf(words).includes(keyOf(address.replace(/^mailto:([^?]+).*/i, '$1')));
}

/** What is not said when an address is read out, or gets lost or added where it is set in lines. */
function keyOf(text: string): string {
  return unescaped(text)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\p{Pd}\p{M}\p{Cc}\p{Cf}~∼_'’]+/gu, '')
    .replace(/^(?:https?:\/\/|mailto:)?(?:www\.|(?:dx\.)?doi\.org\/)?/, '')
    .replace(/\/$/, '');
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
