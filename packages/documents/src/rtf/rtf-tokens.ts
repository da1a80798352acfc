export type RtfToken =
  | { readonly kind: 'open' | 'close' }
  /** A control word such as `\b0`, or a control symbol such as `\~`. */
  | { readonly kind: 'control'; readonly word: string; readonly value: number | undefined }
  /** Bytes of text, one per character (Latin-1). */
  | { readonly kind: 'text'; readonly bytes: string };

const TOKEN = /\\([a-z]+)(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([^a-z])|([{}])|([^\\{}\r\n]+)|[\r\n]+|\\/giy;

const OPEN = { kind: 'open' } as const;
const CLOSE = { kind: 'close' } as const;

/**
 * Divides RTF into tokens (RTF 1.9.1, "RTF Syntax"). Line breaks and binary data are skipped.
 *
 * @param rtf one character per byte
 */
export function* rtfTokens(rtf: string): Generator<RtfToken> {
  let at = 0;
  for (;;) {
    // Other calls use the pattern between two tokens of this one.
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(rtf);
    if (match === null) return;
    at = TOKEN.lastIndex;
    const [, word, digits, hex, symbol, brace, bytes] = match;
    const value = digits === undefined ? undefined : Number(digits);
    if (bytes !== undefined) yield { kind: 'text', bytes };
    else if (hex !== undefined) yield { kind: 'text', bytes: String.fromCharCode(Number.parseInt(hex, 16)) };
    else if (brace !== undefined) yield brace === '{' ? OPEN : CLOSE;
    else if (symbol !== undefined) yield { kind: 'control', word: symbol, value: undefined };
    else if (word === 'bin') at += Math.max(0, value ?? 0);
    else if (word !== undefined) yield { kind: 'control', word, value };
  }
}
