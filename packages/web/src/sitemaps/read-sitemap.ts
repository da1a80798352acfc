import { Readable } from 'node:stream';
import type { TextDecoder } from 'node:util';
import { limitedBody } from '../guard/limited-body.js';
import { WebFetchError } from '../guard/web-fetch.error.js';
import { yieldBetween } from '../politeness/yield-between.js';
import { MAX_ENTRY_URL_LENGTH, type SitemapEntry, type SitemapReader, toEntry } from './sitemap-reader.js';
import { SitemapReport, type SitemapSummary } from './sitemap-summary.js';
import { decoderFor, ENCODING_HEAD_BYTES } from './xml-encoding.js';
import { XmlSitemapReader } from './xml-sitemap.reader.js';

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
export function isGzip(bytes: Uint8Array): boolean {
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
