import { DocumentError } from '../document/document-error.js';
import { utf16ByteOrder } from '../file-type/text-content.js';

export interface DecodedText {
  readonly text: string;
  /** Name of the encoding in lower case, such as `utf-8`, `utf-16le`, `shift_jis`, `windows-1252`. */
  readonly encoding: string;
}

/** Detection takes more than linear time, and more text does not improve the result. */
const MAX_DETECTION_BYTES = 256 * 1024;
const ZERO_PATTERN_SAMPLE_BYTES = 4096;
/**
 * Share of control characters among the high bytes: UTF-16 has at least this, UTF-8 with a few zeros less.
 */
const MIN_CONTROL_SHARE = 0.9;

/**
 * Detects the encoding and decodes. Candidates in order: byte order mark; UTF-16 by its zero bytes; UTF-8,
 * strict and then with a few invalid sequences; the declared encoding; a statistical guess from the non-ASCII
 * parts of the file; windows-1252.
 *
 * Bytes that are valid both as UTF-16 and as UTF-8 are UTF-16 only when UTF-8 would be almost all control
 * characters: text with U+0000 as a separator, even at regular distances, stays UTF-8.
 *
 * UTF-8 precedes the declared encoding because valid UTF-8 with non-ASCII characters is almost never anything
 * else, even when a server declares otherwise.
 *
 * @param declared an encoding label such as a `charset` parameter; unknown labels are ignored
 * @throws DocumentError TOO_COMPLEX when the text does not fit into memory
 */
export async function decodeText(bytes: Uint8Array, declared?: string): Promise<DecodedText> {
  const byteOrderMark = byteOrderMarkEncoding(bytes);
  if (byteOrderMark !== null) return { text: decodeWith(bytes, byteOrderMark), encoding: byteOrderMark };
  const utf8 = strictUtf8(bytes);
  const sample = bytes.subarray(0, ZERO_PATTERN_SAMPLE_BYTES);
  const order = utf16ByteOrder(sample);
  if (order !== null && (utf8 === null || hasControlHighBytes(sample, order)))
    return { text: decodeWith(bytes, `utf-16${order}`), encoding: `utf-16${order}` };
  // ISO-2022 text is valid UTF-8 too. It is recognized by the escapes that select character sets.
  if (utf8 !== null && !hasIso2022Escape(bytes)) return { text: utf8, encoding: 'utf-8' };
  const tolerant = utf8 === null ? mostlyUtf8(bytes) : null;
  if (tolerant !== null) return { text: tolerant, encoding: 'utf-8' };
  return await decodeLegacy(bytes, declared, utf8);
}

async function decodeLegacy(
  bytes: Uint8Array,
  declared: string | undefined,
  utf8: string | null,
): Promise<DecodedText> {
  const [{ default: iconv }, { default: chardet }] = await Promise.all([
    import('iconv-lite'),
    import('chardet'),
  ]);
  const candidates = [declared, chardet.detect(detectionSample(bytes)) ?? undefined, 'windows-1252'];
  for (const candidate of candidates) {
    const encoding = candidate?.trim().toLowerCase();
    if (encoding === undefined || encoding === '') continue;
    if (encoding === 'utf-8' || encoding === 'ascii')
      return { text: utf8 ?? lenientUtf8(bytes), encoding: 'utf-8' };
    // iconv-lite does not support this family; TextDecoder supports ISO-2022-JP.
    if (encoding.startsWith('iso-2022')) return { text: decodeWith(bytes, encoding), encoding };
    if (iconv.encodingExists(encoding)) return { text: iconv.decode(Buffer.from(bytes), encoding), encoding };
  }
  return { text: lenientUtf8(bytes), encoding: 'utf-8' };
}

function byteOrderMarkEncoding(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return null;
}

/**
 * Whether the high bytes of almost all code units are ASCII control characters. That holds for all scripts
 * whose UTF-16 can also be valid UTF-8: Latin (high byte 00), Cyrillic (04), Arabic (06), Devanagari (09),
 * Thai (0E). UTF-16 ideographs have other high bytes and become invalid UTF-8 within a few characters.
 */
function hasControlHighBytes(sample: Uint8Array, order: 'le' | 'be'): boolean {
  const units = Math.trunc(sample.length / 2);
  let controls = 0;
  for (let index = order === 'le' ? 1 : 0; index < units * 2; index += 2) {
    if ((sample[index] ?? 0) < 0x20) controls += 1;
  }
  return controls >= units * MIN_CONTROL_SHARE;
}

function strictUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw new DocumentError('TOO_COMPLEX', 'the text does not fit into memory', { cause: error });
  }
}

/**
 * Decodes UTF-8 with a few invalid sequences, as truncated and badly concatenated files have. In another
 * encoding, twenty valid multi-byte sequences for each invalid one do not occur by chance.
 *
 * @returns null when there are too many invalid sequences
 */
function mostlyUtf8(bytes: Uint8Array): string | null {
  const text = lenientUtf8(bytes);
  const broken = text.match(/\ufffd/g)?.length ?? 0;
  const beyondAscii = text.match(/[^\0-\u007f\ufffd]/g)?.length ?? 0;
  return beyondAscii >= broken * 20 ? text : null;
}

function lenientUtf8(bytes: Uint8Array): string {
  return new TextDecoder('utf-8').decode(bytes);
}

/**
 * Decodes with the platform's TextDecoder, which removes a byte order mark; as UTF-8 when it does not support
 * the encoding.
 */
function decodeWith(bytes: Uint8Array, encoding: string): string {
  try {
    return new TextDecoder(encoding).decode(bytes);
  } catch (error) {
    if (error instanceof RangeError) return lenientUtf8(bytes);
    throw error;
  }
}

/** Whether the bytes select a character set of ISO-2022-JP (`ESC $ B`) or ISO-2022-KR (`ESC $ ) C`). */
function hasIso2022Escape(bytes: Uint8Array): boolean {
  const escape = bytes.indexOf(0x1b);
  if (escape < 0) return false;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return buffer.includes('\u001b$B', escape) || buffer.includes('\u001b$)C', escape);
}

/**
 * The bytes that distinguish encodings: non-ASCII bytes with a few neighbours, from the whole file. A long
 * English beginning would otherwise fill the sample.
 */
function detectionSample(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= MAX_DETECTION_BYTES) return bytes;
  const sample = new Uint8Array(MAX_DETECTION_BYTES);
  let length = 0;
  let plain = 0;
  for (const byte of bytes) {
    plain = byte < 0x80 && byte !== 0x1b ? plain + 1 : 0;
    if (plain > 16) continue;
    sample[length] = byte;
    length += 1;
    if (length === sample.length) break;
  }
  return length < 64 ? bytes.subarray(0, MAX_DETECTION_BYTES) : sample.subarray(0, length);
}
