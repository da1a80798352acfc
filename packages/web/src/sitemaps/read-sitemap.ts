import { Readable } from 'node:stream';
import { TextDecoder } from 'node:util';
import { constants, gunzipSync } from 'node:zlib';
import { limitedBody } from '../guard/limited-body.js';
import { WebFetchError } from '../guard/fetch-errors.js';
import { yieldBetween } from '../politeness/yield-between.js';
import {
  MAX_ENTRY_URL_LENGTH,
  type SitemapEntry,
  type SitemapKind,
  type SitemapReader,
  SitemapReport,
  type SitemapSummary,
  toEntry,
  XmlSitemapReader,
} from './xml-sitemap.reader.js';

/** Limits of the protocol (https://www.sitemaps.org/protocol.html): 50 MB and 50,000 URLs per file. */
const MAX_BYTES = 50 * 1024 * 1024;
const MAX_ENTRIES = 50_000;
/** Bytes that are processed without yielding to the event loop. */
const PIECE_BYTES = 16 * 1024;

export interface ReadSitemapOptions {
  /** The URL of the file, after redirects: relative entries are relative to it. */
  baseUrl: string;
  /** From the `Content-Type`, if known. The kind of the file is detected from its content only. */
  charset?: string | null;
  /** After decompression. Default 50 MiB. */
  maxBytes?: number;
  /** Default 50,000. */
  maxEntries?: number;
  /** Ends the reading, which then throws the reason of the signal. */
  signal?: AbortSignal;
}

/** The entries of a sitemap while it is read. Can be iterated once. */
export interface SitemapReading extends AsyncIterable<SitemapEntry> {
  /** Final when the iteration has ended. */
  readonly summary: SitemapSummary;
}

/**
 * Reads a sitemap, an index of sitemaps, a feed or a text file with URLs, compressed with gzip or not. It
 * streams: the memory that it needs does not depend on the size of the file, and it yields to the event loop.
 *
 * No content makes it throw. Entries before an error are returned, and the summary has the reason. Errors of
 * `bytes` itself are rethrown.
 */
export function readSitemap(bytes: AsyncIterable<Uint8Array>, options: ReadSitemapOptions): SitemapReading {
  const report = new SitemapReport();
  return {
    [Symbol.asyncIterator]: () => entriesOf(bytes, options, report),
    get summary() {
      return report.toSummary();
    },
  };
}

/** Whether bytes are the start of a gzip file (RFC 1952). */
function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

async function* entriesOf(
  bytes: AsyncIterable<Uint8Array>,
  { baseUrl, charset = null, maxBytes = MAX_BYTES, maxEntries = MAX_ENTRIES, signal }: ReadSitemapOptions,
  report: SitemapReport,
): AsyncGenerator<SitemapEntry> {
  const decompressed = limited(decompress(bytes, report), maxBytes, report, signal);
  let reader: SitemapReader | null = null;
  for await (const piece of decode(decompressed, charset)) {
    const text = reader === null ? piece.replace(/^[\s\0\ufeff]+/, '') : piece;
    if (text === '') continue;
    reader ??= readerFor(text, baseUrl, report);
    if (reader === null) return;
    for (const entry of reader.write(text)) {
      if (report.entries === maxEntries) return report.cut('TOO_MANY_ENTRIES');
      report.entries += 1;
      yield entry;
    }
    if (reader.isStopped) return;
  }
  // The last line of a truncated file is incomplete.
  if (reader === null || report.cutBy !== null) return;
  report.hasEnded = true;
  for (const entry of reader.end()) {
    report.entries += 1;
    yield entry;
  }
}

/** Decompresses gzip, whatever the name and type of the file. */
async function* decompress(
  bytes: AsyncIterable<Uint8Array>,
  report: SitemapReport,
): AsyncGenerator<Uint8Array> {
  const chunks = withHead(bytes, 2);
  const { value: head = new Uint8Array() } = await chunks.next();
  const all = concatenated(head, chunks);
  if (!isGzip(head)) return yield* inPieces(all);
  try {
    yield* limitedBody(Readable.from(all), 'gzip', { maxBytes: Infinity, minBytesPerSecond: 0 });
  } catch (error) {
    if (!(error instanceof WebFetchError)) throw error;
    if (error.code === 'DECOMPRESSION_BOMB') report.cut('DECOMPRESSION_BOMB');
    else if (error.code === 'BAD_RESPONSE') report.cut('TRUNCATED');
    else throw error;
  }
}

async function* concatenated(head: Uint8Array, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield head;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

async function* inPieces(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes)
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) yield chunk.subarray(at, at + PIECE_BYTES);
}

