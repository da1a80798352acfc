/**
 * What a failed run may do next. The class of a failure is the retry decision; nobody looks at messages.
 *
 * - `permanent`: trying again gives the same; the run fails now.
 * - `transient`: something that we need was away; try again later, a bounded number of times.
 * - `rate-limited`: a provider asked us to wait; waiting costs no attempt.
 * - `cancelled`: somebody asked for it.
 */
export type FailureClass = 'permanent' | 'transient' | 'rate-limited' | 'cancelled';

interface IngestionErrorEntry {
  readonly failure: FailureClass;
  /** What the user reads: what happened, and what to do about it. */
  readonly sentence: string;
}

/** Every reason for which a datasource can carry an `error`. */
export const INGESTION_ERRORS = {
  CORRUPT_FILE: {
    failure: 'permanent',
    sentence:
      'The file is damaged or incomplete. Open it on your computer, save it again and upload the new copy.',
  },
  PASSWORD_REQUIRED: {
    failure: 'permanent',
    sentence: 'The file is protected by a password. Save it without one and upload it again.',
  },
  OCR_REQUIRED: {
    failure: 'permanent',
    sentence:
      'The file holds pictures of text and no text. Run it through text recognition (OCR) and upload the result.',
  },
  EMPTY_DOCUMENT: {
    failure: 'permanent',
    sentence: 'No text was found in it.',
  },
  UNSUPPORTED_FILE: {
    failure: 'permanent',
    sentence: 'Its content is of a kind that cannot be read here.',
  },
  TOO_COMPLEX: {
    failure: 'permanent',
    sentence:
      'It is larger or more deeply nested than the limits of this installation allow. Split it and upload the parts.',
  },
  PARSE_TIMEOUT: {
    failure: 'transient',
    sentence: 'Reading it took longer than this installation allows. Split it and upload the parts.',
  },
  PARSE_MEMORY: {
    failure: 'transient',
    sentence: 'Reading it needed more memory than this installation allows. Split it and upload the parts.',
  },
  PARSER_CRASHED: {
    failure: 'transient',
    sentence:
      'The reader of this file type stopped unexpectedly on it. Save the file again with another program and upload it.',
  },
  ADDRESS_BLOCKED: {
    failure: 'permanent',
    sentence: 'The address leads to a private network or a port that this installation does not open.',
  },
  FETCH_FAILED: {
    failure: 'transient',
    sentence: 'The page could not be fetched. Check that the address opens in a browser, then sync again.',
  },
  PAGE_REFUSED: {
    failure: 'permanent',
    sentence: 'The web server refused the page or does not have it.',
  },
  PAGE_GONE: {
    failure: 'permanent',
    sentence: 'The web server says that the page does not exist any more. It no longer answers questions.',
  },
  NOT_A_PAGE: {
    failure: 'permanent',
    sentence:
      'The address leads to a sitemap or a feed. Add it as a web site, with this address as its sitemap.',
  },
  NOINDEX: {
    failure: 'permanent',
    sentence: 'The page asks not to be indexed (noindex), so it answers no questions.',
  },
  ROBOTS_DISALLOWED: {
    failure: 'permanent',
    sentence: 'The robots.txt of the web server asks not to fetch this page.',
  },
  RENDER_UNAVAILABLE: {
    failure: 'permanent',
    sentence:
      'The page shows its text only in a browser, and this installation has none. Ask the operator to install Chromium.',
  },
  SITE_EMPTY: {
    failure: 'permanent',
    sentence:
      'No page was found at the address. Check that it opens in a browser, or give the address of a sitemap.',
  },
  SITE_FAILED: {
    failure: 'permanent',
    sentence: 'None of its pages could be brought in. Look at their errors.',
  },
  PAGE_TOO_LARGE: {
    failure: 'permanent',
    sentence: 'The page is larger than this installation allows.',
  },
  RATE_LIMITED: {
    failure: 'rate-limited',
    sentence: 'A service that is needed asked us to wait. It goes on by itself.',
  },
  MODEL_REFUSED: {
    failure: 'permanent',
    sentence: 'The embedding model refused the request. Ask the operator to check the model and its key.',
  },
  STORAGE_FULL: {
    failure: 'transient',
    sentence: 'The storage of this installation is full.',
  },
  DEPENDENCY_UNAVAILABLE: {
    failure: 'transient',
    sentence: 'A service that this installation needs could not be reached. It was tried several times.',
  },
  WORKER_CRASHED: {
    failure: 'transient',
    sentence: 'The process working on it ended again and again. Ask the operator to look at the log.',
  },
  USAGE_LIMIT: {
    failure: 'permanent',
    sentence:
      'The storage limit of the organization is reached. Delete something or raise the limit, then sync again.',
  },
  INTERNAL: {
    failure: 'transient',
    sentence:
      'Something went wrong on our side. Sync again; if it stays, give the operator the id of this datasource.',
  },
  CANCELLED: {
    failure: 'cancelled',
    sentence: 'It was cancelled.',
  },
  PARTIAL: {
    failure: 'permanent',
    sentence: 'Some pages could not be brought in; the others answer.',
  },
} as const satisfies Record<string, IngestionErrorEntry>;

export type IngestionErrorCode = keyof typeof INGESTION_ERRORS;

export function isIngestionErrorCode(code: string | null): code is IngestionErrorCode {
  return code !== null && Object.hasOwn(INGESTION_ERRORS, code);
}

/**
 * A failure of a run, raised where it is noticed and decided on in one place.
 *
 * @param code decides both the retry (through {@link INGESTION_ERRORS}) and what the user reads
 * @param options.detail replaces the table's sentence where we know more; shown to the user, so no inner text
 * @param options.retryAfterMs for `rate-limited`: how long the provider asked us to wait
 */
export class IngestionError extends Error {
  readonly code: IngestionErrorCode;
  readonly failure: FailureClass;
  readonly sentence: string;
  readonly retryAfterMs: number | null;

  constructor(
    code: IngestionErrorCode,
    options: { cause?: unknown; message?: string; detail?: string; retryAfterMs?: number } = {},
  ) {
    super(options.message ?? code, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'IngestionError';
    this.code = code;
    this.failure = INGESTION_ERRORS[code].failure;
    this.sentence = options.detail ?? INGESTION_ERRORS[code].sentence;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}
