import type { ApiErrorCode } from '@citewell/contracts/errors';
import {
  agentAnswerSchema,
  agentSchema,
  apiKeySchema,
  apiKeyWithSecretSchema,
  chunkSchema,
  conversationSchema,
  conversationWithMessagesSchema,
  createDatasourceSchema,
  datasourceSchema,
  datasourceTextSchema,
  datastoreQueryItemSchema,
  datastoreSchema,
  messageSchema,
  organizationSchema,
  organizationWithKeySchema,
  runSchema,
  uploadFieldsSchema,
  usageReportSchema,
} from '@citewell/contracts/http';
import { z } from 'zod';

/** Bodies by media type; `null` is bytes or text of no further shape. */
export type Content = Readonly<Record<string, z.ZodType | null>>;

/** What the decorators of a route do not say. */
export interface Operation {
  tag: string;
  summary: string;
  description?: string;
  answers: Content;
  /** Who may call: a key of an organization (the default), the admin key, or anybody. */
  access?: 'key' | 'admin' | 'public';
  /** Request body, where the route reads it itself. */
  body?: Content;
  /** Further errors than those that follow from the shape of the request. */
  errors?: readonly ApiErrorCode[];
  /** Takes an `Idempotency-Key`, where no parameter of the route says so. */
  idempotent?: boolean;
  /** Answered with another status as well, for the reason given. */
  also?: Readonly<Record<number, string>>;
}

const json = (schema: z.ZodType): Content => ({ 'application/json': schema });
const listOf = (schema: z.ZodType): Content => json(z.array(schema));
const EVENTS = 'text/event-stream';

const uploadSchema = uploadFieldsSchema.extend({ file: z.file() });
const STORING = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'STORAGE_FULL'] as const;
const readinessSchema = z
  .object({ ready: z.boolean(), checks: z.record(z.string(), z.string()) })
  .meta({ id: 'Readiness' });
const idOnlySchema = z.object({ id: z.string() });

