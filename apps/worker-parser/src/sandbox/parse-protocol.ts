import { INGESTION_ERRORS, isIngestionErrorCode } from '@citewell/contracts/errors';
import { LEFT_OUT_REASONS, pageContentSchema, type PageRange } from '@citewell/contracts/schemas';
import {
  DocumentError,
  type DocumentWarning,
  type EncodedDocument,
  isDocumentErrorCode,
  type LeftOut,
  type Progress,
  titleLine,
} from '@citewell/documents';
import { type FileType, isFileType } from '@citewell/documents/file-type';
import type { LanguageFiles } from '@citewell/documents/recognition';

/** A request to a child process, which handles one at a time. */
export type ChildRequest = ParseRequest | RecognizeRequest | ScaleRequest;

/** Asks for a picture as a model gets it. */
export interface ScaleRequest {
  readonly kind: 'scale';
  /** Path in the child's scratch directory. */
  readonly source: string;
}

/** Asks for the text of a page that is an image. */
export interface RecognizeRequest {
  /** Path in the child's scratch directory. */
  readonly source: string;
  readonly fileType: FileType;
  /** From 1. */
  readonly page: number;
  readonly languages: LanguageFiles;
  /** Whether the page is a picture in a document. */
  readonly isEmbedded?: boolean;
}

export interface ParseRequest {
  /** The input, or its path in the child's scratch directory. */
  readonly source: Uint8Array | string;
  readonly fileType: FileType;
  readonly declaredEncoding?: string;
  /** The encoding that the user has chosen. */
  readonly encoding?: string;
  /** A hint for the language. */
  readonly fileName?: string;
  /** Path of a second file there: recognized pages, encoded by {@link encodeRecognized}. */
  readonly recognizedPath?: string;
  /** Limit of the canonical text, in UTF-16 code units. */
  readonly maxCharacters: number;
  /** Where the child writes the typed tables of the document. */
  readonly tablesPath: string;
}

/**
 * A parsed file, encoded. The worker passes it on without decoding its blocks; `decodeDocument` validates it
 * in the indexer.
 */
export interface ParsedFile extends EncodedDocument {
  /** Length of the text in UTF-16 code units. */
  readonly characters: number;
  /** Null for formats without pages. */
  readonly pageCount: number | null;
  readonly title: string | null;
  /** What each page brings to the text. Empty for formats without pages. */
  readonly pages: readonly PageRange[];
  /** The words of recognized pages, encoded by `encodePageWords`. Null for none. */
  readonly words: Buffer | null;
  /** Some pages are images of text, and their text was not recognized. */
  readonly hasUnrecognizedPages: boolean;
  /** A model that describes pictures has failed. A warning says so. */
  readonly hasUndescribedPictures?: true;
  readonly leftOut: LeftOut;
  readonly warnings: readonly DocumentWarning[];
  /** Path of the typed tables of the document. Null for none. Whoever parses the file deletes it. */
  readonly tables: string | null;
  /** Why the tables of the document could not be stored. */
  readonly tablesFailure?: Error;
}

/**
 * A reply of a child: any number of `progress`, at most one `scans` (the numbers of image pages), and a `picture` for each
 * picture in a document that may show text, then
 * `document` or `failure`. After a document that may have typed tables, `tables` follows. The reply to a
 * {@link RecognizeRequest} is `recognized` or `failure`, and to a {@link ScaleRequest} `scaled`.
 */
export type ParseReply =
  | { readonly kind: 'scaled'; readonly file: Uint8Array | null }
  | { readonly kind: 'recognized'; readonly table: string | null }
  | { readonly kind: 'scans'; readonly pages: readonly number[] }
  | { readonly kind: 'picture'; readonly number: number; readonly file: Uint8Array }
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'document'; readonly file: ParsedFile; readonly mayHaveTables: boolean }
  | { readonly kind: 'tables'; readonly count: number }
  | { readonly kind: 'failure'; readonly error: DocumentError };

/** A reply on the wire: plain values and bytes. */
export type ParseMessage =
  | {
      readonly kind: 'scaled';
      /** A JPEG file; null when the picture cannot be decoded. */
      readonly file: Uint8Array | null;
    }
  | {
      readonly kind: 'recognized';
      /** Tesseract's tab-separated values; null when the page cannot be decoded. */
      readonly table: string | null;
    }
  | { readonly kind: 'scans'; readonly pages: readonly number[] }
  | { readonly kind: 'picture'; readonly number: number; readonly file: Uint8Array }
  | { readonly kind: 'progress'; readonly done: number; readonly total: number }
  | {
      readonly kind: 'document';
      readonly text: Uint8Array;
      readonly outline: Uint8Array;
      readonly words: Uint8Array | null;
      readonly pages: readonly PageRange[];
      readonly pageCount: number | null;
      readonly title: string | null;
      readonly hasUnrecognizedPages: boolean;
      readonly leftOut: LeftOut;
      readonly warnings: readonly DocumentWarning[];
      readonly mayHaveTables: boolean;
    }
  | { readonly kind: 'tables'; readonly count: number }
  | {
      readonly kind: 'failure';
      readonly code: string;
      readonly message: string;
      /** For the user. */
      readonly sentence: string;
      readonly languages?: readonly string[] | undefined;
    };

