import { type FileAdvice, type FileKind, type FileRefusal, isFileKind } from '../errors/file-refusal.js';
import {
  INGESTION_ERRORS,
  type IngestionErrorCode,
  isIngestionErrorCode,
  type UrlReason,
} from '../errors/ingestion-errors.js';
import { describeRefusal, fill } from './describe-file.js';
import type { ApiErrorCode } from '../errors/api-errors.js';

/** An error of the API, or of a datasource. */
export interface ReportedError {
  readonly code: string;
  /** The sentence of the server. */
  readonly message: string;
  readonly details?: readonly ReportedDetail[] | undefined;
}

interface ReportedDetail {
  readonly reason?: string | undefined;
  readonly values?: Readonly<Record<string, string>> | undefined;
}

/** An error in the language of a reader. */
export interface DescribedError {
  readonly sentence: string;
  /** The sentence of the server, if it says more than the one of its code. */
  readonly detail: string | null;
}

/** Translates an error. The sentence of the server is the fallback for a code that the catalogue does not have. */
export function describeError(catalogue: ErrorCatalogue, error: ReportedError): DescribedError {
  const { code, message, details = [] } = error;
  for (const detail of details) {
    const sentence = describeDetail(catalogue, detail);
    if (sentence !== null) return { sentence, detail: null };
  }
  const codes: Readonly<Record<string, string>> = catalogue.codes;
  const sentence = Object.hasOwn(codes, code) ? codes[code] : undefined;
  if (sentence === undefined) return { sentence: message, detail: null };
  return { sentence, detail: saysMore(code, message) ? message : null };
}

/** The sentence for the reason of a URL that a crawl does not read. */
export function describeUrlReason(
  catalogue: ErrorCatalogue,
  { reason, message }: { reason: string | null; message: string | null },
): string | null {
  if (reason === null) return message;
  const sentences: Readonly<Record<string, string>> = { ...catalogue.codes, ...catalogue.urlReasons };
  return (Object.hasOwn(sentences, reason) ? sentences[reason] : undefined) ?? message;
}

/** @returns null for a reason that is not known */
function describeDetail(sentences: FileSentences, { reason, values = {} }: ReportedDetail): string | null {
  if (reason === undefined) return null;
  if (Object.hasOwn(sentences.duplicates, reason))
    // The key was found in the table of these reasons.
    return fill(sentences.duplicates[reason as DuplicateReason], values);
  const refusal = refusalOf(reason, values);
  return refusal && describeRefusal(sentences, refusal);
}

function refusalOf(reason: string, values: Readonly<Record<string, string>>): FileRefusal | null {
  const { kind, extension = '', type = '' } = values;
  if (reason === 'EMPTY_FILE') return { reason };
  if (!isFileKind(kind)) return null;
  if (reason === 'UNREADABLE_FILE') return { reason, kind };
  if (reason === 'MISNAMED_FILE') return { reason, kind, extension };
  return reason === 'MISDECLARED_FILE' ? { reason, kind, type } : null;
}

/** Whether a sentence of the server is another one than that of its code: it names a number, an address or a line. */
function saysMore(code: string, message: string): boolean {
  if (isClientError(code)) return false;
  return !isIngestionErrorCode(code) || message !== INGESTION_ERRORS[code].sentence;
}

/** These have the sentence of the SDK, which is about its address and its timeout. */
function isClientError(code: string): boolean {
  return ['NETWORK', 'TIMEOUT', 'STREAM_INCOMPLETE'].includes(code);
}

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
