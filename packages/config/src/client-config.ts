import { z } from 'zod';
import { type Parsed, parseVariables } from './config.js';
import { url, variable } from './variable.js';

/**
 * Variables of a client. It usually runs on another machine and has no other configuration of the service.
 */
const CLIENT_VARIABLES = {
  CITEWELL_URL: variable(
    url('http:', 'https:').default('http://127.0.0.1:3000'),
    'Address of the service, with or without /api.',
  ),
  CITEWELL_API_KEY: variable(
    z
      .string('is required: the API key that the service printed at its first start, or another API key')
      .regex(/^[\x21-\x7e]{1,512}$/, 'must be visible characters without spaces'),
    'API key that is sent with each request.',
  ),
} as const;

export type ClientConfig = Parsed<typeof CLIENT_VARIABLES>;

/**
 * Reads the address and the API key of the service from the environment.
 *
 * @throws {@link ConfigError} with every invalid variable
 */
export function loadClientConfig(
  env: Readonly<Record<string, string | undefined>> = process.env,
): ClientConfig {
  return parseVariables(CLIENT_VARIABLES, env);
}
