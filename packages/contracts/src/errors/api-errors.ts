/** Every error code of an HTTP response, with the status of that response. */
export const API_ERROR_STATUS = {
  INVALID_REQUEST: 400,
  USAGE_LIMIT: 402,
  UNAUTHORIZED: 403,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  GONE: 410,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMIT: 429,
  INTERNAL: 500,
  ANSWER_INTERRUPTED: 503,
  CONTENT_DAMAGED: 503,
  EMPTY_ANSWER: 503,
  OWN_MODEL_FAILED: 503,
  UPSTREAM_UNAVAILABLE: 503,
  STORAGE_FULL: 507,
} as const;

/** The `error` field of an error response. Clients branch on it, never on `message`. */
export type ApiErrorCode = keyof typeof API_ERROR_STATUS;

export const API_ERROR_CODES = Object.keys(API_ERROR_STATUS) as readonly ApiErrorCode[];

/** One rejected field of a request. */
export interface ErrorDetail {
  /** Where the field is in the request body. */
  path: string;
  /** Why it was rejected. */
  message: string;
  /** Why it was rejected, for programs: of a file, a reason of `FileRefusal` or `DuplicateReason`. */
  reason?: string | undefined;
  /** What belongs to the reason: such as the kind of the file, or the id of the datasource that has its name. */
  values?: Record<string, string> | undefined;
}
