import type { ErrorDetail } from '@citewell/contracts/errors';
import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import { z } from 'zod';
import { ApiError, sayOf } from './api-error.js';
import { sentenceOf } from './issue-sentence.js';

type Issue = Pick<z.core.$ZodIssue, 'message' | 'path'>;

const MAX_DETAILS = 20;

/** Where an issue lies, as in `filters.custom_ids[3]`; the whole body is `body`. */
function pathOf({ path }: Issue): string {
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return text === '' ? 'body' : text.replace(/^\./, '');
}

/** Turns what a schema says into the error of the interface: a sentence about the first field, and one for each below. */
function toInvalidRequest(issues: readonly Issue[]): ApiError {
  // What is wrong with a field first tends to be why the rest is: one reason each.
  const reasons = new Map<string, string>();
  for (const issue of issues) {
    const path = pathOf(issue);
    if (!reasons.has(path) && reasons.size < MAX_DETAILS) reasons.set(path, issue.message);
  }
  const details: ErrorDetail[] = [...reasons].map(([path, message]) => ({ path, message }));
  const [first] = details;
  const sentence = first ? sayOf(first.path, first.message) : 'The request is not valid.';
  return new ApiError('INVALID_REQUEST', sentence, { details });
}

/** What a schema makes of something that came with a request. @throws {@link ApiError} `INVALID_REQUEST` */
export function parseInput<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value, { error: sentenceOf });
  if (parsed.success) return parsed.data;
  throw toInvalidRequest(parsed.error.issues);
}

/** Checks every parameter of a route that names a schema, and hands on what the schema made of it. */
export class InputValidationPipe implements PipeTransform {
  transform(value: unknown, { schema }: ArgumentMetadata): unknown {
    if (schema === undefined) return value;
    if (!(schema instanceof z.ZodType)) throw new Error('A route names a schema that is none of zod');
    return parseInput(schema, value);
  }
}
