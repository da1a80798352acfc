import { API_ERROR_STATUS, type ApiErrorCode } from '@citewell/contracts/errors';
import { errorEnvelopeSchema } from '@citewell/contracts/http';
import type { Content, Operation } from './operations.js';
import type { Route } from './route-reader.js';
import { type JsonSchema, SchemaComponents } from './schema-components.js';

/** An OpenAPI 3.1 document, as far as we look into it ourselves. */
export interface OpenApiDocument {
  openapi: '3.1.1';
  paths: Record<string, Record<string, unknown>>;
  components: Record<string, Record<string, unknown>>;
  [field: string]: unknown;
}

/** Of the interface; the specification says 1.0.0. */
const INTERFACE_VERSION = '1.0.0';
const SUCCESS = 200;
/** Paths outside `/api`. */
const OUTSIDE = /^\/(?:health\/|metrics$)/;
const KEY_ERRORS: readonly ApiErrorCode[] = [
  'UNAUTHORIZED',
  'FORBIDDEN',
  'RATE_LIMIT',
  'INTERNAL',
  'UPSTREAM_UNAVAILABLE',
];
const ADMIN_ERRORS: readonly ApiErrorCode[] = ['UNAUTHORIZED', 'INTERNAL', 'UPSTREAM_UNAVAILABLE'];
const MAY_WAIT: ReadonlySet<number> = new Set([
  API_ERROR_STATUS.RATE_LIMIT,
  API_ERROR_STATUS.UPSTREAM_UNAVAILABLE,
]);

/**
 * Describes routes. Paths, parameters, bodies and what is deprecated come from the routes themselves; summaries and
 * answers from the table of operations.
 *
 * @throws Error when a route is not in the table
 */
export function openApiDocument(
  routes: readonly Route[],
  operations: Readonly<Record<string, Operation>>,
): OpenApiDocument {
  const schemas = new SchemaComponents();
  const paths: OpenApiDocument['paths'] = {};
  const known = Object.keys(operations);
  const places = new Map(routes.map((route) => [route, known.indexOf(keyOf(route))]));
  for (const route of routes.toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0))) {
    const operation = operations[keyOf(route)];
    if (!operation) throw new Error(`${keyOf(route)} is not described: add it to the table of operations`);
    const path = (paths[route.path] ??= OUTSIDE.test(route.path) ? { servers: [{ url: '/' }] } : {});
    path[route.method] = describe(route, operation, schemas);
  }
  const error = schemas.of(errorEnvelopeSchema, 'output');
  return {
    openapi: '3.1.1',
    info: {
      title: 'Citewell',
      version: INTERFACE_VERSION,
      description: 'Question answering over your own documents, with citations that can be checked.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/api' }],
    security: [{ key: [] }],
    tags: [...new Set(Object.values(operations).map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: schemas.all(),
      responses: errorResponses(error),
      headers: HEADERS,
      securitySchemes: {
        key: {
          type: 'http',
          scheme: 'bearer',
          description: 'A key of an organization, with the scope that is named.',
        },
        adminKey: { type: 'http', scheme: 'bearer', description: 'The key in `CITEWELL_ADMIN_KEY`.' },
      },
    },
  };
}

/** How a route is named in the table of operations. */
export function keyOf({ method, path }: Pick<Route, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

const HEADERS = {
  RequestId: { description: 'Names the request in the log.', schema: { type: 'string' } },
  Link: {
    description: 'The next page, as `<…>; rel="next"`, when there may be one.',
    schema: { type: 'string' },
  },
  RetryAfter: { description: 'Seconds after which trying again makes sense.', schema: { type: 'integer' } },
  Deprecation: { description: 'The endpoint is deprecated.', schema: { const: 'true' } },
};
const headerRef = (name: keyof typeof HEADERS) => ({ $ref: `#/components/headers/${name}` });

function describe(route: Route, operation: Operation, schemas: SchemaComponents): Record<string, unknown> {
  const { access = 'key' } = operation;
  const query = route.query ? schemas.of(route.query, 'input') : null;
  const body = operation.body ?? (route.body ? { 'application/json': route.body } : null);
  const success = {
    description: 'Done.',
    headers: {
      'X-Request-Id': headerRef('RequestId'),
      ...(query?.properties?.['cursor'] ? { Link: headerRef('Link') } : {}),
      ...(route.deprecated ? { Deprecation: headerRef('Deprecation') } : {}),
    },
    content: toContent(operation.answers, 'output', schemas),
  };
  const also = Object.entries(operation.also ?? {}).map(([status, description]) => [
    status,
    { ...success, description },
  ]);
  const errors = errorsOf(route, operation).map((status) => [
    status,
    { $ref: `#/components/responses/Error${status}` },
  ]);
  return {
    operationId: route.operationId,
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    ...(route.deprecated ? { deprecated: true } : {}),
    security:
      access === 'public'
        ? []
        : access === 'admin'
          ? [{ adminKey: [] }]
          : [{ key: route.scope ? [route.scope] : [] }],
    parameters: parametersOf(route, operation, query),
    ...(body ? { requestBody: { required: true, content: toContent(body, 'input', schemas) } } : {}),
    responses: Object.fromEntries([[SUCCESS, success], ...also, ...errors]) as unknown,
  };
}

function parametersOf(route: Route, operation: Operation, query: JsonSchema | null): unknown[] {
  const required = new Set(query?.required ?? []);
  return [
    ...route.pathParameters.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
    ...Object.entries(query?.properties ?? {}).map(([name, schema]) => ({
      name,
      in: 'query',
      required: required.has(name),
      schema,
    })),
    ...(operation.idempotent || route.headers.includes('idempotency-key') ? [IDEMPOTENCY_KEY] : []),
  ];
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'The same key and body give the same answer for 24 hours; another body is a conflict.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

/** The statuses that follow from the shape of a request, and those that the table adds. */
function errorsOf(route: Route, { access = 'key', errors = [], body, idempotent }: Operation): number[] {
  if (access === 'public') return [];
  const hasBody = route.body !== null || body !== undefined;
  const codes: ApiErrorCode[] = [
    ...(access === 'admin' ? ADMIN_ERRORS : KEY_ERRORS),
    ...(hasBody || route.query ? (['INVALID_REQUEST'] as const) : []),
    ...(hasBody ? (['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
    ...(route.pathParameters.length > 0 ? (['NOT_FOUND'] as const) : []),
    ...(idempotent || route.headers.includes('idempotency-key') ? (['CONFLICT'] as const) : []),
    ...errors,
  ];
  return [...new Set(codes.map((code) => API_ERROR_STATUS[code]))].sort((a, b) => a - b);
}

function errorResponses(error: JsonSchema): Record<string, unknown> {
  const codesByStatus = Map.groupBy(Object.entries(API_ERROR_STATUS), ([, status]) => status);
  return Object.fromEntries(
    [...codesByStatus].map(([status, codes]) => [
      `Error${status}`,
      {
        description: codes.map(([code]) => `\`${code}\``).join(', '),
        headers: {
          'X-Request-Id': headerRef('RequestId'),
          ...(MAY_WAIT.has(status) ? { 'Retry-After': headerRef('RetryAfter') } : {}),
        },
        content: { 'application/json': { schema: error } },
      },
    ]),
  );
}

function toContent(
  content: Content,
  io: 'input' | 'output',
  schemas: SchemaComponents,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(content).map(([mediaType, schema]) => [
      mediaType,
      schema
        ? { schema: schemas.of(schema, io) }
        : mediaType.startsWith('text/')
          ? { schema: { type: 'string' } }
          : {},
    ]),
  );
}
