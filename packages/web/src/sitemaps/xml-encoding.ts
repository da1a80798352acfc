import { TextDecoder } from 'node:util';

const DECLARATION = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]+)["']/;
/** Bytes from which the encoding is detected. */
export const ENCODING_HEAD_BYTES = 1024;

/**
 * A decoder for XML or text, by byte order mark, then by the zero bytes that UTF-16 has between ASCII
 * characters, then by the XML declaration, then by the `charset` of the content type; else UTF-8. The
 * declaration precedes the header, unlike in RFC 7303: servers often label all files alike, while generators
 * know their encoding.
 *
 * Bytes that cannot be decoded become U+FFFD.
 */
export function decoderFor(head: Uint8Array, charset: string | null): TextDecoder {
  const unicode = unicodeEncodingOf(head);
  if (unicode !== null) return new TextDecoder(unicode);
  const ascii = Buffer.from(head.subarray(0, ENCODING_HEAD_BYTES)).toString('latin1');
  for (const label of [DECLARATION.exec(ascii)?.[1], charset]) {
    const decoder = label ? decoderOf(label) : null;
    // A declaration in ASCII cannot be in a file in UTF-16.
    if (decoder !== null && !decoder.encoding.startsWith('utf-16')) return decoder;
  }
  return new TextDecoder('utf-8');
}

function unicodeEncodingOf([a, b, c, d]: Uint8Array): string | null {
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
