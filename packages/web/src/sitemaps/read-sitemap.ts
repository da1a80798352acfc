import type { TextDecoder } from 'node:util';
import { withBreaks } from '../politeness/with-breaks.js';
import { gunzipIfNeeded, withHead } from './gunzip-if-needed.js';
import type { SitemapEntry } from './sitemap-entry.js';
import type { SitemapReader } from './sitemap-reader.js';
import { SitemapReport, type SitemapSummary } from './sitemap-summary.js';
import { TextSitemapReader } from './text-sitemap.reader.js';
import { decoderFor, ENCODING_HEAD_BYTES } from './xml-encoding.js';
import { XmlSitemapReader } from './xml-sitemap.reader.js';

/** Of the protocol (https://www.sitemaps.org/protocol.html): 50 MB, and 50,000 addresses a file. */
const MAX_BYTES = 50 * 1024 * 1024;
const MAX_ENTRIES = 50_000;
/** As much as is read at once, without a break for others. */
const PIECE_BYTES = 16 * 1024;
/** As many characters as a kind is told from. */
const BEGINNING_LENGTH = 256;

export interface ReadSitemapOptions {
  /** The file's own address, after redirects: relative entries are relative to it. */
  baseUrl: string;
  /** Of the `Content-Type`, if it is known; the kind is told from the content alone. */
  charset?: string | null;
  /** After decompression. Default 50 MiB. */
  maxBytes?: number;
  /** Default 50,000. */
  maxEntries?: number;
  /** Ends the reading, which then throws the signal's reason. */
  signal?: AbortSignal;
}

/** The entries of a sitemap while it is being read; to be iterated once. */
export interface SitemapReading extends AsyncIterable<SitemapEntry> {
  /** What is known by now; final when the iteration has ended. */
  readonly summary: SitemapSummary;
}

/**
 * Reads a sitemap, an index of sitemaps, a feed or a list of addresses, packed or not, while its bytes come in: what
 * it keeps in memory does not depend on the file's size, and it takes breaks.
 *
 * Nothing in a file makes it throw. What was found before something went wrong is handed out, and the summary says
 * what it was. Errors of `bytes` itself pass unchanged.
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

async function* entriesOf(
  bytes: AsyncIterable<Uint8Array>,
  { baseUrl, charset = null, maxBytes = MAX_BYTES, maxEntries = MAX_ENTRIES, signal }: ReadSitemapOptions,
  report: SitemapReport,
): AsyncGenerator<SitemapEntry> {
  const unpacked = bounded(gunzipIfNeeded(inPieces(bytes), report), maxBytes, report, signal);
  let reader: SitemapReader | null = null;
  for await (const piece of withBeginning(decoded(unpacked, charset))) {
    reader ??= readerFor(piece, baseUrl, report);
    if (reader === null) return;
    reader.write(piece);
    for (const entry of reader.take()) {
      if (report.entries === maxEntries) report.add('TOO_MANY_ENTRIES', `more than ${maxEntries}`);
      if (report.entries === maxEntries) return;
      report.entries += 1;
      yield entry;
    }
    if (reader.isStopped) return;
  }
  // A file that was cut short has no last line, and its missing end is no further problem.
  if (reader === null || report.cutBy !== null) return;
  report.hasEnded = true;
  reader.end();
  for (const entry of reader.take()) {
    report.entries += 1;
    yield entry;
  }
}

async function* inPieces(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes)
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) yield chunk.subarray(at, at + PIECE_BYTES);
}

async function* bounded(
  bytes: AsyncIterable<Uint8Array>,
  maxBytes: number,
  report: SitemapReport,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  let left = maxBytes;
  for await (const chunk of withBreaks(bytes)) {
    signal?.throwIfAborted();
    if (chunk.length > left) report.add('TOO_LARGE', `more than ${maxBytes} bytes`);
    yield chunk.subarray(0, left);
    left -= chunk.length;
    if (left < 0) return;
  }
}

async function* decoded(bytes: AsyncIterable<Uint8Array>, charset: string | null): AsyncGenerator<string> {
  let decoder: TextDecoder | null = null;
  for await (const chunk of withHead(bytes, ENCODING_HEAD_BYTES)) {
    decoder ??= decoderFor(chunk, charset);
    yield decoder.decode(chunk, { stream: true });
  }
  const rest = decoder?.decode() ?? '';
  if (rest !== '') yield rest;
}

/** The same text without white space before it; its first piece has enough to tell a kind from, if there is enough. */
async function* withBeginning(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let beginning: string | null = '';
  for await (const piece of pieces) {
    if (beginning === null) {
      yield piece;
      continue;
    }
    beginning = (beginning + piece).replace(/^[\s\0\ufeff]+/, '');
    if (beginning.length < BEGINNING_LENGTH) continue;
    yield beginning;
    beginning = null;
  }
  if (beginning) yield beginning;
}

/** @returns null for what is no sitemap */
function readerFor(beginning: string, baseUrl: string, report: SitemapReport): SitemapReader | null {
  if (/^(<!doctype\s+html|<html)[\s>]/i.test(beginning)) {
    report.kind = 'html';
    return null;
  }
  if (beginning.startsWith('<')) return new XmlSitemapReader(report, baseUrl);
  return /^(#[^\r\n]*[\r\n]\s*)*https?:\/\//i.test(beginning) ? new TextSitemapReader(report) : null;
}
