import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { TestServer } from '../fixtures/test-server.fixtures.js';
import { ProviderPauseRepository } from './provider-pause.repository.js';

const server = new TestServer();
let pauses: ProviderPauseRepository;
beforeAll(async () => {
  pauses = new ProviderPauseRepository(await server.database());
});
afterAll(() => server.close());

it('pauses one account, for the longest of several pauses', async () => {
  expect(await pauses.remaining('a')).toBe(0);
  await pauses.pause('a', 60_000);
  await pauses.pause('a', 1_000);
  const remaining = await pauses.remaining('a');
  expect(remaining).toBeGreaterThan(50_000);
  expect(remaining).toBeLessThanOrEqual(60_000);
  expect(await pauses.remaining('b')).toBe(0);
});

it('ends when its time is over', async () => {
  await pauses.pause('c', -1_000);
  expect(await pauses.remaining('c')).toBe(0);
});
