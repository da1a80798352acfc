import { TextDecoder } from 'node:util';

const DECLARATION = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]+)["']/;
/** As much of a file as its encoding can be told from. */
export const ENCODING_HEAD_BYTES = 1024;

/**
 * A decoder for XML or text, by byte order mark, then by the zero bytes that UTF-16 has around `<` and `h`, then by
 * the XML declaration, then by the type's `charset`; UTF-8 if nothing is said. The declaration comes before the
 * header, other than in RFC 7303, because servers label by habit and generators by knowledge.
 *
 * What cannot be decoded becomes U+FFFD.
 */
export function decoderFor(head: Uint8Array, charset: string | null): TextDecoder {
  const marked = markOf(head);
  if (marked !== null) return new TextDecoder(marked);
  const ascii = Buffer.from(head.subarray(0, ENCODING_HEAD_BYTES)).toString('latin1');
  const declared = [DECLARATION.exec(ascii)?.[1], charset];
  for (const label of declared) {
    const decoder = label ? decoderOf(label) : null;
    // What says of itself, in ASCII, that it is UTF-16, is not.
    if (decoder !== null && !decoder.encoding.startsWith('utf-16')) return decoder;
  }
  return new TextDecoder('utf-8');
}

function markOf([a, b, c, d]: Uint8Array): string | null {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  if (a !== 0 && b === 0 && c !== 0 && d === 0) return 'utf-16le';
  if (a === 0 && b !== 0 && c === 0 && d !== 0) return 'utf-16be';
  return null;
}

function decoderOf(label: string): TextDecoder | null {
  try {
    return new TextDecoder(label);
  } catch {
    return null;
  }
}
