import {
  decodeOutline,
  type Document,
  DocumentError,
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
  readonly maxCharacters: number;
}

/** What a child answers: any number of `progress`, then one of the others. */
export type ParseReply =
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'document'; readonly document: Document }
  | { readonly kind: 'failure'; readonly error: DocumentError };

/** The replies as they travel: plain values, a document as its text and the JSON of the rest. */
export type ParseMessage =
  | { readonly kind: 'progress'; readonly done: number; readonly total: number }
  | { readonly kind: 'document'; readonly text: string; readonly outline: string }
  | { readonly kind: 'failure'; readonly code: string; readonly message: string };

const MAX_MESSAGE_CHARACTERS = 2000;

/**
 * Checks a message from a child. A child reads hostile files, so nothing that it says is taken on trust.
 *
 * @throws TypeError for anything that {@link ParseMessage} does not describe
 */
export function readReply(message: unknown, maxCharacters: number): ParseReply {
  const { kind, done, total, text, outline, code, message: reason } = asRecord(message);
  if (kind === 'progress' && typeof done === 'number' && typeof total === 'number') {
    return { kind, progress: { done, total } };
  }
  if (kind === 'document' && typeof text === 'string' && typeof outline === 'string') {
    if (text.length > maxCharacters) throw new TypeError('more text than was asked for');
    return { kind, document: decodeOutline(text, outline) };
  }
  if (kind === 'failure' && isDocumentErrorCode(code) && typeof reason === 'string') {
    return { kind, error: new DocumentError(code, reason.slice(0, MAX_MESSAGE_CHARACTERS)) };
  }
  throw new TypeError('a message of an unknown shape');
}

/** The child's side: @throws TypeError when it is started by something else than its worker */
export function readRequest(message: unknown): ParseRequest {
  const { path, fileType, declaredEncoding, maxCharacters } = asRecord(message);
  if (typeof path !== 'string' || typeof fileType !== 'string' || typeof maxCharacters !== 'number') {
    throw new TypeError('a request of an unknown shape');
  }
  if (!isParsableType(fileType)) throw new TypeError(`no parser for ${fileType}`);
  const declared = typeof declaredEncoding === 'string' ? { declaredEncoding } : {};
  return { path, fileType, maxCharacters, ...declared };
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
