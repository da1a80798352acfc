/** Every error code an HTTP answer can carry, with the status it is answered with. */
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
  UPSTREAM_UNAVAILABLE: 503,
  STORAGE_FULL: 507,
} as const;

/** The `error` field of the envelope. Clients branch on it, never on `message`. */
export type ApiErrorCode = keyof typeof API_ERROR_STATUS;

export const API_ERROR_CODES = Object.keys(API_ERROR_STATUS) as readonly ApiErrorCode[];

/** One field that was refused: where it stands in the body, and why. */
export interface ErrorDetail {
  path: string;
  message: string;
}
