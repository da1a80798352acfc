import {
  agentAnswerSchema,
  agentProfileSchema,
  agentSchema,
  answerStateSchema,
  chunkSchema,
  createDatasourceBatchSchema,
  createDatasourceSchema,
  datasourceBatchSchema,
  datasourceSchema,
  datasourceTextSchema,
  datastoreProgressSchema,
  datastoreQueryItemSchema,
  datastoreSchema,
  listedDatastoreSchema,
  publicAnswerSchema,
  runSchema,
  searchExplanationSchema,
  sitePreviewSchema,
  siteUrlSchema,
  syncDatasourceSchema,
  uploadFieldsSchema,
} from '@citewell/contracts/schemas';
import { FILE_TYPES } from '@citewell/documents/file-type';
import { z } from 'zod';
import { ADMINISTRATION_OPERATIONS } from './administration.operations.js';
import { CONVERSATION_OPERATIONS } from './conversation.operations.js';
import { EVALUATION_OPERATIONS } from './evaluation.operations.js';
import { PEOPLE_OPERATIONS } from './people.operations.js';
import { PASSKEY_OPERATIONS } from './passkey.operations.js';
import { GROUP_OPERATIONS } from './group.operations.js';
import { json, listOf, type Operation } from './operation.js';
import { SINGLE_SIGN_ON_OPERATIONS } from './single-sign-on.operations.js';
import { WEBHOOK_OPERATIONS } from './webhook.operations.js';

const EVENT_STREAM = 'text/event-stream';

const uploadSchema = z.object({ ...uploadFieldsSchema.shape, file: z.file() });
/** Without the file, which is not JSON. */
const UPLOAD_EXAMPLE = { fileName: 'p200.pdf', custom_id: 'manuals/p200.pdf' };
const STORAGE_ERRORS = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'STORAGE_FULL'] as const;
const readinessSchema = z
  .object({ ready: z.boolean(), checks: z.record(z.string(), z.string()) })
  .meta({ id: 'Readiness' });
const TEXT_ID = '0199c7a2-8c6f-7e35-a074-6d1b9f3e5a24';
const idOnlySchema = z.object({ id: z.string() });