async function* limited(
  bytes: AsyncIterable<Uint8Array>,
  maxBytes: number,
  report: SitemapReport,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  let left = maxBytes;
  for await (const chunk of yieldBetween(bytes)) {
    signal?.throwIfAborted();
    if (chunk.length > left) report.cut('TOO_LARGE');
    yield chunk.subarray(0, left);
    left -= chunk.length;
    if (left < 0) return;
  }
}

async function* decode(bytes: AsyncIterable<Uint8Array>, charset: string | null): AsyncGenerator<string> {
  let decoder: TextDecoder | null = null;
  for await (const chunk of withHead(bytes, ENCODING_HEAD_BYTES)) {
    decoder ??= decoderFor(chunk, charset);
    yield decoder.decode(chunk, { stream: true });
  }
  yield decoder?.decode() ?? '';
}

/** The same bytes, with a first chunk of `minBytes` or more. A shorter file is one chunk. */
async function* withHead(bytes: AsyncIterable<Uint8Array>, minBytes: number): AsyncGenerator<Uint8Array> {
  let head: Uint8Array | null = new Uint8Array();
  for await (const chunk of bytes) {
    if (head === null) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < minBytes) continue;
    yield head;
    head = null;
  }
  if (head !== null && head.length > 0) yield head;
}

/** @returns null for a file that is not a sitemap */
function readerFor(start: string, baseUrl: string, report: SitemapReport): SitemapReader | null {
  if (start.startsWith('<')) return new XmlSitemapReader(report, baseUrl);
  if (!/^(#[^\r\n]*[\r\n]\s*)*https?:\/\//i.test(start)) return null;
  report.kind = 'text';
  return new TextSitemapReader();
}

/** Reads one absolute URL per line. Other lines, such as comments with `#`, are ignored. */
class TextSitemapReader implements SitemapReader {
  readonly isStopped = false;
  private line = '';

  write(text: string): SitemapEntry[] {
    const lines = (this.line + text).split(/[\r\n]/);
    // One character more than allowed makes the line too long.
    this.line = (lines.pop() ?? '').slice(0, MAX_ENTRY_URL_LENGTH + 1);
    return lines.flatMap(entryOfLine);
  }

  end(): SitemapEntry[] {
    return entryOfLine(this.line);
  }
}

function entryOfLine(line: string): SitemapEntry[] {
  // Without a base, relative URLs are invalid: a relative one could be any text.
  const entry = toEntry(line, 'about:blank', 'page');
  return entry === null ? [] : [entry];
}

const HEAD_BYTES = 4096;
const FEED_TYPES = new Set(['application/rss+xml', 'application/atom+xml', 'application/rdf+xml']);

/**
 * `sitemap` or `feed` if a file that was fetched as a page is one, compressed or not, else null. Its user can
 * then be told to add it as a web site. A text file with URLs is not recognized.
 *
 * @param head the first bytes of the body; only the first 4 KiB are read
 * @param contentType without parameters; used only if the root element is not a known one
 */
export function looksLikeSitemapOrFeed(
  head: Uint8Array,
  contentType: string | null,
): 'sitemap' | 'feed' | null {
  switch (kindOf(head)) {
    case 'urlset':
    case 'index':
      return 'sitemap';
    case 'feed':
      return 'feed';
    case 'text':
    case 'html':
      return null;
    case 'unknown':
      return FEED_TYPES.has(contentType ?? '') ? 'feed' : null;
  }
}

function kindOf(head: Uint8Array): SitemapKind {
  const bytes = decompressedHead(head.subarray(0, HEAD_BYTES));
  const text = decoderFor(bytes, null).decode(bytes).trimStart();
  const report = new SitemapReport();
  if (text.startsWith('<')) new XmlSitemapReader(report, 'about:blank').write(text);
  return report.kind;
}

function decompressedHead(head: Uint8Array): Uint8Array {
  if (!isGzip(head)) return head;
  try {
    // The flush mode accepts an incomplete file. 4 KiB become 4 MiB at most.
    return gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, HEAD_BYTES);
  } catch {
    return head;
  }
}

const DECLARATION = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]+)["']/;
/** Bytes from which the encoding is detected. */
const ENCODING_HEAD_BYTES = 1024;

/**
 * A decoder for XML or text, by byte order mark, then by the zero bytes that UTF-16 has between ASCII
 * characters, then by the XML declaration, then by the `charset` of the content type; else UTF-8. The
 * declaration precedes the header, unlike in RFC 7303: servers often label all files alike, while generators
 * know their encoding.
 *
 * Bytes that cannot be decoded become U+FFFD.
 */
function decoderFor(head: Uint8Array, charset: string | null): TextDecoder {
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
