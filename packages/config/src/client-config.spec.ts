import { expect, it } from '@jest/globals';
import { loadClientConfig } from './client-config.js';

it('loadClientConfig requires only the API key', () => {
  expect(loadClientConfig({ CITEWELL_API_KEY: 'cw_x', CITEWELL_URL: '' })).toEqual({
    CITEWELL_URL: 'http://127.0.0.1:3000',
    CITEWELL_API_KEY: 'cw_x',
  });
});

it('loadClientConfig lists every invalid variable without its value', () => {
  expect(() => loadClientConfig({ CITEWELL_URL: 'localhost:3000', CITEWELL_API_KEY: 'hunter 2' })).toThrow(
    expect.objectContaining({
      problems: [expect.stringContaining('CITEWELL_URL'), expect.stringContaining('CITEWELL_API_KEY')],
      message: expect.not.stringContaining('hunter'),
    }),
  );
  expect(() => loadClientConfig({})).toThrow(/CITEWELL_API_KEY: is required/);
});
