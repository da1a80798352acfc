import { Citewell } from '@citewell/sdk';

/** The client of the server that delivered this page. It is authenticated by the session cookie. */
export const client = new Citewell({ baseUrl: `${location.origin}/api` });
