import { afterAll, expect, it } from '@jest/globals';
import { TestServer } from '../../fixtures/test-server.fixtures.js';
import { SourceHistory } from './source-history.fixtures.js';

const HISTORIES = 10_000;
/** Each database keeps the rows of its histories. */
const PER_DATABASE = 500;

let server = new TestServer();
afterAll(() => server.close());

it(`documents of sources are read only by those whom the source names, in ${HISTORIES} histories`, async () => {
  let seen = 0;
  for (let first = 1_001; first <= HISTORIES + 1_000; first += PER_DATABASE) {
    const dataSource = await server.database({ isRecorded: false });
    for (let seed = first; seed < first + PER_DATABASE; seed += 1) {
      const history = await SourceHistory.create(dataSource, seed);
      await history.play();
      seen += history.seen;
    }
    await server.close();
    server = new TestServer();
  }
  expect(seen).toBeGreaterThan(HISTORIES * 5);
});
