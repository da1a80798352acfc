import type { FastifyInstance } from 'fastify';
import { ApiError } from './api-error.js';

/** Room for JSON's escapes around a text of the largest size. */
const JSON_OVERHEAD = 1.25;
/** A JSON body that carries no text to be stored: the longest prompts and lists of ids fit in. */
const MAX_JSON_BYTES = 4 * 1024 * 1024;

const TEXT_ROUTES = new Set([
  '/api/datasources',
  '/api/datastores/update/:datastoreId',
  '/api/datastores/upsert/:datastoreId',
]);
const UPLOAD_ROUTES = new Set(['/api/datasources', '/api/external/datastores/file-upload/:datastoreId']);

/**
 * Which bodies are taken, and how large: JSON everywhere, multipart where files are. An empty JSON body counts as
 * none, since clients send the header with requests that have no body. Call it before routes are made.
 *
 * @param maxUploadBytes of one file or text
 */
export function installBodyParsers(server: FastifyInstance, maxUploadBytes: number): void {
  server.removeContentTypeParser(['application/json', 'text/plain']);
  // Keys that could reach a prototype are refused, not dropped.
  const parseJson = server.getDefaultJsonParser('error', 'error');
  server.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else void parseJson(request, body, done);
  });

  server.addHook('onRoute', (route) => {
    route.bodyLimit = TEXT_ROUTES.has(route.url) ? Math.ceil(maxUploadBytes * JSON_OVERHEAD) : MAX_JSON_BYTES;
  });

  server.addHook('preValidation', async (request) => {
    if (!request.isMultipart() || UPLOAD_ROUTES.has(request.routeOptions.url ?? '')) return;
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The request must be JSON.');
  });
}