/** Every operation by method and path, in the order of the page. A test compares it with the routes that are mapped. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  'post /agents/{id}/query': {
    tag: 'Agents',
    summary: 'Ask an agent',
    description:
      'With `streaming`, the answer comes as server-sent events: `answer` with pieces of the text, `endpoint_response` with pieces of the response as JSON, then `data: [DONE]`; or, where it fails after it began, `data: [ERROR] CODE: message`.',
    answers: { 'application/json': agentAnswerSchema, [EVENTS]: null },
    errors: ['USAGE_LIMIT'],
  },
  'post /agents': {
    tag: 'Agents',
    summary: 'Create an agent',
    answers: json(agentSchema),
    errors: ['NOT_FOUND'],
  },
  'get /agents': { tag: 'Agents', summary: 'List agents', answers: listOf(agentSchema) },
  'get /agents/{id}': { tag: 'Agents', summary: 'Read an agent', answers: json(agentSchema) },
  'patch /agents/{id}': {
    tag: 'Agents',
    summary: 'Change an agent',
    description: 'Every field is optional; what is absent stays as it is.',
    answers: json(agentSchema),
  },
  'delete /agents/{id}': { tag: 'Agents', summary: 'Delete an agent', answers: json(agentSchema) },

  'post /datastores/{id}/query': {
    tag: 'Datastores',
    summary: 'Search a datastore',
    description: 'The passages that fit the query best, without a generated answer; `topK` is 5 when absent.',
    answers: listOf(datastoreQueryItemSchema),
  },
  'post /datastores': { tag: 'Datastores', summary: 'Create a datastore', answers: json(datastoreSchema) },
  'get /datastores': { tag: 'Datastores', summary: 'List datastores', answers: listOf(datastoreSchema) },
  'get /datastores/{id}': { tag: 'Datastores', summary: 'Read a datastore', answers: json(datastoreSchema) },
  'patch /datastores/{id}': {
    tag: 'Datastores',
    summary: 'Change a datastore',
    answers: json(datastoreSchema),
  },
  'delete /datastores/{id}': {
    tag: 'Datastores',
    summary: 'Delete a datastore with everything in it',
    answers: json(datastoreSchema),
  },

  'post /datasources': {
    tag: 'Datasources',
    summary: 'Bring in a file, a page or a text',
    description:
      'Files come as `multipart/form-data`, parts in any order; everything else as JSON. Answers at once with status `unsynched`; the work goes on in the background.',
    body: {
      'application/json': createDatasourceSchema,
      'multipart/form-data': uploadSchema.required({ datastoreId: true }),
    },
    answers: json(datasourceSchema),
    errors: ['NOT_FOUND', ...STORING],
    idempotent: true,
  },
  'get /datasources': {
    tag: 'Datasources',
    summary: 'List datasources',
    description: 'The pages of a web site only with its `groupId`.',
    answers: listOf(datasourceSchema),
  },
  'get /datasources/{id}': {
    tag: 'Datasources',
    summary: 'Read a datasource',
    answers: json(datasourceSchema),
  },
  'patch /datasources/{id}': {
    tag: 'Datasources',
    summary: 'Change a datasource',
    answers: json(datasourceSchema),
  },
  'delete /datasources/{id}': {
    tag: 'Datasources',
    summary: 'Delete a datasource',
    answers: json(datasourceSchema),
  },
  'post /datasources/{id}/sync': {
    tag: 'Datasources',
    summary: 'Bring a datasource up to date',
    description: 'While a run is under way, that one goes on.',
    answers: json(datasourceSchema),
  },
  'post /datasources/{id}/cancel': {
    tag: 'Datasources',
    summary: 'End the run under way',
    answers: json(datasourceSchema),
  },
  'get /datasources/{id}/events': {
    tag: 'Datasources',
    summary: 'Follow a datasource',
    description:
      'Server-sent events: `datasource` with the object whenever it changes, `deleted` at its end. Ends when nothing is under way.',
    answers: { [EVENTS]: null },
  },
  'get /datasources/{id}/text': {
    tag: 'Datasources',
    summary: 'Read the text that citations point into',
    description: 'Offsets are UTF-16 code units.',
    answers: json(datasourceTextSchema),
    errors: ['GONE'],
  },
  'get /datasources/{id}/chunks': {
    tag: 'Datasources',
    summary: 'List the chunks of a datasource',
    description: 'In the order of the text; the cursor is an ordinal.',
    answers: listOf(chunkSchema),
  },
  'get /datasources/{id}/runs': {
    tag: 'Datasources',
    summary: 'List the runs of a datasource',
    answers: listOf(runSchema),
  },
  'get /datasources/{id}/file': {
    tag: 'Datasources',
    summary: 'Download the original bytes',
    answers: { 'application/octet-stream': null },
  },

  'get /conversations': {
    tag: 'Conversations',
    summary: 'List conversations',
    answers: listOf(conversationSchema),
  },
  'get /conversations/{id}': {
    tag: 'Conversations',
    summary: 'Read a conversation',
    description:
      'With its messages, newest first; the page of the query is theirs. 409 where the id alone is ambiguous.',
    answers: json(conversationWithMessagesSchema),
    errors: ['CONFLICT'],
  },
  'delete /conversations/{id}': {
    tag: 'Conversations',
    summary: 'Delete a conversation',
    answers: json(conversationSchema),
    errors: ['CONFLICT'],
  },
  'post /conversations/{id}/messages/{messageId}/feedback': {
    tag: 'Conversations',
    summary: 'Rate an answer',
    answers: json(messageSchema),
    errors: ['CONFLICT'],
  },
  'delete /visitors/{id}': {
    tag: 'Conversations',
    summary: 'Forget a visitor with every conversation',
    answers: json(idOnlySchema.extend({ conversations: z.number().int() })),
  },

  'post /api-keys': { tag: 'Administration', summary: 'Create a key', answers: json(apiKeyWithSecretSchema) },
  'get /api-keys': { tag: 'Administration', summary: 'List keys', answers: listOf(apiKeySchema) },
  'delete /api-keys/{id}': { tag: 'Administration', summary: 'Revoke a key', answers: json(apiKeySchema) },
  'get /usage': {
    tag: 'Administration',
    summary: 'Read what was used this month',
    answers: json(usageReportSchema),
  },
  'post /organizations': {
    tag: 'Administration',
    summary: 'Create an organization with its first key',
    answers: json(organizationWithKeySchema),
    access: 'admin',
  },
  'get /organizations': {
    tag: 'Administration',
    summary: 'List organizations',
    answers: listOf(organizationSchema),
    access: 'admin',
  },
  'get /organizations/{id}': {
    tag: 'Administration',
    summary: 'Read an organization',
    answers: json(organizationSchema),
    access: 'admin',
  },
  'delete /organizations/{id}': {
    tag: 'Administration',
    summary: 'Delete an organization with everything in it',
    answers: json(organizationSchema),
    access: 'admin',
  },

  'post /datastores/update/{datastoreId}': {
    tag: 'Deprecated',
    summary: 'Replace the text of a datasource',
    answers: json(idOnlySchema),
    errors: ['CONFLICT', 'STORAGE_FULL'],
  },
  'post /datastores/upsert/{datastoreId}': {
    tag: 'Deprecated',
    summary: 'Create a text datasource for each document, all or none',
    answers: json(z.object({ ids: z.array(z.string()) })),
    errors: ['STORAGE_FULL'],
  },
  'post /external/datastores/file-upload/{datastoreId}': {
    tag: 'Deprecated',
    summary: 'Upload a file',
    body: { 'multipart/form-data': uploadSchema.omit({ type: true, datastoreId: true }) },
    answers: json(datasourceSchema),
    errors: STORING,
  },

  'get /health/live': {
    tag: 'Operations',
    summary: 'Is the process alive?',
    answers: json(z.object({ status: z.literal('live') })),
    access: 'public',
  },
  'get /health/ready': {
    tag: 'Operations',
    summary: 'Can it serve? Names the dependency that is missing',
    answers: json(readinessSchema),
    also: { 503: 'A dependency is missing.' },
    access: 'public',
  },
  'get /metrics': {
    tag: 'Operations',
    summary: 'Metrics in the text format of Prometheus',
    answers: { 'text/plain': null },
    access: 'public',
  },
  'get /openapi.json': {
    tag: 'Operations',
    summary: 'This description',
    answers: { 'application/json': z.record(z.string(), z.unknown()) },
    access: 'public',
  },
  'get /docs': {
    tag: 'Operations',
    summary: 'This description as a page',
    answers: { 'text/html': null },
    access: 'public',
  },
};
