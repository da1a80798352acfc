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

/** The client of the server that delivered this page. It is authenticated by the session cookie. */
export const client = new Citewell({ baseUrl: `${location.origin}/api`, fetch: fetchWithSession });

/** Calls the listener whenever the server does not know the session. */
export function onSessionEnd(listener: () => void): void {
  window.addEventListener(SESSION_ENDED, listener);
}
