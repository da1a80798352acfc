import { API_ERROR_STATUS, type ApiErrorCode } from '@citewell/contracts/errors';
import { errorEnvelopeSchema } from '@citewell/contracts/schemas';
import { z } from 'zod';
import manifest from '../../../package.json' with { type: 'json' };
import type { Access } from '../../http/caller.js';
import type { Content, OperationDescription } from '../../http/operation.js';
import type { Route } from './route-reader.js';

/** An OpenAPI 3.1 document; only the fields that this code reads are typed. */
export interface OpenApiDocument {
  openapi: '3.1.1';
  paths: Record<string, Record<string, unknown>>;
  components: Record<string, Record<string, unknown>>;
  [field: string]: unknown;
}

/** Version of the interface that clients rely on. It changes only when a client has to. */
const INTERFACE_VERSION = '1.0.0';
const SUCCESS = 200;
/** Matches paths outside `/api`. */
const OUTSIDE_API = /^\/(?:health\/|metrics$|widget\.js$|chat\/)/;
const ADMIN_ERRORS = ['UNAUTHORIZED', 'INTERNAL', 'UPSTREAM_UNAVAILABLE'] as const;
const KEY_ERRORS = [...ADMIN_ERRORS, 'FORBIDDEN', 'RATE_LIMIT'] as const;
const ACCESS_ERRORS: Readonly<Record<Access['kind'], readonly ApiErrorCode[]>> = {
  public: [],
  'admin-key': ADMIN_ERRORS,
  key: KEY_ERRORS,
  scope: KEY_ERRORS,
};
const HAS_RETRY_AFTER: ReadonlySet<number> = new Set([
  API_ERROR_STATUS.RATE_LIMIT,
  API_ERROR_STATUS.UPSTREAM_UNAVAILABLE,
]);

/**
 * The sections of the document in their order: a tag, and the paths of its operations. A path belongs to the longest of
 * these paths that it begins with.
 */
const SECTIONS = [
  ['Agents', '/agents/{id}/query /agents/{id}/answers /agents'],
  ['Datastores', '/datastores/{id}/query /datastores/{id}/explain /datastores'],
  ['Datasources', '/datasources /datasources/{id}/events /datasources/{id}/text /datasources/{id}/chunks'],
  [
    'Datasources',
    '/datasources/{id}/tables /datasources/{id}/urls /datasources/{id}/runs /datasources/{id}/file /sites /sources',
  ],
  ['Conversations', '/conversations /feedback /gaps /exports/conversations /conversations/{id}'],
  ['Conversations', '/conversations/{id}/share /shared-conversations /conversations/{id}/messages /visitors'],
  ['Administration', '/api-keys /organization /usage /audit-events /exports/audit-events'],
  ['Administration', '/audit-events/retention /models /health-report /organizations /people /session'],
  ['Administration', '/sign-in-options /password-resets /session/organization /profile /sessions /tokens'],
  ['Administration', '/passkeys'],
  ['Deprecated', '/datastores/update /datastores/upsert /external'],
  ['Evaluations', '/evaluations'],
  ['Groups', '/groups'],
  ['Datastores', '/datastores/{id}/readers /readers'],
  ['Administration', '/identity-providers /session/providers'],
  ['Webhooks', '/webhooks'],
  ['Operations', '/health /metrics /widget.js /chat /openapi.json /docs'],
] as const;
const PLACES = SECTIONS.flatMap(([tag, paths]) => paths.split(' ').map((path) => ({ tag, path })));

/**
 * Builds the OpenAPI document from the decorators of the routes.
 *
 * @throws Error when a route has no description, or no section
 */
