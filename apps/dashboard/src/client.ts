import { Citewell, type Fetch } from '@citewell/sdk';

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
export const client = new Citewell({ baseUrl: `${location.origin}/api`, fetch: fetchWithSession });

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
