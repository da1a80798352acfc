import { z } from 'zod';
import { type Parsed, parseVariables } from './config.js';
import { url, variable } from './variables.js';

/** What a client of the service reads: it runs on other machines than the service, and knows nothing of it. */
const CLIENT_VARIABLES = {
  CITEWELL_URL: variable(
    url('http:', 'https:').default('http://127.0.0.1:3000'),
    'Address of the service, with or without /api.',
  ),
  CITEWELL_API_KEY: variable(
    z
      .string('is needed: the key that the service printed at its first start, or one made since')
      .regex(/^[\x21-\x7e]{1,512}$/, 'must be visible characters without spaces'),
    'The key to ask with.',
  ),
} as const;

export type ClientConfig = Parsed<typeof CLIENT_VARIABLES>;

/**
 * Reads where the service is and the key to it from the environment.
 *
 * @throws {@link ConfigError} naming every bad variable at once
 */
export function loadClientConfig(
  env: Readonly<Record<string, string | undefined>> = process.env,
): ClientConfig {
  return parseVariables(CLIENT_VARIABLES, env);
}
