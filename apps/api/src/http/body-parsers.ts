import type { FastifyInstance } from 'fastify';
import { ApiError } from './api-error.js';

/** Allowance for JSON escapes in a text of the maximum size. */
const JSON_OVERHEAD = 1.25;
/** Limit of JSON bodies without a text to store. The longest prompts and lists of ids are smaller. */
const MAX_JSON_BYTES = 4 * 1024 * 1024;

const TEXT_ROUTES = new Set([
  '/api/datasources',
  '/api/datastores/update/:datastoreId',
  '/api/datastores/upsert/:datastoreId',
]);
const UPLOAD_ROUTES = new Set(['/api/datasources', '/api/external/datastores/file-upload/:datastoreId']);

/**
 * Accepts JSON on all routes and multipart on upload routes, and limits the size of bodies. An empty JSON
 * body counts as absent, because some clients send the header without a body. Call this before routes are
 * registered.
 *
 * @param maxUploadBytes maximum size of one file or text
 */
export function installBodyParsers(server: FastifyInstance, maxUploadBytes: number): void {
  server.removeContentTypeParser(['application/json', 'text/plain']);
  // Keys such as `__proto__` are refused, not dropped.
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
