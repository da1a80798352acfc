import { loadClientConfig } from '@citewell/config';
import { Citewell } from '@citewell/sdk';

/** A client of the service that the environment names. @throws ConfigError when it names none that can be used */
export function connect(): Citewell {
  const { CITEWELL_URL, CITEWELL_API_KEY } = loadClientConfig();
  return new Citewell({ baseUrl: CITEWELL_URL, apiKey: CITEWELL_API_KEY });
}
