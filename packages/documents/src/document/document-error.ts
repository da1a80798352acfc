import { IngestionError, type IngestionErrorCode } from '@citewell/contracts/errors';

/** The reasons for which a file cannot become a document. */
export const DOCUMENT_ERROR_CODES = [
  'CORRUPT_FILE',
  'PASSWORD_REQUIRED',
  'OCR_REQUIRED',
  'LANGUAGE_MISSING',
  'EMPTY_DOCUMENT',
  'UNSUPPORTED_FILE',
  'TOO_COMPLEX',
  'PARSE_TIMEOUT',
  'PARSE_MEMORY',
  'PARSER_CRASHED',
] as const satisfies readonly IngestionErrorCode[];

export type DocumentErrorCode = (typeof DOCUMENT_ERROR_CODES)[number];

/**
 * A file could not be parsed. The table of {@link IngestionError} codes in contracts defines the retry policy
 * and the sentence for the user.
 *
 * @param message for the log; may contain internals, never shown to the user
 */
export class DocumentError extends IngestionError {
  declare readonly code: DocumentErrorCode;

  constructor(
    code: DocumentErrorCode,
    message: string,
    options: { cause?: unknown; userMessage?: string; languages?: readonly string[] | undefined } = {},
  ) {
    super(code, {
      message,
      cause: options.cause,
      languages: options.languages,
      ...(options.userMessage === undefined ? {} : { detail: options.userMessage }),
    });
    this.name = 'DocumentError';
  }

  /** The sentence for the user: what happened and what to do next. */
  get userMessage(): string {
    return this.sentence;
  }
}

export function isDocumentErrorCode(value: unknown): value is DocumentErrorCode {
  return DOCUMENT_ERROR_CODES.some((code) => code === value);
}