const MAX_MESSAGE_CHARACTERS = 2000;
const MAX_SENTENCE_CHARACTERS = 600;
const MAX_PAGES = 100_000;
/** Of the values of a page. */
const MAX_PAGE_CHARACTERS = 8_000_000;
const MAX_PICTURES = 100;
const MAX_PICTURE_BYTES = 32 * 1024 * 1024;
const MAX_WARNINGS = 10;
const MAX_PAGE_RANGES = 1_000;
const LANGUAGE_NAME = /^[a-z_]{1,20}$/;
const MAX_LANGUAGES = 10;
/** Limit of an outline in bytes: a base, plus a share for each allowed character of text. */
const MAX_OUTLINE_BASE = 1_000_000;
const MAX_OUTLINE_PER_CHARACTER = 16;
/** In UTF-16. */
const BYTES_PER_CHARACTER = 2;

/**
 * Validates a message of a child. A hostile file may have taken over the child, so nothing in the message is
 * trusted.
 *
 * @throws TypeError for anything but a {@link ParseMessage} within the limits
 */
export function readReply(message: unknown, maxCharacters: number): ParseReply {
  const {
    kind,
    done,
    total,
    code,
    message: reason,
    sentence,
    pages,
    count,
    mayHaveTables,
    table,
    number,
    file,
    languages,
  } = asRecord(message);
  if (kind === 'progress' && typeof done === 'number' && typeof total === 'number') {
    return { kind, progress: { done, total } };
  }
  if (kind === 'document') {
    const file = readParsedFile(asRecord(message), maxCharacters);
    return { kind, file, mayHaveTables: mayHaveTables === true };
  }
  if (kind === 'tables' && typeof count === 'number') return { kind, count };
  if (kind === 'scans' && Array.isArray(pages) && pages.length <= MAX_PAGES && pages.every(isPageNumber)) {
    return { kind, pages };
  }
  if (kind === 'picture' && isPageNumber(number) && number <= MAX_PICTURES && isPictureFile(file))
    return { kind, number, file };
  if (kind === 'scaled' && (file === null || isPictureFile(file))) return { kind, file };
  if (kind === 'recognized' && (table === null || isPageTable(table))) return { kind, table };
  if (kind === 'failure' && isDocumentErrorCode(code) && typeof reason === 'string') {
    return {
      kind,
      error: new DocumentError(code, reason.slice(0, MAX_MESSAGE_CHARACTERS), {
        // Reduced to one line of text: the child may be compromised.
        userMessage: typeof sentence === 'string' ? plainSentence(sentence) : INGESTION_ERRORS[code].sentence,
        languages: readNames(languages),
      }),
    };
  }
  throw new TypeError('unknown message shape');
}

function readParsedFile(
  { text, outline, words, pages, pageCount, title, ...others }: Record<string, unknown>,
  maxCharacters: number,
): ParsedFile {
  if (!(text instanceof Uint8Array) || !(outline instanceof Uint8Array))
    throw new TypeError('text or outline is not binary');
  const characters = text.byteLength / BYTES_PER_CHARACTER;
  if (!Number.isInteger(characters)) throw new TypeError('text has an odd number of bytes');
  if (characters > maxCharacters) throw new TypeError('text is longer than allowed');
  const maxBytes = MAX_OUTLINE_BASE + maxCharacters * MAX_OUTLINE_PER_CHARACTER;
  const hasWords = words instanceof Uint8Array;
  if (outline.byteLength > maxBytes || (hasWords && words.byteLength > maxBytes))
    throw new TypeError('outline or words are larger than allowed');
  return {
    text: Buffer.from(text.buffer, text.byteOffset, text.byteLength),
    outline: Buffer.from(outline.buffer, outline.byteOffset, outline.byteLength),
    characters,
    pageCount: isPageNumber(pageCount) ? pageCount : null,
    pages: readPages(pages),
    words: hasWords ? Buffer.from(words.buffer, words.byteOffset, words.byteLength) : null,
    title: typeof title === 'string' ? titleLine(title) : null,
    hasUnrecognizedPages: others['hasUnrecognizedPages'] === true,
    leftOut: readLeftOut(others['leftOut']),
    warnings: readWarnings(others['warnings']),
    tables: null,
  };
}

