/** Backspace, tab, line breaks and ESC: manual pages print bold letters with backspaces. */
const TEXT_CONTROLS: ReadonlySet<number> = new Set([0x08, 0x09, 0x0a, 0x0c, 0x0d, 0x1b]);
/** Shorter samples do not identify East Asian text. */
const MIN_EAST_ASIAN_CHARACTERS = 16;

export function startsWith(bytes: Uint8Array, signature: readonly number[], at = 0): boolean {
  return (
    bytes.length >= at + signature.length && signature.every((byte, index) => bytes[at + index] === byte)
  );
}

/** By encoding, the longer ones first. */
const BYTE_ORDER_MARKS: Readonly<Record<string, readonly number[]>> = {
  'utf-32le': [0xff, 0xfe, 0, 0],
  'utf-32be': [0, 0, 0xfe, 0xff],
  'utf-8': [0xef, 0xbb, 0xbf],
  'utf-16le': [0xff, 0xfe],
  'utf-16be': [0xfe, 0xff],
};

export function byteOrderMarkEncoding(bytes: Uint8Array): string | null {
  const marks = Object.entries(BYTE_ORDER_MARKS);
  return marks.find(([, mark]) => startsWith(bytes, mark))?.[0] ?? null;
}

/**
 * Detects UTF-16 without a byte order mark. Text of any script with spaces and digits has zeros in the high
 * bytes of its code units and almost none in the low bytes. East Asian text has few spaces, and also zeros in
 * the low bytes (such as U+4E00). There the wrong byte order is recognized by the unassigned characters it
 * yields.
 *
 * @returns the byte order, or null when the sample is not UTF-16
 */
export function utf16ByteOrder(sample: Uint8Array): 'le' | 'be' | null {
  if (startsWith(sample, [0xff, 0xfe])) return 'le';
  if (startsWith(sample, [0xfe, 0xff])) return 'be';
  const zeros = { even: 0, odd: 0 };
  const units = Math.trunc(sample.length / 2);
  for (let index = 0; index < units * 2; index += 2) {
    if (sample[index] === 0) zeros.even += 1;
    if (sample[index + 1] === 0) zeros.odd += 1;
    // Text does not contain U+0000: two zero bytes mean binary.
    if (sample[index] === 0 && sample[index + 1] === 0) return null;
  }
  const many = Math.max(2, units * 0.02);
  if (zeros.odd >= many && zeros.even <= zeros.odd * 0.02 && isReadable(sample, 'utf-16le')) return 'le';
  if (zeros.even >= many && zeros.odd <= zeros.even * 0.02 && isReadable(sample, 'utf-16be')) return 'be';
  if (zeros.even + zeros.odd === 0) return null;
  if (isEastAsian(sample, 'utf-16le')) return 'le';
  return isEastAsian(sample, 'utf-16be') ? 'be' : null;
}

/** Whether text has zero bytes because its characters have two or four. */
export function isUtf16Or32(head: Uint8Array): boolean {
  return utf16ByteOrder(head) !== null || byteOrderMarkEncoding(head)?.startsWith('utf-32') === true;
}

/**
 * Whether at least half of the characters are ideographs, kana, Hangul or their punctuation, and the rest
 * valid.
 */
function isEastAsian(sample: Uint8Array, encoding: 'utf-16le' | 'utf-16be'): boolean {
  const text = new TextDecoder(encoding).decode(sample);
  const eastAsian = text.match(/[\u3000-\u30ff\u3400-\u9fff\uac00-\ud7a3\uff00-\uffef]/g)?.length ?? 0;
  return (
    eastAsian * 2 >= text.length && text.length >= MIN_EAST_ASIAN_CHARACTERS && isReadable(sample, encoding)
  );
}

/**
 * Distinguishes text from binary numbers, whose zeros are regular too but which decode to unassigned
 * characters.
 */
function isReadable(sample: Uint8Array, encoding: 'utf-16le' | 'utf-16be'): boolean {
  const text = new TextDecoder(encoding).decode(sample);
  const strange = text.match(/[\p{Cn}\p{Co}\ufffd]|(?!\s)\p{Cc}/gu)?.length ?? 0;
  return strange <= 1 + text.length * 0.02;
}

/** Whether the beginning of a file can be text in some encoding. */
export function looksLikeText(head: Uint8Array): boolean {
  return isUtf16Or32(head) || isTextSample(head);
}

/**
 * Whether a sample from the inside of a file can be text: no zero bytes and few control characters. Some
 * control characters are allowed because text files contain separators of old formats.
 */
export function isTextSample(sample: Uint8Array): boolean {
  let controls = 0;
  for (const byte of sample) {
    if (byte === 0) return false;
    if (byte < 0x20 && !TEXT_CONTROLS.has(byte)) controls += 1;
  }
  return controls <= Math.max(32, sample.length * 0.02);
}

/** A file in base64 in the place of its address (RFC 2397). */
const DATA_URL = /\bdata:([\w.+-]+)(?:\/([\w.+-]+))?(?:;[\w.+-]+=[\w.+-]*)*;base64,[\w+/=%-]*/gi;

/** Names the files that are written in a text, as `[image/png]`. Their bytes are no text. */
export function withoutDataUrls(text: string): string {
  if (!text.includes(';base64,')) return text;
  return text.replace(DATA_URL, (_, type: string, subtype?: string) =>
    subtype === undefined ? `[${type}]` : `[${type}/${subtype}]`,
  );
}
