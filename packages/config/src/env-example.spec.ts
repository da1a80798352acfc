import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { renderEnvExample } from './env-example.js';

it('.env.example says what the table says', () => {
  const committed = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8');
  assert.equal(committed, renderEnvExample(), 'write it anew with: npm run env-example');
});