export function openApiDocument(routes: readonly Route[], basePath = ''): OpenApiDocument {
  const schemas = new SchemaComponents();
  const paths: OpenApiDocument['paths'] = {};
  for (const route of routes.filter(isDescribed).toSorted((a, b) => positionOf(a) - positionOf(b))) {
    const { operation } = route;
    if (!operation) throw new Error(`${keyOf(route)} is not described: add @Operation to it`);
    const path = (paths[route.path] ??= OUTSIDE_API.test(route.path)
      ? { servers: [{ url: basePath || '/' }] }
      : {});
    path[route.method] = describe(route, operation, schemas);
  }
  const error = schemas.of(errorEnvelopeSchema, 'output');
  return {
    openapi: '3.1.1',
    info: {
      title: 'Citewell',
      version: INTERFACE_VERSION,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: `${basePath}/api` }],
    security: [{ key: [] }],
    tags: [...new Set(SECTIONS.map(([tag]) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: schemas.all(),
      responses: errorResponses(error),
      headers: HEADERS,
      securitySchemes: {
        key: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key of an organization. It needs the scope of the operation.',
        },
        adminKey: { type: 'http', scheme: 'bearer', description: 'The admin key, `CITEWELL_ADMIN_KEY`.' },
      },
    },
  };
}

/**
 * Whether a route is part of the document. OpenAI and MCP describe their interfaces themselves, their clients are not
 * generated from this document, and their errors have other shapes: see docs/openai.md and docs/mcp.md. Browsers open the
 * addresses of the sign-in at identity providers.
 */
export function isDescribed({ path }: Pick<Route, 'path'>): boolean {
  return !/^\/(?:v1\/|mcp$|scim\/|(?:api\/)?session\/oidc\/)/.test(path);
}

