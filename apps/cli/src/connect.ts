import { loadClientConfig } from '@citewell/config';
import { Citewell } from '@citewell/sdk';
import { remoteFetch } from '@citewell/web/remote-fetch';

/**
 * Creates a client with the address and the API key of the environment.
 *
 * @throws ConfigError if these are invalid
 */
export function connect(): Citewell {
  const { CITEWELL_URL, CITEWELL_API_KEY } = loadClientConfig();
  return new Citewell({ baseUrl: CITEWELL_URL, apiKey: CITEWELL_API_KEY, fetch: remoteFetch });
}
