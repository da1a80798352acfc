import type { DatasourceError } from '../http/content/datasource-status.schema.js';

/**
 * The class of a failure. It alone decides about a retry of the run.
 *
 * - `permanent`: a retry would fail in the same way. The run fails now.
 * - `transient`: a dependency was unavailable. Retry later, a limited number of times.
 * - `rate-limited`: a provider asked for a delay, or the storage is full. Waiting does not count as an attempt.
 * - `cancelled`: a user cancelled the run.
 */
export type FailureClass = 'permanent' | 'transient' | 'rate-limited' | 'cancelled';

interface IngestionErrorEntry {
  readonly failure: FailureClass;
  /** The message for the user: what happened, and what to do next. */
  readonly sentence: string;
}

/** Every code of a datasource's `error`. */
export const INGESTION_ERRORS = {
  CORRUPT_FILE: {
    failure: 'permanent',
    sentence:
      'The file is damaged or incomplete. Open it on your computer, save it again and upload the new file.',
  },
  PASSWORD_REQUIRED: {
    failure: 'permanent',
    sentence: 'The file is protected by a password. Save it without a password and upload it again.',
  },
  OCR_REQUIRED: {
    failure: 'permanent',
    sentence:
      'The file contains images of text, but no text. Run it through text recognition (OCR) and upload the result.',
  },
  LANGUAGE_MISSING: {
    failure: 'permanent',
    sentence:
      'Text recognition lacks the language of some pages. Add the language to the server, and synchronize the document again.',
  },
  EMPTY_DOCUMENT: {
    failure: 'permanent',
    sentence: 'No text was found in the document. Check that it contains text, then upload or sync it again.',
  },
  UNSUPPORTED_FILE: {
    failure: 'permanent',
    sentence:
      'The content has a type that this installation cannot read. Save it as a supported file type and upload it.',
  },
  TOO_COMPLEX: {
    failure: 'permanent',
    sentence:
      'The document is larger or more deeply nested than this installation allows. Split it and upload the parts.',
  },
  PARSE_TIMEOUT: {
    failure: 'transient',
    sentence:
      'Reading the document took longer than this installation allows. Split it and upload the parts.',
  },
  PARSE_MEMORY: {
    failure: 'transient',
    sentence:
      'Reading the document needed more memory than this installation allows. Split it and upload the parts.',
  },
  PARSER_CRASHED: {
    failure: 'transient',
    sentence:
      'The parser of this file type crashed on the file. Save the file with another program and upload it again.',
  },
  ADDRESS_BLOCKED: {
    failure: 'permanent',
    sentence:
      'The address is in a private network or has a blocked port. Use a public address, or ask the operator to allow it.',
  },
  OFFLINE: {
    failure: 'permanent',
    sentence:
      'The server works offline and does not reach this address. Save the page and upload the file, or ask the operator to allow the address.',
  },
  FETCH_FAILED: {
    failure: 'transient',
    sentence: 'The page could not be fetched. Check that the address opens in a browser, then sync again.',
  },
  PAGE_REFUSED: {
    failure: 'permanent',
    sentence:
      'The web server denied access to the page, or has no page at this address. Check the address in a browser.',
  },
  PAGE_GONE: {
    failure: 'permanent',
    sentence:
      'The web server says that the page no longer exists. It was removed from the search. Delete it, or correct its address.',
  },
  NOT_A_PAGE: {
    failure: 'permanent',
    sentence:
      'The address is a sitemap or a feed, not a page. Add it as a web site, with this address as its sitemap.',
  },
  NOINDEX: {
    failure: 'permanent',
    sentence:
      'The page asks search engines not to index it (noindex), so it was not indexed. Remove noindex to include it.',
  },
  ROBOTS_DISALLOWED: {
    failure: 'permanent',
    sentence:
      'The robots.txt of the web server disallows this page. Allow it in the robots.txt to include it.',
  },
  RENDER_UNAVAILABLE: {
    failure: 'permanent',
    sentence:
      'The page has no text without a browser, and this installation has no browser. Ask the operator to install Chromium.',
  },
  SITE_EMPTY: {
    failure: 'permanent',
    sentence:
      'No page was found at the address. Check that it opens in a browser, or enter the address of a sitemap.',
  },
  SITE_FAILED: {
    failure: 'permanent',
    sentence: 'No page of the web site could be indexed. Read the errors of its pages.',
  },
  SOURCE_UNAVAILABLE: {
    failure: 'transient',
    sentence: 'The source does not answer. Its documents keep answering as they were.',
  },
  SOURCE_DENIED: {
    failure: 'permanent',
    sentence: 'The source denies access. Check address, credentials and rights, then sync again.',
  },
  SOURCE_FAILED: {
    failure: 'permanent',
    sentence: 'No document of the source could be ingested. Read the errors of its documents.',
  },
  ARCHIVE_EMPTY: {
    failure: 'permanent',
    sentence:
      'The archive contains no file that can be read. Add files of supported types and upload it again.',
  },
  ARCHIVE_FAILED: {
    failure: 'permanent',
    sentence: 'No file of the archive could be indexed. Read the errors of its files.',
  },
  PAGE_TOO_LARGE: {
    failure: 'permanent',
    sentence:
      'The page is larger than this installation allows. Save it as a file, split it and upload the parts.',
  },
  RATE_LIMITED: {
    failure: 'rate-limited',
    sentence:
      'An external service limits the number of requests. The work continues automatically after a pause.',
  },
  MODEL_REFUSED: {
    failure: 'permanent',
    sentence:
      'The embedding model rejected the request. Ask the operator to check the model and its API key.',
  },
  STORAGE_FULL: {
    failure: 'rate-limited',
    sentence:
      'The storage of this installation is full. Delete something, or ask the operator to free space. The work then continues by itself.',
  },
  CONTENT_DAMAGED: {
    failure: 'permanent',
    sentence:
      'The stored content of this datasource is damaged. Upload it again, or ask the operator to run "citewell doctor".',
  },
  DEPENDENCY_UNAVAILABLE: {
    failure: 'transient',
    sentence:
      'A service of this installation could not be reached, after several attempts. Sync again later.',
  },
  WORKER_CRASHED: {
    failure: 'transient',
    sentence:
      'The process that worked on this datasource crashed repeatedly. Ask the operator to check the log.',
  },
  USAGE_LIMIT: {
    failure: 'permanent',
    sentence:
      'The organization has reached its storage limit. Delete something or raise the limit, then sync again.',
  },
  INTERNAL: {
    failure: 'transient',
    sentence:
      'An internal error occurred. Sync again. If the error remains, give the operator the id of this datasource.',
  },
  CANCELLED: {
    failure: 'cancelled',
    sentence: 'The synchronization was cancelled. Sync again to continue.',
  },
  PARTIAL: {
    failure: 'permanent',
    sentence:
      'Some pages or files could not be indexed; the others are available. Read their errors, then sync again.',
  },
  // Warnings: the document answers questions, and its status is `synched`.
  MOSTLY_LEFT_OUT: {
    failure: 'permanent',
    sentence:
      'More than a third of the text was left out. Compare the stored text with the document before you rely on it.',
  },
  GARBLED: {
    failure: 'permanent',
    sentence:
      'The fonts of some pages do not say which letters they show, so their text is missing or wrong. Run the file through text recognition (OCR) and upload the result.',
  },
  ENCODING_UNCERTAIN: {
    failure: 'permanent',
    sentence:
      'The character encoding of the file is uncertain. If the text is garbled, upload the file again with its encoding.',
  },
  LINES_SKIPPED: {
    failure: 'permanent',
    sentence: 'Some lines of the file could not be read. Correct them and upload the file again.',
  },
  PARTLY_READ: {
    failure: 'permanent',
    sentence: 'A part of the file could not be read. Compare the stored text with the document.',
  },
  PARTLY_EMBEDDED: {
    failure: 'permanent',
    sentence:
      'The embedding model refused a part of the text. This part is found by its words, but not by its meaning.',
  },
} as const satisfies Record<string, IngestionErrorEntry>;

