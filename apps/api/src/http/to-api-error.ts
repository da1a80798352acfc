import { STATUS_CODES } from 'node:http';
import {
  BlobDamagedError,
  BlobNotFoundError,
  BlobStoreFullError,
  BlobStoreUnavailableError,
  BlobTooLargeError,
} from '@citewell/blob-store';
import { type ApiErrorCode, formatBytes } from '@citewell/contracts/errors';
import {
  isDatabaseDamaged,
  isDatabaseFull,
  isDatabaseUnavailable,
  isReferenceGone,
  isUnstorableText,
} from '@citewell/database';
import { ModelError, type ModelErrorReason, OwnModelError } from '@citewell/models';
import { VectorStoreUnavailableError } from '@citewell/vector-store';
import { HttpException } from '@nestjs/common';
import { ApiError } from './api-error.js';

/** The error response for anything thrown. Messages of other errors are never sent to the client. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof BlobTooLargeError)
    return new ApiError(
      'PAYLOAD_TOO_LARGE',
      `The file is larger than ${formatBytes(error.maxBytes)}. The operator can raise this limit with MAX_UPLOAD_BYTES.`,
      { cause: error },
    );
  if (error instanceof BlobStoreFullError || isDatabaseFull(error))
    return new ApiError(
      'STORAGE_FULL',
      'The storage is full. Delete something, or ask the operator to free space.',
      {
        cause: error,
      },
    );
  if (error instanceof BlobDamagedError || error instanceof BlobNotFoundError)
    return new ApiError(
      'CONTENT_DAMAGED',
      'The stored content is damaged or missing. Upload it again, or ask the operator to run "citewell doctor".',
      { cause: error },
    );
  if (isDatabaseDamaged(error))
    return new ApiError(
      'CONTENT_DAMAGED',
      'The database is damaged, and this could not be read. The operator has to check the disk and restore a backup.',
      { cause: error },
    );
  if (error instanceof OwnModelError) return ownModelError(error);
  if (error instanceof ModelError) return modelError(error);
  if (isUnstorableText(error)) {
    return new ApiError('INVALID_REQUEST', 'A text contains U+0000 or an unpaired surrogate.', {
      cause: error,
    });
  }
  if (isReferenceGone(error)) {
    return new ApiError('NOT_FOUND', 'An object that the request refers to was deleted in the meantime.', {
      cause: error,
    });
  }
  if (isUnavailable(error)) {
    return new ApiError(
      'UPSTREAM_UNAVAILABLE',
      'A required service cannot be reached. Try again in a moment.',
      {
        cause: error,
        retryAfterSeconds: 5,
      },
    );
  }
  const status = error instanceof HttpException ? error.getStatus() : statusOf(error);
  const known = status === undefined ? undefined : BY_STATUS[status];
  if (known) return new ApiError(known.code, known.message, { cause: error });
  // Errors of other libraries may have the status of an upstream server, so only those of the HTTP layer keep theirs.
  if (error instanceof HttpException && isClientErrorStatus(error.getStatus()))
    return otherClientError(error.getStatus(), error);
  return new ApiError(
    'INTERNAL',
    'An internal error occurred. The server log has the details under the request id.',
    { cause: error },
  );
}

/** Errors of the HTTP layer by status. Its own messages are for developers. */
const BY_STATUS: Readonly<Record<number, { code: ApiErrorCode; message: string }>> = {
  400: {
    code: 'INVALID_REQUEST',
    message: 'The request could not be read. Its body must be valid JSON, without keys such as __proto__.',
  },
  // A path outside of the folder of static files.
  403: { code: 'NOT_FOUND', message: 'There is no such path.' },
  404: { code: 'NOT_FOUND', message: 'There is no such path.' },
  405: { code: 'NOT_FOUND', message: 'There is no such path.' },
  406: { code: 'INVALID_REQUEST', message: 'The request must be multipart/form-data.' },
  413: { code: 'PAYLOAD_TOO_LARGE', message: 'The request is too large.' },
  415: {
    code: 'UNSUPPORTED_MEDIA_TYPE',
    message:
      'This path does not accept the Content-Type of the request. JSON needs Content-Type: application/json, files multipart/form-data.',
  },
};

/** Sentences for errors that keep their status. */
const OTHER_CLIENT_ERRORS: Readonly<Record<number, string>> = {
  408: 'The request did not arrive in time.',
  412: 'The file has changed, or does not match the conditions of the request.',
  416: 'The requested range is outside of the file.',
};

function isClientErrorStatus(status: number): boolean {
  return status >= 400 && status < 500;
}

function otherClientError(status: number, cause: unknown): ApiError {
  const reason =
    OTHER_CLIENT_ERRORS[status] ?? `The request is not valid: ${STATUS_CODES[status] ?? status}.`;
  return new ApiError('INVALID_REQUEST', reason, { status, cause });
}

/** Retry interval for errors that a person must fix. */
const OPERATOR_RETRY_SECONDS = 60;

const REFUSED =
  'The model refused the request. Ask the operator to check its name, its key and its context length.';
/** What the operator has to check. The log and the health report have the sentence of the provider. */
const MODEL_REFUSALS: Partial<Record<ModelErrorReason, string>> = {
  key: 'The model provider refused the key. Ask the operator to check the key of the model.',
  quota: 'The credit at the model provider is used up. Ask the operator to check the account of the model.',
  'too-long':
    'The question and its passages are longer than the model accepts. Ask the operator to lower CONTEXT_TOKENS or to use a model with a longer context.',
  'not-found': 'The model was not found. Ask the operator to check its name and the address of its server.',
};

/** What an administrator of the organization has to check, whose settings name the model. */
const OWN_MODEL_REFUSALS: Partial<Record<ModelErrorReason, string>> = {
  key: 'The model provider refused the key of your organization.',
  quota: 'The credit of your organization at the model provider is used up.',
  'too-long': 'The question and its passages are longer than the model of your organization accepts.',
  'not-found': 'The model of your organization was not found.',
};
const OWN_MODEL_REFUSED = 'The model of your organization refused the request, or cannot be used.';

/** The operator's model is not asked instead: the operator would pay. */
function ownModelError(error: OwnModelError): ApiError {
  const isPermanent = error.kind === 'permanent';
  const reason = isPermanent
    ? `${OWN_MODEL_REFUSALS[error.reason ?? 'refused'] ?? OWN_MODEL_REFUSED} An administrator of the organization can check it in the settings, under Models.`
    : 'The model of your organization cannot be reached. Try again in a moment.';
  return new ApiError('OWN_MODEL_FAILED', reason, {
    cause: error,
    retryAfterSeconds: isPermanent ? OPERATOR_RETRY_SECONDS : retrySecondsOf(error),
  });
}

function retrySecondsOf({ retryAfterMs = 5_000 }: ModelError): number {
  return Math.max(1, Math.ceil(retryAfterMs / 1_000));
}

/** A permanent error needs the operator, so its sentence does not ask the user to try again. */
function modelError(error: ModelError): ApiError {
  if (error.kind === 'permanent') {
    const message = MODEL_REFUSALS[error.reason ?? 'refused'] ?? REFUSED;
    return new ApiError('UPSTREAM_UNAVAILABLE', message, {
      cause: error,
      retryAfterSeconds: OPERATOR_RETRY_SECONDS,
    });
  }
  return new ApiError('UPSTREAM_UNAVAILABLE', 'The model cannot be reached. Try again in a moment.', {
    cause: error,
    retryAfterSeconds: retrySecondsOf(error),
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
