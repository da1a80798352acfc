import { IngestionError, type IngestionErrorCode } from '@citewell/contracts/errors';

/** The reasons for which a file ends without a document. */
export const DOCUMENT_ERROR_CODES = [
  'CORRUPT_FILE',
  'PASSWORD_REQUIRED',
  'OCR_REQUIRED',
  'EMPTY_DOCUMENT',
  'UNSUPPORTED_FILE',
  'TOO_COMPLEX',
  'PARSE_TIMEOUT',
  'PARSE_MEMORY',
  'PARSER_CRASHED',
] as const satisfies readonly IngestionErrorCode[];

export type DocumentErrorCode = (typeof DOCUMENT_ERROR_CODES)[number];

/**
 * A file that could not be read, and why. It is an {@link IngestionError}, so the table in contracts decides on the
 * retry and has the user's sentence.
 *
 * @param message for the log; may name inner details, the user never sees it
 */
export class DocumentError extends IngestionError {
  declare readonly code: DocumentErrorCode;

  constructor(
    code: DocumentErrorCode,
    message: string,
    options: { cause?: unknown; userMessage?: string } = {},
  ) {
    super(code, {
      message,
      cause: options.cause,
      ...(options.userMessage === undefined ? {} : { detail: options.userMessage }),
    });
    this.name = 'DocumentError';
  }

  /** What the user reads: what happened, and what to do about it. */
  get userMessage(): string {
    return this.sentence;
  }
}

export function isDocumentErrorCode(value: unknown): value is DocumentErrorCode {
  return DOCUMENT_ERROR_CODES.some((code) => code === value);
}
