import type { ErrorDetail } from '@citewell/contracts/errors';
import { StandardSchemaValidationPipe } from '@nestjs/common';
import { ApiError } from './api-error.js';

interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

const MAX_DETAILS = 20;

/** Where an issue lies, as in `filters.custom_ids[3]`; the whole body is `body`. */
function pathOf({ path = [] }: Issue): string {
  const text = path
    .map((step) => (typeof step === 'object' ? step.key : step))
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('');
  return text === '' ? 'body' : text.replace(/^\./, '');
}

/** Turns what a schema says into the error of the interface. */
export function toInvalidRequest(issues: readonly Issue[]): ApiError {
  const details: ErrorDetail[] = issues
    .slice(0, MAX_DETAILS)
    .map((issue) => ({ path: pathOf(issue), message: issue.message }));
  const [first] = details;
  return new ApiError(
    'INVALID_REQUEST',
    first ? `${first.path}: ${first.message}` : 'The request is not valid.',
    { details },
  );
}

/** Checks every parameter that names a schema, and hands on what the schema made of it. */
export function validationPipe(): StandardSchemaValidationPipe {
  return new StandardSchemaValidationPipe({ exceptionFactory: toInvalidRequest });
}
