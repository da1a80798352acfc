import { Citewell, type Fetch, type Page } from '@citewell/sdk';
import { infiniteQueryOptions, type QueryKey } from '@tanstack/react-query';
import { SERVER } from './address.js';

const SESSION_ENDED = 'citewell-session-ended';
const FORBIDDEN = 403;

/** Any request may learn that the session has ended, for example because its key was revoked. */
const fetchWithSession: Fetch = async (url, init) => {
  const response = await fetch(url, init);
  if (response.status === FORBIDDEN) {
    const { error } = await response.clone().json();
    if (error === 'UNAUTHORIZED') window.dispatchEvent(new Event(SESSION_ENDED));
  }
  return response;
};

/** The client of the server that served this page. Requests are authenticated by the session cookie. */
export const client = new Citewell({ baseUrl: `${SERVER}/api`, fetch: fetchWithSession });

/** Calls the listener whenever the server does not know the session. */
export function onSessionEnd(listener: () => void): void {
  window.addEventListener(SESSION_ENDED, listener);
}

/** Sends a request for which the SDK has no method, as its methods do. @throws CitewellError */
export function request<Response>(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  json?: unknown,
): Promise<Response> {
  // The field is private so that the interface of the SDK stays small, not because it may change.
  return client.session['transport'].json({ method, path, json });
}

/** A list of the server, page by page. @param load one page; without a cursor, the first */
export function pagesQuery<Item>(
  queryKey: QueryKey,
  load: (cursor: string | undefined) => Promise<Page<Item>>,
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam }) => load(pageParam),
    // `undefined` is the first page.
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
}

/** Saves the bytes of a stream as a file on the disk of the user. */
export async function saveStream(stream: ReadableStream<Uint8Array>, name: string): Promise<void> {
  // `Response` accepts streams of bytes with any buffer.
  const url = URL.createObjectURL(
    await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).blob(),
  );
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
