import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { renderEnvExample } from './env-example.js';

it('.env.example is up to date with the table of variables', () => {
  const committed = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8');
  assert.equal(committed, renderEnvExample(), 'update it with: npm run env-example');
});