function readPages(value: unknown): PageRange[] {
  if (!Array.isArray(value) || value.length > MAX_PAGE_RANGES)
    throw new TypeError('pages is not a short list');
  return value.map((range) => {
    const { from, to, content: name, confidence, unreadable } = asRecord(range);
    const content = pageContentSchema.options.find((known) => known === name);
    if (!isPageNumber(from) || !isPageNumber(to) || content === undefined)
      throw new TypeError('unknown shape of a range of pages');
    return {
      from,
      to,
      content,
      ...(typeof confidence === 'number' && { confidence }),
      ...(typeof unreadable === 'number' && { unreadable }),
    };
  });
}

function readLeftOut(value: unknown): LeftOut {
  const counts = asRecord(value);
  return Object.fromEntries(
    LEFT_OUT_REASONS.flatMap((reason) => {
      const count = counts[reason];
      return typeof count === 'number' && Number.isSafeInteger(count) && count > 0 ? [[reason, count]] : [];
    }),
  );
}

function readWarnings(value: unknown): DocumentWarning[] {
  if (!Array.isArray(value) || value.length > MAX_WARNINGS)
    throw new TypeError('warnings is not a short list');
  return value.map((warning) => {
    const { code, message, languages: names } = asRecord(warning);
    if (typeof code !== 'string' || !isIngestionErrorCode(code) || typeof message !== 'string')
      throw new TypeError('unknown shape of a warning');
    const languages = readNames(names);
    return { code, message: plainSentence(message), ...(languages && { languages }) };
  });
}

function isPictureFile(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array && value.byteLength <= MAX_PICTURE_BYTES;
}

/** Names of language data. */
function readNames(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value
    .filter((name): name is string => typeof name === 'string' && LANGUAGE_NAME.test(name))
    .slice(0, MAX_LANGUAGES);
}

function isPageTable(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_PAGE_CHARACTERS;
}

/** Validates a request, in the child. @throws TypeError for a malformed one: the worker did not send it */
export function readRequest(message: unknown): ChildRequest {
  const {
    kind,
    source,
    fileType,
    declaredEncoding,
    encoding,
    fileName,
    recognizedPath,
    maxCharacters,
    tablesPath,
    page,
    languages,
    isEmbedded,
  } = asRecord(message);
  if (kind === 'scale' && typeof source === 'string') return { kind, source };
  const isSource = typeof source === 'string' || source instanceof Uint8Array;
  if (!isSource || typeof fileType !== 'string') throw new TypeError('unknown request shape');
  if (!isFileType(fileType)) throw new TypeError(`no parser for ${fileType}`);
  if (typeof source === 'string' && isPageNumber(page))
    return { source, fileType, page, languages: readLanguages(languages), isEmbedded: isEmbedded === true };
  if (typeof maxCharacters !== 'number' || typeof tablesPath !== 'string')
    throw new TypeError('unknown request shape');
  return {
    source,
    fileType,
    maxCharacters,
    tablesPath,
    ...(typeof declaredEncoding === 'string' ? { declaredEncoding } : {}),
    ...(typeof encoding === 'string' ? { encoding } : {}),
    ...(typeof fileName === 'string' ? { fileName } : {}),
    ...(typeof recognizedPath === 'string' ? { recognizedPath } : {}),
  };
}

function readLanguages(value: unknown): LanguageFiles {
  return Object.fromEntries(
    Object.entries(asRecord(value)).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
}

/** Encodes Tesseract's values by page number as JSON. */
export function encodeRecognized(pages: ReadonlyMap<number, string>): string {
  return JSON.stringify([...pages]);
}

/** @throws TypeError for any other input than the output of {@link encodeRecognized} */
export function decodeRecognized(json: string): ReadonlyMap<number, string> {
  const entries: unknown = JSON.parse(json);
  if (!Array.isArray(entries)) throw new TypeError('recognized pages are not an array');
  return new Map(
    entries.map((entry: unknown) => {
      const [page, table]: unknown[] = Array.isArray(entry) ? entry : [];
      if (!isPageNumber(page) || typeof table !== 'string') throw new TypeError('not a recognized page');
      return [page, table] as const;
    }),
  );
}

function isPageNumber(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) > 0 && Number(value) <= MAX_PAGES;
}

function plainSentence(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_SENTENCE_CHARACTERS);
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
