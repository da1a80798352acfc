import { MAX_BATCH_ITEMS } from '@citewell/contracts/schemas';
import type { IncomingHttpHeaders } from 'node:http';

/** Routes that accept a file as multipart/form-data. */
export const UPLOAD_ROUTES: ReadonlySet<string> = new Set([
  '/api/datasources',
  '/api/datasources/:id/file',
  '/api/external/datastores/file-upload/:datastoreId',
]);
/** Routes that accept many texts as JSON. */
const BATCH_ROUTES: ReadonlySet<string> = new Set([
  '/api/datasources/batch',
  '/api/datastores/upsert/:datastoreId',
]);
/** A deprecated route that replaces the content of one datasource. */
const UPDATE_ROUTE = '/api/datastores/update/:datastoreId';
/** The least that an upload counts, because each makes rows and a run. */
const MIN_UPLOAD_BYTES = 64 * 1024;

/** What a request counts against the limits of its key and its organization. */
export interface RequestCost {
  readonly requests: number;
  readonly uploadedBytes: number;
}

/** How many datasources a request that stores content adds or replaces at most. @param route the matched route */
export function writtenDatasources(route: string | undefined): number {
  if (route === undefined) return 0;
  if (BATCH_ROUTES.has(route)) return MAX_BATCH_ITEMS;
  return UPLOAD_ROUTES.has(route) || route === UPDATE_ROUTE ? 1 : 0;
}

/**
 * An upload counts by its bytes and not as a request, so that a folder of small files is not slowed. A batch counts as
 * both. What is sent in chunks or compressed does not tell its length: then the bytes are 0 or the least, and the rest is counted when
 * it has arrived.
 *
 * @param route the matched route
 */
export function requestCost(route: string | undefined, headers: IncomingHttpHeaders): RequestCost {
  const bytes = tellsBodyLength(headers) ? Number(headers['content-length']) || 0 : 0;
  if (route !== undefined && isMultipart(headers) && UPLOAD_ROUTES.has(route))
    return { requests: 0, uploadedBytes: Math.max(bytes, MIN_UPLOAD_BYTES) };
  return {
    requests: 1,
    uploadedBytes: route !== undefined && BATCH_ROUTES.has(route) ? Math.max(bytes, 1) : 0,
  };
}

/** Whether the headers of a request have the length of its body, unpacked. */
export function tellsBodyLength(headers: IncomingHttpHeaders): boolean {
  return headers['content-length'] !== undefined && headers['content-encoding'] === undefined;
}

/** Whether a request is a form, which may have files. */
export function isMultipart(headers: IncomingHttpHeaders): boolean {
  return /^\s*multipart\/form-data\b/i.test(headers['content-type'] ?? '');
}
