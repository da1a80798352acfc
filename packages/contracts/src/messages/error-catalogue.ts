import type { ApiErrorCode } from '../errors/api-errors.js';
import type { FileAdvice, FileKind, FileRefusal } from '../errors/file-refusal.js';
import type { IngestionErrorCode } from '../errors/ingestion-errors.js';
import type { UrlReason } from '../errors/url-reasons.js';

/** Errors that a client detects, as in the SDK. */
export type ClientErrorCode = 'NETWORK' | 'TIMEOUT' | 'STREAM_INCOMPLETE' | 'INVALID_RESPONSE';

export type TranslatedCode = ApiErrorCode | IngestionErrorCode | ClientErrorCode;

/** Why a file is not stored although it can be read: the library has an equal one. */
export type DuplicateReason = 'SAME_NAME' | 'SAME_CONTENT';

/** The sentences about refused files in one language. */
export interface FileSentences {
  /** What a file is, with an article where the language has them. */
  readonly kinds: Readonly<Record<FileKind, string>>;
  readonly advice: Readonly<Record<FileAdvice, string>>;
  /** Placeholders: `{kind}`, and `{extension}` or `{type}`. */
  readonly refusals: Readonly<Record<FileRefusal['reason'], string>>;
  /** After the sentence about a file of a kind that can be read. Placeholder: `{extension}`. */
  readonly rename: string;
  /** Placeholder: `{name}` of the datasource that exists. */
  readonly duplicates: Readonly<Record<DuplicateReason, string>>;
}

/** The sentences for all error codes in one language. */
export interface ErrorCatalogue extends FileSentences {
  readonly codes: Readonly<Record<TranslatedCode, string>>;
  readonly urlReasons: Readonly<Record<UrlReason, string>>;
}
