import type { DocumentBuilder } from './document/document-builder.js';
import type { OfficePackage } from './office/office-package.js';
import type { FileType } from './file-type/file-type.js';

export interface ParserInput {
  /** The whole file. The parser may modify or transfer the buffer: the caller does not use it again. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The character set declared by the transport, such as the `charset` of a Content-Type header. */
  readonly declaredEncoding?: string | undefined;
  /** The encoding that the user has chosen. It wins over all but a byte order mark. */
  readonly encoding?: string | undefined;
  /** The name of the file, a hint for its language. */
  readonly fileName?: string;
  /**
   * OCR results of scanned pages, or of the pictures in a document, keyed by number from 1, in Tesseract's TSV format.
   * Absent when OCR has not been run.
   */
  readonly recognized?: ReadonlyMap<number, string>;
  /**
   * Called at most once, before the parser returns or throws, with the pages that look like scans. Not called
   * when there are none.
   */
  readonly onScans?: (pages: readonly number[]) => void;
  /** Called with each picture in a document that may show text, before the document is returned. */
  readonly onPicture?: (number: number, file: Uint8Array) => void;
  /** The Office file that contains this file. Both share the limits of one file. */
  readonly container?: OfficePackage;
  /** The parser of another format, for files inside of the file. */
  readonly parserOf: (type: FileType) => Promise<DocumentParser>;
  /** Called after each page, slide or sheet. */
  readonly onProgress: (progress: Progress) => void;
}

/** Counted in the units of the format: pages, slides or sheets. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}

/**
 * Reads one file format and passes its text to the builder in reading order. Throws a `DocumentError` when
 * the file cannot be read. {@link parseDocument} maps any other error to `CORRUPT_FILE` or `TOO_COMPLEX`.
 */
export interface DocumentParser {
  parse(input: ParserInput, builder: DocumentBuilder): void | Promise<void>;
}
