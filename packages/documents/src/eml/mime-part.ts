import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import { decodeWords } from 'postal-mime';
import { DocumentError } from '../document/document-error.js';
import { canonicalEncoding, detectEncoding } from '../text-decoding/detect-encoding.js';

/** A part of a message, or a whole message. Its body is decoded when it is read, so that one is in memory at a time. */
export class MimePart {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly disposition: string;
  /** Null when the part has no name. */
  readonly fileName: string | null;
  readonly children: readonly MimePart[];

  constructor(
    readonly header: MimeHeader,
    private readonly body: Buffer,
    private readonly reading: Reading,
    defaultType = 'text/plain',
  ) {
    const { value, parameters } = header.structured('content-type');
    const disposition = header.structured('content-disposition');
    this.type = /^[\w.+-]+\/[\w.+-]+$/.test(value) ? value : defaultType;
    this.parameters = parameters;
    this.disposition = disposition.value;
    const name = disposition.parameters.get('filename') ?? parameters.get('name') ?? '';
    this.fileName = name.trim() === '' ? null : name.trim();
    this.children = this.type.startsWith('multipart/') ? this.split() : [];
  }

  /** The decoded body. Do not keep it. */
  content(): Buffer {
    return decodeTransfer(this.body, this.header.structured('content-transfer-encoding').value);
  }

  /** Whether the body consists of parts. A multipart without its boundary is read as text. */
  get isMultipart(): boolean {
    return this.children.length > 0;
  }

  private split(): MimePart[] {
    const boundary = this.parameters.get('boundary') ?? '';
    if (boundary === '') return [];
    const defaultType = this.type === 'multipart/digest' ? 'message/rfc822' : 'text/plain';
    return splitBody(this.body, boundary).map((source) =>
      readPart(source, this.reading.deeper(), defaultType),
    );
  }
}

const MAX_DEPTH = 256;
const MAX_HEADER_BYTES = 2 * 1024 * 1024;
const LINE_FEED = 0x0a;
const DASH = 0x2d;

/** Limits of one file. */
class Reading {
  constructor(
    private readonly budget = { headerBytes: MAX_HEADER_BYTES },
    private readonly depth = 0,
  ) {}

  deeper(): Reading {
    if (this.depth >= MAX_DEPTH) throw tooComplex('parts are nested too deeply');
    return new Reading(this.budget, this.depth + 1);
  }

  spend(headerBytes: number): void {
    this.budget.headerBytes -= headerBytes;
    if (this.budget.headerBytes < 0) throw tooComplex('too many header fields');
  }
}

/** @throws DocumentError TOO_COMPLEX */
export function readMessage(source: Buffer): MimePart {
  return readPart(source, new Reading(), 'text/plain');
}

function readPart(source: Buffer, reading: Reading, defaultType: string): MimePart {
  const { header, body } = splitHeader(source);
  reading.spend(header.length);
  return new MimePart(new MimeHeader(header), body, reading, defaultType);
}

/** The fields end at the first empty line. A part may begin with it. */
function splitHeader(source: Buffer): { readonly header: Buffer; readonly body: Buffer } {
  let start = 0;
  while (start < source.length) {
    const lineFeed = source.indexOf(LINE_FEED, start);
    const end = lineFeed < 0 ? source.length : lineFeed;
    const isEmpty = end === start || (end === start + 1 && source[start] === 0x0d);
    if (isEmpty) return { header: source.subarray(0, start), body: source.subarray(end + 1) };
    start = end + 1;
  }
  return { header: source, body: source.subarray(source.length) };
}

/** The parts between boundary lines (RFC 2046, section 5.1). The text before the first and after the last is for no one. */
function splitBody(body: Buffer, boundary: string): Buffer[] {
  const delimiter = Buffer.from(`--${boundary}`);
  const parts: Buffer[] = [];
  let start = -1;
  for (let at = body.indexOf(delimiter); at >= 0; at = body.indexOf(delimiter, at + 1)) {
    const line = boundaryLine(body, at, delimiter.length);
    if (line === null) continue;
    if (start >= 0) parts.push(body.subarray(start, line.start));
    start = line.end;
    if (line.isLast) return parts;
  }
  // The end is missing, as in truncated messages.
  if (start >= 0) parts.push(body.subarray(start));
  return parts;
}

