import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { ThrowAwayServer } from '../fixtures/throw-away-server.fixtures.js';
import { ProviderPauseRepository } from './provider-pause.repository.js';

let server: ThrowAwayServer;
let pauses: ProviderPauseRepository;
before(async () => {
  server = await ThrowAwayServer.start();
  pauses = new ProviderPauseRepository(await server.database());
});
after(() => server.stop());

it('pauses one account, for the longest of several pauses', async () => {
  assert.equal(await pauses.remaining('a'), 0);
  await pauses.pause('a', 60_000);
  await pauses.pause('a', 1_000);
  const remaining = await pauses.remaining('a');
  assert.ok(remaining > 50_000 && remaining <= 60_000, `${remaining}`);
  assert.equal(await pauses.remaining('b'), 0);
});

it('ends when its time is over', async () => {
  await pauses.pause('c', -1_000);
  assert.equal(await pauses.remaining('c'), 0);
});
