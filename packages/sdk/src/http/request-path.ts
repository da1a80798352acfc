/** Parameters of a query; those that are not set are left out. */
export type QueryParameters = Readonly<Record<string, string | number | null | undefined>>;

/**
 * An id as a part of a path.
 *
 * @throws TypeError for an empty id and for `.` and `..`, which every URL parser takes as steps, even when encoded:
 * the request would go to another endpoint
 */
export function segment(id: string): string {
  if (id === '' || id === '.' || id === '..') throw new TypeError(`"${id}" is not an id.`);
  return encodeURIComponent(id);
}

/** A path with its query. */
export function withQuery(path: string, parameters: QueryParameters = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== null) query.set(name, String(value));
  }
  return query.size === 0 ? path : `${path}?${query}`;
}

/**
 * The service's address as requests need it, without a slash at the end. An address without a path gets `/api`,
 * under which the service lives unless a proxy puts it elsewhere.
 *
 * @throws TypeError when it is not an absolute http or https URL, or carries a user name
 */
export function normalizeBaseUrl(baseUrl: string): string {
  const url = parseUrl(baseUrl);
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '')
    throw new TypeError('baseUrl must be an http or https URL such as http://127.0.0.1:3000/api.');
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.origin}${path === '' ? '/api' : path}`;
}

function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
