import { DocumentError } from '../document/document-error.js';
import { MimeHeader } from './mime-header.js';
import { decodeTransfer } from './transfer-encoding.js';

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
