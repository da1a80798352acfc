import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { TestServer } from '../../fixtures/test-server.fixtures.js';
import { SourceHistory } from './source-history.fixtures.js';

const server = new TestServer();
let dataSource: DataSource;
beforeAll(async () => {
  dataSource = await server.database({ isRecorded: false });
});
afterAll(() => server.close());

it('documents of sources are read only by those whom the source names, in 200 histories', async () => {
  let seen = 0;
  for (let seed = 1; seed <= 200; seed += 1) {
    const history = await SourceHistory.create(dataSource, seed);
    await history.play();
    seen += history.seen;
  }
  // Otherwise the test would tell nothing.
  expect(seen).toBeGreaterThan(1_000);
});
