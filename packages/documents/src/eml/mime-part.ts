import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import libmime from 'libmime';
import { decodeWords } from 'postal-mime';
import { DocumentError } from '../document/document-error.js';
import { detectEncoding } from '../text-decoding/detect-encoding.js';
import { decodeTransfer } from './transfer-encoding.js';

/** A part of a message, or a whole message. Its body is decoded when it is read, so that one is in memory at a time. */
export class MimePart {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly disposition: string;
  /** Null when the part has no name. */
  readonly fileName: string | null;
  readonly children: readonly MimePart[];
  /** The types of all bodies in it. Collected once, because parts may be in many others. */
  readonly bodyTypes: ReadonlySet<string>;

  constructor(
    readonly header: MimeHeader,
    private readonly body: Buffer,
    private readonly depth: number,
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
    this.bodyTypes = new Set(
      this.isMultipart
        ? this.children.flatMap(({ bodyTypes }) => [...bodyTypes])
        : [this.type].filter(() => this.isBody),
    );
  }

  /** The decoded body. Do not keep it. */
  content(): Buffer {
    return decodeTransfer(this.body, this.header.structured('content-transfer-encoding').value);
  }

  /** Whether the body consists of parts. A multipart without any boundary is read as text. */
  get isMultipart(): boolean {
    return this.children.length > 0;
  }

  get isHtml(): boolean {
    return isHtmlType(this.type);
  }

  /** Whether it is text that a mail client shows as part of the message. */
  get isBody(): boolean {
    const isShown = this.disposition !== 'attachment' && this.fileName === null;
    return isShown && BODY_TYPE.test(this.type);
  }

  /** The parts that are not divided further. */
  get leaves(): readonly MimePart[] {
    return this.isMultipart ? this.children.flatMap((child) => child.leaves) : [this];
  }

  /** The message that a part contains, whose nesting counts together with that of the part. */
  message(source: Buffer): MimePart {
    return readPart(source, this.depth + 1);
  }

  private split(): MimePart[] {
    const boundary = this.parameters.get('boundary')?.trimEnd() ?? '';
    const defaultType = this.type === 'multipart/digest' ? 'message/rfc822' : 'text/plain';
    // Some programs encode the parts together, or declare another boundary than they write.
    let found = splitBody(this.body, boundary);
    if (found.length === 0) found = splitBody(this.content(), boundary);
    if (found.length === 0) found = splitBody(this.body, writtenBoundary(this.body));
    return found.map((source) => readPart(source, this.depth + 1, defaultType));
  }
}

/** Of parts in parts and messages in messages: every level reads what is below it once more. */
const MAX_DEPTH = 50;
const BODY_TYPE =
  /^(?:text\/(?!calendar$)|multipart\/|message\/(?:delivery-status|disposition-notification)$)/;
const LINE_FEED = 0x0a;
const MAX_FIELD_NAME_BYTES = 200;
const FIELD_LINE = /^[!-9;-~]+[ \t]*:/;
/** A line like a boundary, before the first field of a part. */
const WRITTEN_BOUNDARY = /^--(\S.*)\r?\nContent-/im;
const BOUNDARY_SAMPLE_BYTES = 64 * 1024;
const DASH = 0x2d;

export function isHtmlType(type: string): boolean {
  return /^(?:text\/(?:[\w-]+-)?html|application\/xhtml\+xml)$/.test(type);
}

/** @throws DocumentError CORRUPT_FILE */
export function readMessage(source: Buffer): MimePart {
  return readPart(source, 0);
}

function readPart(source: Buffer, depth: number, defaultType?: string): MimePart {
  if (depth > MAX_DEPTH) {
    throw new DocumentError('CORRUPT_FILE', 'parts are nested too deeply', {
      userMessage:
        'The message has parts or messages that are nested deeper than 50 levels. Save its text as another file type and upload that.',
    });
  }
  const { header, body } = splitHeader(source);
  return new MimePart(new MimeHeader(header), body, depth, defaultType);
}

/** The fields end at the first empty line. Lines before it that follow the last field belong to the body. */
function splitHeader(source: Buffer): { readonly header: Buffer; readonly body: Buffer } {
  let fieldsEnd = 0;
  for (let start = 0, end = 0; start < source.length; start = end) {
    end = source.indexOf(LINE_FEED, start) + 1 || source.length;
    const line = source.toString('latin1', start, Math.min(end, start + MAX_FIELD_NAME_BYTES));
    const isFolded = start > 0 && fieldsEnd === start && /^[ \t]/.test(line);
    if (isFolded || FIELD_LINE.test(line)) fieldsEnd = end;
    else if (/^\r?\n?$/.test(line) && fieldsEnd === start)
      return { header: source.subarray(0, start), body: source.subarray(end) };
    else if (/^\r?\n?$/.test(line)) break;
  }
  return { header: source.subarray(0, fieldsEnd), body: source.subarray(fieldsEnd) };
}

/** The parts between boundary lines (RFC 2046, section 5.1). The text before the first and after the last is for no one. */
function splitBody(body: Buffer, boundary: string): Buffer[] {
  if (boundary === '') return [];
  const delimiter = Buffer.from(`--${boundary}`);
  const parts: Buffer[] = [];
  let start = -1;
  for (let at = body.indexOf(delimiter); at >= 0; at = body.indexOf(delimiter, at + 1)) {
    const line = boundaryLine(body, at, delimiter.length);
    if (line === null) continue;
    if (start >= 0) parts.push(body.subarray(start, line.start));
    start = line.isLast ? -1 : line.end;
  }
  // The end is missing, as in truncated messages.
  if (start >= 0) parts.push(body.subarray(start));
  return parts;
}

function writtenBoundary(body: Buffer): string {
  return WRITTEN_BOUNDARY.exec(body.toString('latin1', 0, BOUNDARY_SAMPLE_BYTES))?.[1]?.trimEnd() ?? '';
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

/** A field such as `Content-Type: text/plain; charset=utf-8`. */
interface StructuredField {
  /** In lower case. */
  readonly value: string;
  /** By name in lower case. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** The header fields of a message or part (RFC 5322, section 2.2). */
class MimeHeader {
  private readonly fields: Readonly<Record<string, readonly string[]>>;

  constructor(source: Buffer) {
    this.fields = libmime.decodeHeaders(rawText(source));
  }

  has(name: string): boolean {
    return Object.hasOwn(this.fields, name);
  }

  /**
   * A field as it is written, without encoded words decoded: addresses are split before. Of a repeated field, the first one
   * counts.
   */
  raw(name: string): string {
    return this.fields[name]?.[0] ?? '';
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

function structuredField(field: string): StructuredField {
  const { value, params, decodedParams } = libmime.parseHeaderValue(field, { stripComments: true });
  const parameters = Object.entries(params).map(
    ([name, text]) => [name, decodedParams.includes(name) ? text : decodeWords(text)] as const,
  );
  return { value: value.trim().toLowerCase(), parameters: new Map(parameters) };
}