/**
 * Every operation by method and path, in the order of the documentation page. A test compares it with the
 * routes.
 */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  'post /agents/{id}/query': {
    tag: 'Agents',
    summary: 'Ask an agent',
    description:
      'With `streaming`, the response is a stream of server-sent events: `answer` events with pieces of the text, `endpoint_response` events with pieces of the response as JSON, and finally `data: [DONE]`. An error after the start ends the stream with `data: [ERROR] CODE: message`. With a publishable key, the response is a PublicAnswer, and only `query`, `conversationId`, `visitorId`, `visitorToken`, `streaming` and `resumable` may be set. When the client disconnects, the answer ends and is not stored, unless it is `resumable`.',
    responses: {
      'application/json': z.union([agentAnswerSchema, publicAnswerSchema]),
      [EVENT_STREAM]: null,
    },
    errors: ['USAGE_LIMIT', 'CONFLICT', 'EMPTY_ANSWER', 'OWN_MODEL_FAILED'],
  },
  'get /agents/{id}/answers/{messageId}/stream': {
    tag: 'Agents',
    summary: 'Come back to an answer',
    description:
      'Streams a `resumable` answer from its beginning, as the query does, until it ends. Also after its end.',
    responses: { [EVENT_STREAM]: null },
  },
  'post /agents/{id}/answers/{messageId}/stream': {
    tag: 'Agents',
    summary: 'Come back to an answer, as a visitor',
    description:
      'As the GET, for web pages with a publishable key. The header `Citewell-Visitor-Token` has the `visitorToken` of the conversation.',
    responses: { [EVENT_STREAM]: null },
  },
  'post /agents/{id}/answers/{messageId}/stop': {
    tag: 'Agents',
    summary: 'Stop an answer',
    description:
      'Ends the call of the model of a `resumable` answer, within a second. What has been written stays, with its sources, and is the response of the stream. Stopping an answer that has ended changes nothing. With a publishable key, the header `Citewell-Visitor-Token` has the `visitorToken` of the conversation.',
    responses: json(answerStateSchema),
  },
  'post /agents': {
    tag: 'Agents',
    summary: 'Create an agent',
    responses: json(agentSchema),
    errors: ['NOT_FOUND'],
  },
  'get /agents': { tag: 'Agents', summary: 'List agents', responses: listOf(agentSchema) },
  'get /agents/{id}': { tag: 'Agents', summary: 'Read an agent', responses: json(agentSchema) },
  'get /agents/{id}/profile': {
    tag: 'Agents',
    summary: 'Read the public profile of an agent',
    description: 'Also with a publishable key of the agent.',
    responses: json(agentProfileSchema),
  },
  'patch /agents/{id}': {
    tag: 'Agents',
    summary: 'Change an agent',
    description: 'Every field is optional. Absent fields keep their value.',
    responses: json(agentSchema),
  },
  'delete /agents/{id}': { tag: 'Agents', summary: 'Delete an agent', responses: json(agentSchema) },

  'post /datastores/{id}/query': {
    tag: 'Datastores',
    summary: 'Search a datastore',
    description:
      'Returns the best passages for the query, without a generated answer. `topK` is 5 by default.',
    responses: listOf(datastoreQueryItemSchema),
  },
  'post /datastores/{id}/explain': {
    tag: 'Datastores',
    summary: 'Explain a search',
    description:
      'Searches as `POST /datastores/{id}/query` does, and by words and by meaning alone. Each passage has its rank and score in all three. Limit the passages to one datasource with `filters.datasource_ids` to see why a search does not find it: ranks remain those among all passages of the datastore.',
    responses: json(searchExplanationSchema),
  },
  'post /datastores': { tag: 'Datastores', summary: 'Create a datastore', responses: json(datastoreSchema) },
  'get /datastores': {
    tag: 'Datastores',
    summary: 'List datastores',
    responses: listOf(listedDatastoreSchema),
  },
  'get /datastores/{id}': {
    tag: 'Datastores',
    summary: 'Read a datastore',
    responses: json(datastoreSchema),
  },
  'get /datastores/{id}/progress': {
    tag: 'Datastores',
    summary: 'Read the progress of a datastore',
    description: 'How many datasources have which status, and when those that are in progress will be done.',
    responses: json(datastoreProgressSchema),
  },
  'patch /datastores/{id}': {
    tag: 'Datastores',
    summary: 'Change a datastore',
    responses: json(datastoreSchema),
  },
  'delete /datastores/{id}': {
    tag: 'Datastores',
    summary: 'Delete a datastore and its datasources',
    responses: json(datastoreSchema),
  },

  'post /datasources': {
    tag: 'Datasources',
    summary: 'Create a datasource from a file, a web page, a web site or a text',
    description: `Send files as \`multipart/form-data\` with parts in any order, and everything else as JSON. The response has the status \`unsynched\`. Indexing runs in the background. Types of files: ${FILE_TYPES.join(', ')}; other files of text are read as plain text. The files of a ZIP archive become datasources: their \`groupId\` is the id of the archive, and their \`customId\` is their path in it.`,
    body: {
      'application/json': createDatasourceSchema,
      'multipart/form-data': uploadSchema
        .required({ datastoreId: true })
        .meta({ examples: [{ datastoreId: '0199c7a0-2f4d-7a11-8b52-3c9d5e7f0a12', ...UPLOAD_EXAMPLE }] }),
    },
    responses: json(datasourceSchema),
    errors: ['NOT_FOUND', 'CONFLICT', ...STORAGE_ERRORS],
    idempotent: true,
  },
  'post /datasources/batch': {
    tag: 'Datasources',
    summary: 'Create many datasources from web pages, web sites and texts',
    description:
      'Up to 1,000 items in one request of at most 20 MB. An item that is refused is refused alone, so check each result for an `error`. If the request fails as a whole, nothing is created. The items of a batch are written in one transaction; of items with the same `custom_id`, a later one finds the earlier one. A batch counts as one request of the rate limit, and its bytes as an upload.',
    body: json(createDatasourceBatchSchema),
    responses: json(datasourceBatchSchema),
    errors: ['NOT_FOUND', 'PAYLOAD_TOO_LARGE', 'STORAGE_FULL'],
  },
  'get /datasources': {
    tag: 'Datasources',
    summary: 'List datasources',
    description:
      'Pages of a web site and files of an archive are listed only when `groupId` is the id of the site or archive.',
    responses: listOf(datasourceSchema),
  },
  'get /datasources/{id}': {
    tag: 'Datasources',
    summary: 'Read a datasource',
    responses: json(datasourceSchema),
  },
  'patch /datasources/{id}': {
    tag: 'Datasources',
    summary: 'Change a datasource',
    description:
      'A changed configuration takes effect with the next sync. If a sync is in progress, another one follows it. Another `encoding` of a file starts a sync, which reads the stored file again.',
    responses: json(datasourceSchema),
  },
  'delete /datasources/{id}': {
    tag: 'Datasources',
    summary: 'Delete a datasource',
    responses: json(datasourceSchema),
  },
  'post /datasources/{id}/sync': {
    tag: 'Datasources',
    summary: 'Sync a datasource',
    description:
      'Starts a run that brings the datasource up to date. If a run is in progress, another one follows it. With `removeMissing`, the sync of a web site removes pages that were not found or are gone, even if they are so many that the safety check would keep them.',
    body: json(syncDatasourceSchema),
    isBodyOptional: true,
    responses: json(datasourceSchema),
  },
  'post /datasources/{id}/cancel': {
    tag: 'Datasources',
    summary: 'Cancel the unfinished run',
    responses: json(datasourceSchema),
  },
  'get /datasources/{id}/events': {
    tag: 'Datasources',
    summary: 'Follow the progress of a datasource',
    description:
      'Server-sent events: `datasource` with the object whenever it changes, and `deleted` when it is deleted. The stream ends when no run is unfinished.',
    responses: { [EVENT_STREAM]: null },
  },
  'get /datasources/{id}/text': {
    tag: 'Datasources',
    summary: 'Read the canonical text of a datasource',
    description: 'The offsets of citations refer to this text. They count UTF-16 code units.',
    responses: json(datasourceTextSchema),
    errors: ['CONTENT_DAMAGED', 'GONE'],
  },
  'get /datasources/{id}/chunks': {
    tag: 'Datasources',
    summary: 'List the chunks of a datasource',
    description: 'Chunks are in text order. The cursor is the ordinal of a chunk.',
    responses: listOf(chunkSchema),
    errors: ['CONTENT_DAMAGED'],
  },
  'get /datasources/{id}/urls': {
    tag: 'Datasources',
    summary: 'List the URLs of a web site',
    description:
      'What the latest crawl has found, in the order of discovery: pages, and URLs that were skipped or failed, with the reason.',
    responses: listOf(siteUrlSchema),
  },
  'get /datasources/{id}/runs': {
    tag: 'Datasources',
    summary: 'List the runs of a datasource',
    responses: listOf(runSchema),
  },
  'get /datasources/{id}/file': {
    tag: 'Datasources',
    summary: 'Download the original file',
    responses: { 'application/octet-stream': null },
    errors: ['CONTENT_DAMAGED'],
  },
  'put /datasources/{id}/file': {
    tag: 'Datasources',
    summary: 'Replace a file',
    description:
      'The datasource keeps its id, its `custom_id` and its metadata, and takes the name of the new file. Its old content is searched until the new content has been indexed. Equal bytes are not processed again. A file of an archive cannot be replaced.',
    body: {
      'multipart/form-data': uploadSchema
        .pick({ fileName: true, file: true })
        .meta({ examples: [{ fileName: 'p200.pdf' }] }),
    },
    responses: json(datasourceSchema),
    errors: ['CONFLICT', ...STORAGE_ERRORS],
  },

  'post /sites/preview': {
    tag: 'Datasources',
    summary: 'Preview a web site',
    description:
      'The first ten pages that a crawl with this configuration would fetch, and pages that it leaves out. Nothing is indexed. A crawler sends at most 15 requests, by the rules of robots.txt and the pace of the host, for at most 10 seconds.',
    responses: json(sitePreviewSchema),
  },

  ...CONVERSATION_OPERATIONS,

  ...ADMINISTRATION_OPERATIONS,
  ...PEOPLE_OPERATIONS,
  ...PASSKEY_OPERATIONS,

  'post /datastores/update/{datastoreId}': {
    tag: 'Deprecated',
    summary: 'Replace the text of a datasource',
    responses: json(idOnlySchema.meta({ examples: [{ id: TEXT_ID }] })),
    errors: ['CONFLICT', 'STORAGE_FULL'],
  },
  'post /datastores/upsert/{datastoreId}': {
    tag: 'Deprecated',
    summary: 'Create a text datasource for each document',
    responses: json(z.object({ ids: z.array(z.string()) }).meta({ examples: [{ ids: [TEXT_ID] }] })),
    errors: ['STORAGE_FULL'],
  },
  'post /external/datastores/file-upload/{datastoreId}': {
    tag: 'Deprecated',
    summary: 'Upload a file',
    body: {
      'multipart/form-data': uploadSchema
        .omit({ type: true, datastoreId: true })
        .meta({ examples: [UPLOAD_EXAMPLE] }),
    },
    responses: json(datasourceSchema),
    errors: STORAGE_ERRORS,
  },

  ...EVALUATION_OPERATIONS,
  ...GROUP_OPERATIONS,
  ...SINGLE_SIGN_ON_OPERATIONS,
  ...WEBHOOK_OPERATIONS,

  'get /health/live': {
    tag: 'Operations',
    summary: 'Liveness of the process',
    responses: json(z.object({ status: z.literal('live') })),
  },
  'get /health/ready': {
    tag: 'Operations',
    summary: 'Readiness of the process and its dependencies',
    responses: json(readinessSchema),
    furtherResponses: { 503: 'A dependency is unavailable; `checks` names it.' },
  },
  'get /metrics': {
    tag: 'Operations',
    summary: 'Metrics in the Prometheus text format',
    responses: { 'text/plain': null },
  },
  'get /widget.js': {
    tag: 'Operations',
    summary: 'The script of the widget',
    responses: { 'application/javascript': null },
  },
  'get /chat/{key}': {
    tag: 'Operations',
    summary: 'The chat page of a public agent',
    description: 'The key is a publishable one.',
    responses: { 'text/html': null },
  },
  'get /openapi.json': {
    tag: 'Operations',
    summary: 'This OpenAPI document',
    responses: { 'application/json': z.record(z.string(), z.unknown()) },
  },
  'get /docs': {
    tag: 'Operations',
    summary: 'This document as a page',
    responses: { 'text/html': null },
  },
  'get /docs/{file}': {
    tag: 'Operations',
    summary: 'Read a script or style of the documentation page',
    responses: { 'text/javascript': null, 'text/css': null },
  },
};