/** @returns null when the delimiter is not a line of its own; else where the part before ends and the next one starts */
function boundaryLine(
  body: Buffer,
  at: number,
  length: number,
): { readonly start: number; readonly end: number; readonly isLast: boolean } | null {
  if (at > 0 && body[at - 1] !== LINE_FEED) return null;
  const isLast = body[at + length] === DASH && body[at + length + 1] === DASH;
  let end = at + length + (isLast ? 2 : 0);
  while (body[end] === 0x20 || body[end] === 0x09 || body[end] === 0x0d) end += 1;
  if (end < body.length && body[end] !== LINE_FEED) return null;
  // The line break before the boundary belongs to it.
  const start = at > 1 && body[at - 2] === 0x0d ? at - 2 : Math.max(0, at - 1);
  return { start, end: end + 1, isLast };
}

function tooComplex(message: string): DocumentError {
  return new DocumentError('TOO_COMPLEX', message, {
    userMessage:
      'The message has more than 2 MB of header fields, or parts that are nested deeper than 256 levels. Save its text as another file type and upload that.',
  });
}

/** A field such as `Content-Type: text/plain; charset=utf-8`. */
interface StructuredField {
  /** In lower case. */
  readonly value: string;
  /** By name in lower case. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** The header fields of a message or part (RFC 5322, section 2.2). */
class MimeHeader {
  private readonly fields = new Map<string, string>();

  /** Folded lines are joined. Of a repeated field, the first one counts. */
  constructor(source: Buffer) {
    const lines = rawText(source)
      .replace(/\r?\n(?=[ \t])/g, '')
      .split(/\r?\n/);
    for (const line of lines) {
      const colon = line.indexOf(':');
      const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase();
      if (name !== '' && !/\s/.test(name) && !this.fields.has(name))
        this.fields.set(name, line.slice(colon + 1).trim());
    }
  }

  has(name: string): boolean {
    return this.fields.has(name);
  }

  /** A field as it is written, without encoded words decoded: addresses are split before. */
  raw(name: string): string {
    return this.fields.get(name) ?? '';
  }

  /** A field with encoded words (RFC 2047) decoded. */
  text(name: string): string {
    return decodeWords(this.raw(name));
  }

  structured(name: string): StructuredField {
    return structuredField(this.raw(name));
  }
}

/** Headers should be ASCII, but many have UTF-8 or the code page of the sender. */
function rawText(source: Buffer): string {
  return isUtf8(source) ? source.toString('utf8') : iconv.decode(source, detectEncoding(source).encoding);
}

const PARAMETER = /;\s*([^\s=;]+)\s*=\s*(?:"((?:[^"\\]|\\[^])*)"|([^;]*))/g;

/** Parses a value with parameters, including those that are continued or have a character set (RFC 2231). */
function structuredField(field: string): StructuredField {
  const source = `${field.replace(/\([^()"]*\)/g, ' ')};`;
  const parameters = new Map<string, string>();
  const extended = new Map<
    string,
    { readonly index: number; readonly isEncoded: boolean; readonly text: string }[]
  >();
  for (const [, rawName = '', quoted, plain = ''] of source.matchAll(PARAMETER)) {
    const text = quoted === undefined ? plain.trim() : quoted.replace(/\\([^])/g, '$1');
    const [, name = '', index, star] = /^([^*]+)(?:\*(\d+))?(\*)?$/.exec(rawName.toLowerCase()) ?? [];
    if (index === undefined && star === undefined) {
      if (!parameters.has(name)) parameters.set(name, decodeWords(text));
      continue;
    }
    const pieces = extended.get(name) ?? [];
    pieces.push({ index: Number(index ?? 0), isEncoded: star !== undefined, text });
    extended.set(name, pieces);
  }
  for (const [name, pieces] of extended) {
    pieces.sort((one, other) => one.index - other.index);
    parameters.set(name, extendedValue(pieces));
  }
  const value = source.slice(0, source.indexOf(';')).trim().toLowerCase();
  return { value, parameters };
}

