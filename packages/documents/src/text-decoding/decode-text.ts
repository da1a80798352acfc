import { DocumentError } from '../document/document-error.js';
import { utf16ByteOrder } from '../file-type/text-content.js';

export interface DecodedText {
  readonly text: string;
  /** Name of the encoding, lower case (`utf-8`, `utf-16le`, `shift_jis`, `windows-1252`…). */
  readonly encoding: string;
}

/** Detection is worse than linear and more text does not make it better. */
const MAX_DETECTION_BYTES = 256 * 1024;
const ZERO_PATTERN_SAMPLE_BYTES = 4096;
/** Of the bytes of one half of the code units: what UTF-16 has at the least, and no UTF-8 text with a few zeros. */
const MIN_CONTROL_SHARE = 0.9;

/**
 * Bytes to text, in this order: byte order mark, UTF-16 by its zero bytes, UTF-8 (strict, then with a few broken
 * characters), the declared encoding, and statistics over everything in the file that is not ASCII.
 *
 * UTF-16 whose bytes are valid UTF-8 too is taken for UTF-16 only where it makes no sense as UTF-8: text that uses
 * U+0000 as a separator, even at regular distances, stays UTF-8.
 *
 * A declared encoding comes after UTF-8 because a text that is valid UTF-8 and has other characters than ASCII is
 * hardly ever anything else, whatever a server says.
 *
 * @param declared a label of an encoding from outside, for example a `charset` parameter; unknown ones are ignored
 */
export async function decodeText(bytes: Uint8Array, declared?: string): Promise<DecodedText> {
  const marked = markedEncoding(bytes);
  if (marked !== null) return { text: decodeWith(bytes, marked), encoding: marked };
  const utf8 = strictUtf8(bytes);
  const sample = bytes.subarray(0, ZERO_PATTERN_SAMPLE_BYTES);
  const order = utf16ByteOrder(sample);
  if (order !== null && (utf8 === null || isControlHalf(sample, order)))
    return { text: decodeWith(bytes, `utf-16${order}`), encoding: `utf-16${order}` };
  // Before the sample of ASCII text in ISO-2022-JP, which is valid UTF-8 too: escapes select its character sets.
  if (utf8 !== null && !hasIso2022Escape(bytes)) return { text: utf8, encoding: 'utf-8' };
  const nearly = utf8 === null ? nearlyUtf8(bytes) : null;
  if (nearly !== null) return { text: nearly, encoding: 'utf-8' };
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
    // iconv-lite does not know this family; the platform knows its Japanese member.
    if (encoding.startsWith('iso-2022')) return { text: decodeWith(bytes, encoding), encoding };
    if (iconv.encodingExists(encoding)) return { text: iconv.decode(Buffer.from(bytes), encoding), encoding };
  }
  return { text: lenientUtf8(bytes), encoding: 'utf-8' };
}

function markedEncoding(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return null;
}

/**
 * Whether nearly every code unit's high byte would be a control character of ASCII, if the bytes were not UTF-16. The
 * scripts whose UTF-16 can be valid UTF-8 at length have their blocks there: Latin at 00, Cyrillic at 04, Arabic at 06,
 * Devanagari at 09, Thai at 0E. Ideographs are elsewhere, and as UTF-8 they are broken within a few characters.
 */
function isControlHalf(sample: Uint8Array, order: 'le' | 'be'): boolean {
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
 * UTF-8 with a few broken characters, as cut-off and badly joined files have: sequences of two and more bytes that
 * fit UTF-8 do not come by chance in another encoding, let alone twenty for each that does not fit.
 */
function nearlyUtf8(bytes: Uint8Array): string | null {
  const text = lenientUtf8(bytes);
  const broken = text.match(/\ufffd/g)?.length ?? 0;
  const beyondAscii = text.match(/[^\0-\u007f\ufffd]/g)?.length ?? 0;
  return beyondAscii >= broken * 20 ? text : null;
}

function lenientUtf8(bytes: Uint8Array): string {
  return new TextDecoder('utf-8').decode(bytes);
}

/** @param encoding one that the platform's TextDecoder knows; its byte order mark is taken off */
function decodeWith(bytes: Uint8Array, encoding: string): string {
  try {
    return new TextDecoder(encoding).decode(bytes);
  } catch (error) {
    if (error instanceof RangeError) return lenientUtf8(bytes);
    throw error;
  }
}

/** ESC followed by `$` or `(`: how ISO-2022 changes to another character set. */
function hasIso2022Escape(bytes: Uint8Array): boolean {
  const escape = bytes.indexOf(0x1b);
  if (escape < 0) return false;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return buffer.includes('\u001b$B', escape) || buffer.includes('\u001b$)C', escape);
}

/**
 * All that tells encodings apart: the bytes above ASCII with a few of their neighbours, from the whole file, so that
 * a long English beginning does not hide what comes after it.
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
