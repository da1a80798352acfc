import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { renderEnvExample } from './env-example.js';

it('.env.example is up to date with the table of variables', () => {
  const committed = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8');
  // `npm run env-example` updates the file.
  expect(committed).toBe(renderEnvExample());
});
