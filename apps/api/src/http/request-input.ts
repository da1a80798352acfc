import type { ErrorDetail } from '@citewell/contracts/errors';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { ApiError, fieldSentence } from './api-error.js';
import { issueSentence } from './issue-sentence.js';
import {
  misspelledField,
  misspellingsOf,
  type PathKey,
  similarField,
  unknownFields,
} from './unknown-fields.js';

/** Limits what a request sees: if a misspelled one were ignored, the request would see everything. */
const LIMITING_FIELD = 'filters';
const MAX_DETAILS = 20;
/** Longer paths are truncated: a client chooses the names of unknown fields. */
const MAX_PATH_LENGTH = 100;
/** RFC 7240, section 4.4. */
const STRICT_HANDLING = /(?:^|,)\s*handling\s*=\s*"?strict"?\s*(?:[,;]|$)/i;

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** A request and its response. */
export interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

/** What the decorators below know about their parameter. The OpenAPI document reads it from Nest's metadata. */
export class InputParameter {
  constructor(
    readonly location: 'body' | 'query',
    readonly schema: z.ZodType,
    readonly isLenient = false,
  ) {}
}

const Input = createParamDecorator(
  ({ location, schema, isLenient }: InputParameter, context: ExecutionContext): unknown => {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const input: unknown = isLenient
      ? parseLeniently(schema, request[location], { request, reply })
      : parseStrictly(schema, request[location]);
    if (location === 'body') request.input = input;
    return input;
  },
);

/** Parameter decorator: the JSON body, parsed by a schema. Unknown fields are refused. */
export const JsonBody = (schema: z.ZodType): ParameterDecorator => Input(new InputParameter('body', schema));

/** Parameter decorator for routes of the API specification: unknown fields of the JSON body are ignored. */
export const LenientJsonBody = (schema: z.ZodType): ParameterDecorator =>
  Input(new InputParameter('body', schema, true));

/** Parameter decorator: the query string, parsed by a schema. Unknown parameters are refused. */
export const QueryString = (schema: z.ZodType): ParameterDecorator =>
  Input(new InputParameter('query', schema));

/** As {@link QueryString}, for clients of others: unknown parameters are ignored. */
export const LenientQueryString = (schema: z.ZodType): ParameterDecorator =>
  Input(new InputParameter('query', schema, true));

/** Parses a value of a request. @throws {@link ApiError} `INVALID_REQUEST`, also for unknown fields */
export function parseStrictly<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = parse(schema, value);
  assertNoFields(unknownFields(value, parsed), schema);
  return parsed;
}

/**
 * Parses a value of a request. Unknown fields are ignored and named in the response header `Citewell-Ignored-Fields`,
 * unless the request has `Prefer: handling=strict`, which also refuses empty filters. A misspelled `filters` is always refused.
 *
 * @throws {@link ApiError} `INVALID_REQUEST`
 */
export function parseLeniently<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  { request, reply }: Exchange,
): z.output<Schema> {
  const parsed = parse(schema, value);
  const unknown = unknownFields(value, parsed);
  assertNoFields(misspellingsOf(LIMITING_FIELD, schema, unknown), schema);
  if (STRICT_HANDLING.test(String(request.headers['prefer'] ?? ''))) {
    assertNoFields(unknown, schema);
    assertNoEmptyFilters(value);
  }
  if (unknown.length > 0) reply.header('Citewell-Ignored-Fields', ignoredFieldsHeader(unknown, schema));
  return parsed;
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value, { error: issueSentence });
  if (parsed.success) return parsed.data;
  throw toInvalidRequest(
    parsed.error.issues.map(({ path, message }) => {
      const misspelled = misspelledField(schema, value, path);
      return { path, message: misspelled === null ? message : `${message} (${misspelled} is unknown)` };
    }),
  );
}

function assertNoFields(unknown: readonly PathKey[][], schema: z.ZodType): void {
  if (unknown.length === 0) return;
  throw toInvalidRequest(
    unknown.slice(0, MAX_DETAILS).map((path) => {
      const meant = similarField(schema, String(path.at(-1)));
      return { path, message: meant === null ? 'is unknown' : `is unknown (did you mean ${meant}?)` };
    }),
  );
}

function assertNoEmptyFilters(value: unknown): void {
  const paths = emptyFilters(value);
  if (paths.length === 0) return;
  const message = 'is empty, which means no filter: leave it out to search everything, or do not ask';
  throw toInvalidRequest(paths.map((path) => ({ path, message })));
}

/**
 * The first paths, percent-encoded because a header is ASCII and its items are separated by commas. A field that was
 * probably meant is a parameter of the item, as in `customId; meant=custom_id`.
 */
function ignoredFieldsHeader(unknown: readonly PathKey[][], schema: z.ZodType): string {
  return unknown
    .slice(0, MAX_DETAILS)
    .map((path) => {
      const name = encodeURI(nameOf(path)).replaceAll(',', '%2C').replaceAll(';', '%3B');
      const meant = similarField(schema, String(path.at(-1)));
      return meant === null ? name : `${name}; meant=${meant}`;
    })
    .join(', ');
}

/** The path of a field, such as `filters.custom_ids[3]`, truncated; `body` for the whole body. */
function nameOf(path: readonly PropertyKey[]): string {
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  if (text === '') return 'body';
  return text.replace(/^\./, '').slice(0, MAX_PATH_LENGTH).toWellFormed();
}

/**
 * The error for the issues of a schema. Its message is about the first field; `details` has one entry per
 * field.
 */
function toInvalidRequest(issues: readonly Issue[]): ApiError {
  // The first issue of a field usually causes its other issues, so only the first is reported.
  const reasons = new Map<string, string>();
  for (const issue of issues) {
    const path = nameOf(issue.path);
    if (!reasons.has(path) && reasons.size < MAX_DETAILS) reasons.set(path, issue.message);
  }
  const details: ErrorDetail[] = [...reasons].map(([path, message]) => ({ path, message }));
  const [first] = details;
  const sentence = first ? fieldSentence(first.path, first.message) : 'The request is not valid.';
  return new ApiError('INVALID_REQUEST', sentence, { details });
}

/**
 * The filters of a request that are empty lists. They mean "no filter", which existing clients expect; an application that
 * filters by permission means "nothing".
 */
export function emptyFilters(body: unknown): string[][] {
  if (!isObject(body) || !isObject(body['filters'])) return [];
  return Object.entries(body['filters']).flatMap(([key, value]) =>
    Array.isArray(value) && value.length === 0 ? [['filters', key]] : [],
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
