import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { ApiError } from '../../http/api-error.js';
import { assertOwnHost, isSameHost, type Service } from '../../http/own-address.js';

/** Where passkeys count: for one name, on pages of one origin. */
export interface RelyingParty {
  rpId: string;
  origin: string;
}

/**
 * The configured address or, without one, the page's own, which is checked as for sessions: no site gets passkeys for a name of
 * its own that leads to this server.
 *
 * @throws {@link ApiError} `FORBIDDEN` for an unknown address, and for an IP address, for which browsers make no passkeys
 */
export function relyingPartyOf(headers: IncomingHttpHeaders, service: Service): RelyingParty {
  const { hostname, origin } =
    service.PUBLIC_URL === undefined ? ownPage(headers, service) : new URL(service.PUBLIC_URL);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)
    throw new ApiError('FORBIDDEN', 'Passkeys need a name: open the server by a name, not by an IP address.');
  return { rpId: hostname, origin };
}

/** The address of the page that sends a request. */
function ownPage(headers: IncomingHttpHeaders, service: Service): URL {
  assertOwnHost(headers, service);
  const { origin, host } = headers;
  const page = URL.parse(origin ?? '');
  if (page !== null && isSameHost(page.origin, host)) return page;
  throw new ApiError('FORBIDDEN', 'Passkeys work on pages of this server only.');
}
