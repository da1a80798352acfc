import assert from 'node:assert/strict';
import { it } from 'node:test';
import { loadClientConfig } from './client-config.js';
import { ConfigError } from './config.js';

it('loadClientConfig requires only the API key', () => {
  assert.deepEqual(loadClientConfig({ CITEWELL_API_KEY: 'cw_x', CITEWELL_URL: '' }), {
    CITEWELL_URL: 'http://127.0.0.1:3000',
    CITEWELL_API_KEY: 'cw_x',
  });
});

it('loadClientConfig lists every invalid variable without its value', () => {
  assert.throws(
    () => loadClientConfig({ CITEWELL_URL: 'localhost:3000', CITEWELL_API_KEY: 'hunter 2' }),
    (error: unknown) =>
      error instanceof ConfigError && error.problems.length === 2 && !error.message.includes('hunter'),
  );
  assert.throws(() => loadClientConfig({}), /CITEWELL_API_KEY: is required/);
});