/** The name of a route: `get /agents/{id}`. */
export function keyOf({ method, path }: Pick<Route, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

/** Operations of the same place have the order of the routes, with deletions last. */
function positionOf(route: Route): number {
  return PLACES.indexOf(placeOf(route)) + (route.method === 'delete' ? 0.5 : 0);
}

function placeOf(route: Route): (typeof PLACES)[number] {
  const [longest] = PLACES.filter(({ path }) => `${route.path}/`.startsWith(`${path}/`)).sort(
    (a, b) => b.path.length - a.path.length,
  );
  if (!longest) throw new Error(`${keyOf(route)} has no section: add its path to SECTIONS`);
  return longest;
}

const DESCRIPTION = `Question answering over your own documents, with citations that can be checked.

This is Citewell ${manifest.version}. The version of this document is that of the interface: it changes only when clients have to change.

Unknown fields are refused with \`INVALID_REQUEST\`. Asking an agent, searching a datastore, updating either of them,
creating a datasource and the deprecated operations ignore unknown fields and name them in the response header
\`Citewell-Ignored-Fields\`, with the field that was probably meant: \`customId; meant=custom_id\`. With the request header \`Prefer: handling=strict\`, these operations refuse them, too, and refuse empty lists in \`filters\`, which otherwise mean no filter. Unknown members of \`filters\`, and \`filter\` in its place, are always refused.`;

const HEADERS = {
  RequestId: { description: 'The id of the request in the log.', schema: { type: 'string' } },
  Link: {
    description: 'The URL of the next page, as `<…>; rel="next"`. Absent when the page is not full.',
    schema: { type: 'string' },
  },
  RetryAfter: { description: 'Seconds to wait before a retry.', schema: { type: 'integer' } },
  Deprecation: { description: 'The endpoint is deprecated.', schema: { const: 'true' } },
};
const headerRef = (name: keyof typeof HEADERS) => ({ $ref: `#/components/headers/${name}` });

function describe(
  route: Route,
  operation: OperationDescription,
  schemas: SchemaComponents,
): Record<string, unknown> {
  const { access } = route;
  const query = route.query ? schemas.of(route.query, 'input') : null;
  const body = operation.body ?? (route.body ? { 'application/json': route.body } : null);
  const success = {
    description: 'Success.',
    headers: {
      'X-Request-Id': headerRef('RequestId'),
      ...(query?.properties?.['cursor'] ? { Link: headerRef('Link') } : {}),
      ...(route.deprecated ? { Deprecation: headerRef('Deprecation') } : {}),
    },
    content: toContent(operation.responses, 'output', schemas),
  };
  const further = Object.entries(operation.furtherResponses ?? {}).map(([status, description]) => [
    status,
    { ...success, description },
  ]);
  const errors = errorsOf(route, operation).map((status) => [
    status,
    { $ref: `#/components/responses/Error${status}` },
  ]);
  return {
    operationId: route.operationId,
    tags: [placeOf(route).tag],
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    ...(route.deprecated ? { deprecated: true } : {}),
    security:
      access.kind === 'public'
        ? []
        : access.kind === 'admin-key'
          ? [{ adminKey: [] }]
          : [{ key: access.kind === 'scope' ? [access.scope] : [] }],
    parameters: parametersOf(route, operation, query),
    ...(body
      ? {
          requestBody: {
            required: operation.isBodyOptional !== true,
            content: toContent(body, 'input', schemas),
          },
        }
      : {}),
    responses: Object.fromEntries([[SUCCESS, success], ...further, ...errors]) as unknown,
  };
}

function parametersOf(route: Route, operation: OperationDescription, query: JsonSchema | null): unknown[] {
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
  description:
    'For 24 hours, the same key and body get the same response. Another body with the same key is a conflict.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

/** The error statuses that follow from access, parameters and body, and those of the description. */
function errorsOf(route: Route, { errors = [], body, idempotent }: OperationDescription): number[] {
  const hasBody = route.body !== null || body !== undefined;
  const codes: ApiErrorCode[] = [
    ...ACCESS_ERRORS[route.access.kind],
    ...(hasBody || route.query ? (['INVALID_REQUEST'] as const) : []),
    ...(hasBody ? (['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
    ...(route.pathParameters.length > 0 ? (['NOT_FOUND'] as const) : []),
    ...(idempotent || route.headers.includes('idempotency-key') ? (['CONFLICT'] as const) : []),
    ...errors,
  ];
  return [...new Set(codes.map((code) => API_ERROR_STATUS[code]))].sort((a, b) => a - b);
}

function errorResponses(error: JsonSchema): Record<string, unknown> {
  const statuses = new Set(Object.values(API_ERROR_STATUS));
  return Object.fromEntries(
    [...statuses].map((status) => [
      `Error${status}`,
      {
        description: codesOf(status)
          .map((code) => `\`${code}\``)
          .join(', '),
        headers: {
          'X-Request-Id': headerRef('RequestId'),
          ...(HAS_RETRY_AFTER.has(status) ? { 'Retry-After': headerRef('RetryAfter') } : {}),
        },
        content: { 'application/json': { schema: error } },
      },
    ]),
  );
}

function codesOf(status: number): string[] {
  return Object.entries(API_ERROR_STATUS)
    .filter(([, codeStatus]) => codeStatus === status)
    .map(([code]) => code);
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

type JsonSchema = z.core.JSONSchema.JSONSchema;

/**
 * Converts zod schemas to JSON Schema (draft 2020-12, the dialect of OpenAPI 3.1). Collects the schemas that
 * have a name, so that the document contains each of them once.
 */
class SchemaComponents {
  private readonly named = new Map<string, JsonSchema>();

  /** @param io `input` for requests, `output` for responses */
  of(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const {
      $schema: _,
      $defs,
      ...json
    } = z.toJSONSchema(schema, { io, override: ({ jsonSchema }) => relaxSchema(jsonSchema) });
    for (const [name, definition] of Object.entries($defs ?? {})) this.add(name, definition);
    return withComponentRefs(json);
  }

  /** All named schemas so far, sorted by name. */
  all(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.named].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  private add(name: string, definition: JsonSchema): void {
    const next = withComponentRefs(definition);
    const known = this.named.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(next)) {
      throw new Error(
        `The schema ${name} has different shapes in requests and responses: give them two names`,
      );
    }
    this.named.set(name, next);
  }
}

/**
 * Removes bounds that every JSON number satisfies, and keywords that would forbid fields of later releases.
 */
function relaxSchema(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  delete schema.propertyNames;
}

function withComponentRefs(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as JsonSchema;
}