/** `utf-8'en'R%C3%A9sum%C3%A9`, in pieces of which some are percent-encoded. */
function extendedValue(pieces: readonly { readonly isEncoded: boolean; readonly text: string }[]): string {
  const [first] = pieces;
  const [, charset, rest] = (first?.isEncoded === true && /^([^']*)'[^']*'([^]*)$/.exec(first.text)) || [];
  const bytes = pieces.map(({ isEncoded, text }, index) => {
    const source = index === 0 && rest !== undefined ? rest : text;
    if (!isEncoded) return Buffer.from(source);
    return Buffer.from(
      source.replace(/%([\da-f]{2})|[^]/gi, (character, hex?: string) =>
        hex === undefined
          ? Buffer.from(character).toString('latin1')
          : String.fromCharCode(Number.parseInt(hex, 16)),
      ),
      'latin1',
    );
  });
  const joined = Buffer.concat(bytes);
  return isUtf8(joined)
    ? joined.toString('utf8')
    : iconv.decode(joined, canonicalEncoding(charset) ?? 'windows-1252');
}

const EQUALS = 0x3d;
/** A text that claims to be base64 is not, if more than this share of its first characters cannot be. */
const MAX_STRANGE_SHARE = 0.05;
const SAMPLE_BYTES = 4096;

/** Decodes the body of a part (RFC 2045, section 6). Unknown encodings, and text that only claims one, stay as they are. */
function decodeTransfer(body: Buffer, encoding: string): Buffer {
  switch (encoding) {
    case 'base64':
      return looksLikeBase64(body) ? decodeBase64(body) : body;
    case 'quoted-printable':
      return decodeQuotedPrintable(body);
    default:
      return body;
  }
}

function looksLikeBase64(body: Buffer): boolean {
  const sample = body.toString('latin1', 0, SAMPLE_BYTES).replace(/\r?\n/g, '');
  const strange = sample.match(/[^A-Za-z\d+/=]/g)?.length ?? 0;
  return strange <= sample.length * MAX_STRANGE_SHARE;
}

/** Some programs end each line, or each attachment that they joined, with its own padding. */
function decodeBase64(body: Buffer): Buffer {
  const text = body.toString('latin1');
  const firstPadding = text.indexOf('=');
  if (firstPadding < 0 || /^[=\s]*$/.test(text.slice(firstPadding))) return Buffer.from(text, 'base64');
  return Buffer.concat(text.split(/=[=\s]*/).map((unit) => Buffer.from(unit, 'base64')));
}

function decodeQuotedPrintable(body: Buffer): Buffer {
  const decoded = Buffer.allocUnsafe(body.length);
  let length = 0;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at] ?? 0;
    if (byte !== EQUALS) {
      decoded[length] = byte;
      length += 1;
      continue;
    }
    const lineEnd = softBreakEnd(body, at + 1);
    if (lineEnd !== null) {
      at = lineEnd;
      continue;
    }
    const value = hexByte(body, at + 1);
    decoded[length] = value ?? EQUALS;
    length += 1;
    if (value !== null) at += 2;
  }
  return decoded.subarray(0, length);
}

/** The offset of the line feed if only white space precedes it, or the last offset of the body. */
function softBreakEnd(body: Buffer, from: number): number | null {
  let at = from;
  while (body[at] === 0x20 || body[at] === 0x09 || body[at] === 0x0d) at += 1;
  if (at >= body.length) return at;
  return body[at] === LINE_FEED ? at : null;
}

function hexByte(body: Buffer, at: number): number | null {
  const digits = body.toString('latin1', at, at + 2);
  return /^[\da-f]{2}$/i.test(digits) ? Number.parseInt(digits, 16) : null;
}
