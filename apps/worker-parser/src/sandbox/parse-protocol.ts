import { INGESTION_ERRORS } from '@citewell/contracts/errors';
import {
  DocumentError,
  type EncodedDocument,
  isDocumentErrorCode,
  isParsableType,
  type ParsableType,
  type Progress,
} from '@citewell/documents';

/** What the worker asks of a child. One request at a time. */
export interface ParseRequest {
  /** A file in the child's scratch directory. */
  readonly path: string;
  readonly fileType: ParsableType;
  readonly declaredEncoding?: string;
  /** A second file there: what {@link encodeRecognized} made of recognised pages. */
  readonly recognizedPath?: string;
  readonly maxCharacters: number;
}

/**
 * What a parser made of a file, encoded: nobody between the parser and who divides it into chunks holds its blocks. Who
 * decodes it checks it, see `decodeDocument`.
 */
export interface ParsedFile extends EncodedDocument {
  /** UTF-16 units of text. */
  readonly characters: number;
  /** Null where the format has none. */
  readonly pageCount: number | null;
  /** Some pages are pictures of text that nobody has recognised. */
  readonly hasUnrecognizedPages: boolean;
}

/** What a child answers: any number of `progress` and one `scans` at the most, then one of the others. */
export type ParseReply =
  | { readonly kind: 'scans'; readonly pages: readonly number[] }
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'document'; readonly file: ParsedFile }
  | { readonly kind: 'failure'; readonly error: DocumentError };

/** The replies as they travel: plain values and bytes. */
export type ParseMessage =
  | { readonly kind: 'scans'; readonly pages: readonly number[] }
  | { readonly kind: 'progress'; readonly done: number; readonly total: number }
  | {
      readonly kind: 'document';
      readonly text: Uint8Array;
      readonly outline: Uint8Array;
      readonly pageCount: number | null;
      readonly hasUnrecognizedPages: boolean;
    }
  | {
      readonly kind: 'failure';
      readonly code: string;
      readonly message: string;
      /** What the user reads. */
      readonly sentence: string;
    };

const MAX_MESSAGE_CHARACTERS = 2000;
const MAX_SENTENCE_CHARACTERS = 600;
const MAX_PAGES = 100_000;
/** Bytes of an outline: so many, and so many for each character of text that there may be. */
const MAX_OUTLINE_BASE = 1_000_000;
const MAX_OUTLINE_PER_CHARACTER = 16;
/** UTF-16. */
const BYTES_PER_CHARACTER = 2;

/**
 * Checks a message from a child. A child reads hostile files, so nothing that it says is taken on trust.
 *
 * @throws TypeError for anything that {@link ParseMessage} does not describe
 */
export function readReply(message: unknown, maxCharacters: number): ParseReply {
  const { kind, done, total, code, message: reason, sentence, pages } = asRecord(message);
  if (kind === 'progress' && typeof done === 'number' && typeof total === 'number') {
    return { kind, progress: { done, total } };
  }
  if (kind === 'document') return { kind, file: readParsedFile(asRecord(message), maxCharacters) };
  if (kind === 'scans' && Array.isArray(pages) && pages.length <= MAX_PAGES && pages.every(isPageNumber)) {
    return { kind, pages };
  }
  if (kind === 'failure' && isDocumentErrorCode(code) && typeof reason === 'string') {
    return {
      kind,
      error: new DocumentError(code, reason.slice(0, MAX_MESSAGE_CHARACTERS), {
        // One line of text and not more, whatever the child has become.
        userMessage: typeof sentence === 'string' ? plainSentence(sentence) : INGESTION_ERRORS[code].sentence,
      }),
    };
  }
  throw new TypeError('a message of an unknown shape');
}

function readParsedFile(
  { text, outline, pageCount, hasUnrecognizedPages }: Record<string, unknown>,
  maxCharacters: number,
): ParsedFile {
  if (!(text instanceof Uint8Array) || !(outline instanceof Uint8Array))
    throw new TypeError('a document that is no bytes');
  const characters = text.byteLength / BYTES_PER_CHARACTER;
  if (!Number.isInteger(characters)) throw new TypeError('half a character');
  if (characters > maxCharacters) throw new TypeError('more text than was asked for');
  if (outline.byteLength > MAX_OUTLINE_BASE + maxCharacters * MAX_OUTLINE_PER_CHARACTER)
    throw new TypeError('an outline that is larger than any text needs');
  return {
    text: Buffer.from(text.buffer, text.byteOffset, text.byteLength),
    outline: Buffer.from(outline.buffer, outline.byteOffset, outline.byteLength),
    characters,
    pageCount: isPageNumber(pageCount) ? pageCount : null,
    hasUnrecognizedPages: hasUnrecognizedPages === true,
  };
}

/** The child's side: @throws TypeError when it is started by something else than its worker */
export function readRequest(message: unknown): ParseRequest {
  const { path, fileType, declaredEncoding, recognizedPath, maxCharacters } = asRecord(message);
  if (typeof path !== 'string' || typeof fileType !== 'string' || typeof maxCharacters !== 'number') {
    throw new TypeError('a request of an unknown shape');
  }
  if (!isParsableType(fileType)) throw new TypeError(`no parser for ${fileType}`);
  return {
    path,
    fileType,
    maxCharacters,
    ...(typeof declaredEncoding === 'string' ? { declaredEncoding } : {}),
    ...(typeof recognizedPath === 'string' ? { recognizedPath } : {}),
  };
}

export function encodeRecognized(pages: ReadonlyMap<number, string>): string {
  return JSON.stringify([...pages]);
}

/** @throws TypeError for what {@link encodeRecognized} did not make */
export function decodeRecognized(json: string): ReadonlyMap<number, string> {
  const entries: unknown = JSON.parse(json);
  if (!Array.isArray(entries)) throw new TypeError('recognised pages are no array');
  return new Map(
    entries.map((entry: unknown) => {
      const [page, table]: unknown[] = Array.isArray(entry) ? entry : [];
      if (!isPageNumber(page) || typeof table !== 'string') throw new TypeError('not a recognised page');
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
