import type { ErrorDetail } from '@citewell/contracts/errors';
import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import { z } from 'zod';
import { ApiError, fieldSentence } from './api-error.js';
import { issueSentence } from './issue-sentence.js';

type Issue = Pick<z.core.$ZodIssue, 'message' | 'path'>;

const MAX_DETAILS = 20;

/** The path of an issue, such as `filters.custom_ids[3]`; `body` for the whole body. */
function pathOf({ path }: Issue): string {
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return text === '' ? 'body' : text.replace(/^\./, '');
}

/**
 * The error for the issues of a schema. Its message is about the first field; `details` has one entry per
 * field.
 */
function toInvalidRequest(issues: readonly Issue[]): ApiError {
  // The first issue of a field usually causes its other issues, so only the first is reported.
  const reasons = new Map<string, string>();
  for (const issue of issues) {
    const path = pathOf(issue);
    if (!reasons.has(path) && reasons.size < MAX_DETAILS) reasons.set(path, issue.message);
  }
  const details: ErrorDetail[] = [...reasons].map(([path, message]) => ({ path, message }));
  const [first] = details;
  const sentence = first ? fieldSentence(first.path, first.message) : 'The request is not valid.';
  return new ApiError('INVALID_REQUEST', sentence, { details });
}

/** Parses a value of a request with a schema. @throws {@link ApiError} `INVALID_REQUEST` */
export function parseInput<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value, { error: issueSentence });
  if (parsed.success) return parsed.data;
  throw toInvalidRequest(parsed.error.issues);
}

/** Parses every route parameter whose decorator has a schema. Other parameters pass unchanged. */
export class InputValidationPipe implements PipeTransform {
  transform(value: unknown, { schema }: ArgumentMetadata): unknown {
    if (schema === undefined) return value;
    if (!(schema instanceof z.ZodType))
      throw new Error('The schema of a route parameter is not a zod schema');
    return parseInput(schema, value);
  }
}
