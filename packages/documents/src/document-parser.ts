import type { DocumentBuilder } from './document/document-builder.js';

/** A file to read. */
export interface ParserInput {
  /** The whole file. The parser may take it over: it is not used afterwards. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The character set that the transport declared (a web server's `charset`), if any. */
  readonly declaredEncoding?: string;
  /**
   * What text recognition read from pages that are pictures, by page from 1: Tesseract's tab-separated values. Without
   * it nobody has tried.
   */
  readonly recognized?: ReadonlyMap<number, string>;
  /** Told once, before the parser ends or fails, which pages look like pictures of text; not told when there are none. */
  readonly onScans?: (pages: readonly number[]) => void;
  /** Told after each page, slide or sheet. */
  readonly onProgress: (progress: Progress) => void;
}

/** Units are the format's own: pages, slides, sheets. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}

/**
 * Reads one file format. A parser hands text to the builder in reading order and throws a `DocumentError` when the
 * file cannot be read; anything else it throws counts as `CORRUPT_FILE`.
 */
export interface DocumentParser {
  parse(input: ParserInput, builder: DocumentBuilder): void | Promise<void>;
}
