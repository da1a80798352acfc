import { isUtf8 } from 'node:buffer';
import { type Box, boxOf } from './page-geometry.js';
import type { EngineAnnotation } from './page-notes.js';

/** A link on a page: its address and its box in PDF points. */
export interface PdfLink extends Box {
  readonly address: string;
}

const MAX_LINKS = 300;

/** The links of a page to web and mail addresses. Links within the file and to other files are ignored. */
export function linksOf(annotations: readonly EngineAnnotation[]): PdfLink[] {
  return annotations
    .flatMap(({ subtype, unsafeUrl, rect }) => {
      const box = subtype === 'Link' ? boxOf(rect) : null;
      const address = typeof unsafeUrl === 'string' ? addressOf(Buffer.from(unsafeUrl, 'latin1')) : null;
      return box === null || address === null ? [] : [{ address, ...box }];
    })
    .slice(0, MAX_LINKS);
}

/** Longer addresses contain data and are useless to a reader. */
const MAX_CHARACTERS = 2000;
const WANTED = /^(?:https?:\/\/[^/?#]|mailto:[^?])/i;

/**
 * Decodes a web or mail address from a PDF string, without control characters and with white space escaped.
 *
 * @returns null for other schemes, relative addresses, and addresses of more than 2,000 characters
 */
export function addressOf(bytes: Buffer): string | null {
  // A character has at most four bytes.
  if (bytes.length > MAX_CHARACTERS * 4) return null;
  const address = bytes
    .toString(isUtf8(bytes) ? 'utf8' : 'latin1')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
    .replace(/\p{Z}/gu, '%20');
  return address.length <= MAX_CHARACTERS && WANTED.test(address) ? address : null;
}

/** Whether the words contain the address (or its DOI), ignoring case, scheme, `www.` and line breaks. */
export function showsAddress(words: string, address: string): boolean {
  return keyOf(words).includes(keyOf(address.replace(/^mailto:([^?]+).*/i, '$1')));
}

/**
 * Normalizes a text for comparison: removes what typesetting adds or drops, and scheme, `www.` and final
 * slash.
 */
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
