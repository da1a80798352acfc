import type { ParserInput } from '../document-parser.js';
import type { DocumentBuilder } from '../document/document-builder.js';
import { DocumentError } from '../document/document-error.js';
import { byteOrderMarkEncoding, utf16ByteOrder } from './text-content.js';
import { canonicalEncoding, type EncodingHints } from './detect-encoding.js';

export interface DecodedText {
  readonly text: string;
  /** Name of the encoding in lower case, such as `utf-8`, `utf-16le`, `shift_jis`, `windows-1252`. */
  readonly encoding: string;
  /** Encodings that are about as plausible as the detected one, the best one first. Empty when the detection is certain. */
  readonly alternatives: readonly string[];
}

export interface DecodingHints extends EncodingHints {
  /** Chosen by the user: decides, unless the file has a byte order mark. */
  readonly encoding?: string | undefined;
}

const ZERO_PATTERN_SAMPLE_BYTES = 4096;
/** Share of control characters: UTF-16 that is also valid UTF-8 has at least this, UTF-8 with a few zeros less. */
const MIN_CONTROL_SHARE = 0.45;

/**
 * Detects the encoding and decodes. Candidates in order: byte order mark; the user's choice; UTF-16 by its zero
 * bytes; UTF-8, strict and then with a few invalid sequences; legacy encodings by how plausible their
 * texts are, see {@link detectEncoding}.
 *
 * Bytes that are valid both as UTF-16 and as UTF-8 are UTF-16 only when UTF-8 would be almost all control
 * characters: text with U+0000 as a separator, even at regular distances, stays UTF-8.
 *
 * UTF-8 precedes the declared encoding because valid UTF-8 with non-ASCII characters is almost never anything
 * else, even when a server or an e-mail declares otherwise.
 *
 * @param hints.declared an encoding label such as a `charset` parameter; unknown labels are ignored
 * @throws DocumentError TOO_COMPLEX when the text does not fit into memory
 */
export async function decodeText(bytes: Uint8Array, hints: DecodingHints = {}): Promise<DecodedText> {
  const marked = byteOrderMarkEncoding(bytes);
  if (marked !== null) return await certainly(bytes, marked);
  const chosen = chosenEncoding(bytes, hints.encoding);
  if (chosen !== null) return await asChosen(bytes, chosen, hints);
  const utf8 = strictUtf8(bytes);
  const sample = bytes.subarray(0, ZERO_PATTERN_SAMPLE_BYTES);
  const order = utf16ByteOrder(sample);
  if (order !== null && (utf8 === null || hasManyControls(sample)))
    return await certainly(bytes, `utf-16${order}`);
  // ISO-2022 text is valid UTF-8 too. It is recognized by the escapes that select character sets.
  const iso2022 = iso2022Encoding(bytes);
  if (iso2022 !== null) return await certainly(bytes, iso2022);
  const text = utf8 ?? mostlyUtf8(bytes);
  if (text !== null) return { text, encoding: 'utf-8', alternatives: [] };
  const { detectEncoding } = await import('./detect-encoding.js');
  const { encoding, alternatives } = detectEncoding(bytes, hints);
  return { text: await decodeWith(bytes, encoding), encoding, alternatives };
}

async function certainly(bytes: Uint8Array, encoding: string): Promise<DecodedText> {
  return { text: await decodeWith(bytes, encoding), encoding, alternatives: [] };
}

/**
 * Decodes as the user has chosen, perhaps for a file that this one replaces. The result has alternatives if the
 * bytes are not valid in that encoding, or are UTF-8 beyond ASCII.
 */
async function asChosen(bytes: Uint8Array, encoding: string, hints: DecodingHints): Promise<DecodedText> {
  const decoded = await certainly(bytes, encoding);
  const isUtf8 = encoding !== 'utf-8' && bytes.some((byte) => byte > 0x7f) && strictUtf8(bytes) !== null;
  if (!isUtf8 && !decoded.text.includes('\ufffd')) return decoded;
  const { encoding: other } = await decodeText(bytes, { ...hints, encoding: undefined });
  return { ...decoded, alternatives: other === encoding ? [] : [other] };
}

function chosenEncoding(bytes: Uint8Array, label: string | undefined): string | null {
  const encoding = canonicalEncoding(label);
  return encoding === 'utf-16le' && utf16ByteOrder(bytes) === 'be' ? 'utf-16be' : (encoding ?? null);
}

/** As the high bytes of scripts whose UTF-16 can be valid UTF-8: Latin (00), Cyrillic (04), Arabic (06), Thai (0E). */
function hasManyControls(sample: Uint8Array): boolean {
  return sample.filter((byte) => byte < 0x20).length >= sample.length * MIN_CONTROL_SHARE;
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
 * Decodes UTF-8 with a few invalid sequences, as badly concatenated files have. In another encoding, twenty valid
 * multi-byte sequences for each invalid one do not occur by chance. Nor do two if the only invalid one is the last
 * character: there the file was truncated.
 *
 * @returns null when there are too many invalid sequences
 */
function mostlyUtf8(bytes: Uint8Array): string | null {
  const text = new TextDecoder('utf-8').decode(bytes);
  const broken = text.match(/\ufffd(?!$)/g)?.length ?? 0;
  const beyondAscii = text.match(/[^\0-\u007f\ufffd]/g)?.length ?? 0;
  return beyondAscii >= Math.max(2, broken * 20) ? text : null;
}

/** Decodes and removes a byte order mark. */
async function decodeWith(bytes: Uint8Array, encoding: string): Promise<string> {
  // iconv-lite does not have the ISO-2022 family.
  if (encoding === 'utf-8' || /^(?:utf-16|iso-2022)/.test(encoding))
    return new TextDecoder(encoding).decode(bytes);
  const { default: iconv } = await import('iconv-lite');
  const text = iconv.decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), encoding);
  // This encoding has accents as characters of their own.
  return encoding === 'windows-1258' ? text.normalize('NFC') : text;
}

/** By the escapes that select a character set: `ESC $ B`, `ESC $ @`, `ESC ( J` or `ESC ( I`. */
function iso2022Encoding(bytes: Uint8Array): string | null {
  const escape = bytes.indexOf(0x1b);
  if (escape < 0 || bytes.some((byte) => byte > 0x7f)) return null;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isJapanese = ['$B', '$@', '(J', '(I'].some((set) => buffer.includes(`\u001b${set}`, escape));
  return isJapanese ? 'iso-2022-jp' : null;
}

/**
 * Decodes the text of a file. An uncertain encoding is a warning, which names the alternatives.
 *
 * @param declared an encoding that the file itself declares; default: that of the transport
 */
export async function readText(
  { bytes, encoding: chosen, declaredEncoding }: ParserInput,
  builder: DocumentBuilder,
  declared: string | undefined = declaredEncoding,
): Promise<string> {
  const { text, encoding, alternatives } = await decodeText(bytes, { encoding: chosen, declared });
  builder.setMetadata('encoding', encoding);
  if (alternatives.length > 0)
    builder.warn(
      'ENCODING_UNCERTAIN',
      `The text was read as ${encoding}, but it may be ${alternatives.join(' or ')}. If it is garbled, choose the encoding of the file.`,
    );
  return text;
}