export type IngestionErrorCode = keyof typeof INGESTION_ERRORS;

export function isIngestionErrorCode(code: string | null): code is IngestionErrorCode {
  return code !== null && Object.hasOwn(INGESTION_ERRORS, code);
}

/**
 * A failure of a run.
 *
 * @param code decides about the retry and the message for the user (see {@link INGESTION_ERRORS})
 * @param options.message for the log; default: the code
 * @param options.detail replaces the sentence of the code. It
 * is shown to the user, so it contains no internal text.
 * @param options.languages data of text recognition that would help
 * @param options.retryAfterMs for `rate-limited`: the delay that the provider asked for
 */
export class IngestionError extends Error {
  readonly code: IngestionErrorCode;
  readonly failure: FailureClass;
  readonly sentence: string;
  readonly retryAfterMs: number | null;
  readonly languages: readonly string[] | undefined;

  constructor(
    code: IngestionErrorCode,
    options: {
      cause?: unknown;
      message?: string;
      detail?: string;
      languages?: readonly string[] | undefined;
      retryAfterMs?: number;
    } = {},
  ) {
    super(options.message ?? code, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'IngestionError';
    this.code = code;
    this.failure = INGESTION_ERRORS[code].failure;
    this.sentence = options.detail ?? INGESTION_ERRORS[code].sentence;
    this.retryAfterMs = options.retryAfterMs ?? null;
    this.languages = options.languages;
  }
}

/**
 * The error that a datasource shows. It is retryable unless its class is `permanent`: also after a cancelled
 * run, a sync starts a new one.
 *
 * @param reason the raised error, or only its code
 * @param detail replaces the sentence of the reason. It is
 * shown to the user, so it contains no internal text.
 */
export function datasourceErrorOf(
  reason: IngestionError | IngestionErrorCode,
  detail?: string,
): DatasourceError {
  const { code, failure, sentence, languages } =
    typeof reason === 'string' ? { code: reason, ...INGESTION_ERRORS[reason], languages: undefined } : reason;
  const message = detail ?? sentence;
  return {
    code,
    message,
    retryable: failure !== 'permanent',
    ...(languages && { languages: [...languages] }),
  };
}

/** Why a crawl does not read a URL as a page, or a sitemap completely. Other reasons are codes of ingestion errors. */
export const URL_REASONS = {
  EMPTY: 'It has no text.',
  EXCLUDED: 'It is left out by include and exclude.',
  GONE: 'It does not exist any more (404 or 410).',
  NESTED_TOO_DEEP: 'The sitemap is too far below the first one.',
  NOINDEX: 'It asks not to be indexed (noindex).',
  NOT_A_PAGE: 'It is a sitemap or a feed.',
  NOT_A_SITEMAP: 'It is not a sitemap.',
  NOT_FOUND_PAGE: 'Its server answers with the page that it shows for addresses that do not exist.',
  NOT_RENDERED: 'It has no text without a browser, and the crawl has used up its time for that.',
  REDIRECT: 'It redirects to another site.',
  REPEATED: 'Many addresses before it have the same text.',
  ROBOTS: 'The robots.txt of the site disallows it.',
  TRUNCATED: 'The sitemap ends early.',
  UNSUPPORTED: 'It is a file of a type that is not supported.',
} as const;
export type UrlReason = keyof typeof URL_REASONS;

/** The sentence for the reason of a crawl's outcome; null for an unknown one. */
export function urlReasonSentence(reason: string): string | null {
  // `hasOwn` has checked the key.
  if (Object.hasOwn(URL_REASONS, reason)) return URL_REASONS[reason as UrlReason];
  return Object.entries(INGESTION_ERRORS).find(([code]) => code === reason)?.[1].sentence ?? null;
}
