/** Parameters of a query string. Null and undefined parameters are omitted. */
export type QueryParameters = Readonly<Record<string, string | number | boolean | null | undefined>>;

/**
 * Encodes an id as a path segment.
 *
 * @throws TypeError for an empty id, `.` and `..`. URL parsers treat `.` and `..` as relative segments, even
 * when they are percent-encoded, so the request would reach another endpoint.
 */
export function segment(id: string): string {
  if (id === '' || id === '.' || id === '..') throw new TypeError(`"${id}" is not a valid id.`);
  return encodeURIComponent(id);
}

/** Appends a query string to a path. */
export function withQuery(path: string, parameters: QueryParameters = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== null) query.set(name, String(value));
  }
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

/**
 * The address of the API: that of the service, as people open it, with `/api` at its end unless it ends so.
 *
 * @throws TypeError if the address is not an absolute http or https URL, or contains a user name or password
 */
export function normalizeBaseUrl(baseUrl: string): string {
  const url = parseUrl(baseUrl);
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '')
    throw new TypeError('baseUrl must be an http or https URL such as http://127.0.0.1:3000/api.');
  const path = url.pathname.replace(/(?<!\/)\/+$/, '');
  return url.origin + path.replace(/(?:\/api)?$/, '/api');
}

function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
