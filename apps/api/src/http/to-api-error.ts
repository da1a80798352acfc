import { BlobStoreFullError, BlobStoreUnavailableError, BlobTooLargeError } from '@citewell/blob-store';
import type { ApiErrorCode } from '@citewell/contracts/errors';
import { isDatabaseUnavailable, isReferenceGone, isUnstorableText } from '@citewell/database';
import { ModelError } from '@citewell/models';
import { VectorStoreUnavailableError } from '@citewell/vector-store';
import { HttpException } from '@nestjs/common';
import { ApiError } from './api-error.js';

/** Whatever was thrown, as the error that the client gets. No inner text leaks. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof BlobTooLargeError)
    return new ApiError('PAYLOAD_TOO_LARGE', 'The file is too large.', { cause: error });
  if (error instanceof BlobStoreFullError)
    return new ApiError('STORAGE_FULL', 'The storage is full.', { cause: error });
  if (error instanceof ModelError) return modelError(error);
  if (isUnstorableText(error)) {
    return new ApiError('INVALID_REQUEST', 'A text contains U+0000 or half a surrogate pair.', {
      cause: error,
    });
  }
  if (isReferenceGone(error)) {
    return new ApiError('NOT_FOUND', 'Something that the request refers to was deleted meanwhile.', {
      cause: error,
    });
  }
  if (isUnavailable(error)) {
    return new ApiError(
      'UPSTREAM_UNAVAILABLE',
      'A service that is needed cannot be reached. Try again in a moment.',
      {
        cause: error,
        retryAfterSeconds: 5,
      },
    );
  }
  const status = error instanceof HttpException ? error.getStatus() : statusOf(error);
  const known = status === undefined ? undefined : BY_STATUS[status];
  if (known) return new ApiError(known.code, known.message, { cause: error });
  return new ApiError('INTERNAL', 'Something went wrong on our side.', { cause: error });
}

/** Errors of the HTTP layer: its own texts name things that clients do not know. */
const BY_STATUS: Readonly<Record<number, { code: ApiErrorCode; message: string }>> = {
  400: {
    code: 'INVALID_REQUEST',
    message: 'The request could not be read. Its body must be valid JSON, without keys such as __proto__.',
  },
  404: { code: 'NOT_FOUND', message: 'There is no such path.' },
  405: { code: 'NOT_FOUND', message: 'There is no such path.' },
  406: { code: 'INVALID_REQUEST', message: 'The request must be multipart/form-data.' },
  413: { code: 'PAYLOAD_TOO_LARGE', message: 'The request is too large.' },
  415: {
    code: 'UNSUPPORTED_MEDIA_TYPE',
    message: 'The Content-Type of the request is not one that this path takes.',
  },
};

/** As soon may somebody have mended what only an operator can. */
const OPERATOR_SECONDS = 60;

/** A refusal that will be the same in a moment does not ask for another try. */
function modelError(error: ModelError): ApiError {
  if (error.kind === 'permanent') {
    return new ApiError(
      'UPSTREAM_UNAVAILABLE',
      'The model refused the request. Ask the operator to check its name, its key and the length that it takes.',
      { cause: error, retryAfterSeconds: OPERATOR_SECONDS },
    );
  }
  return new ApiError('UPSTREAM_UNAVAILABLE', 'The model cannot be reached now. Try again in a moment.', {
    cause: error,
    retryAfterSeconds: Math.max(1, Math.ceil((error.retryAfterMs ?? 5_000) / 1_000)),
  });
}

function isUnavailable(error: unknown): boolean {
  return (
    error instanceof VectorStoreUnavailableError ||
    error instanceof BlobStoreUnavailableError ||
    isDatabaseUnavailable(error)
  );
}

function statusOf(error: unknown): number | undefined {
  return error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
    ? error.statusCode
    : undefined;
}
