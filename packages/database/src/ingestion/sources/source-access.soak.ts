import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TestServer } from '../../fixtures/test-server.fixtures.js';
import { SourceHistory } from './source-history.fixtures.js';

const HISTORIES = 10_000;
/** Each database keeps the rows of its histories. */
const PER_DATABASE = 500;
/** Those before are played by the test of the same name. */
const FIRST = 1_001;
const SEEDS = Array.from({ length: HISTORIES / PER_DATABASE }, (_, n) => FIRST + n * PER_DATABASE);

describe(`documents of sources are read only by those whom the source names, in ${HISTORIES} histories`, () => {
  let server: TestServer;
  beforeEach(() => {
    server = new TestServer();
  });
  afterEach(() => server.close());

  it.each(SEEDS)(`${PER_DATABASE} histories from seed %d`, async (first) => {
    const dataSource = await server.database({ isRecorded: false });
    let seen = 0;
    for (let seed = first; seed < first + PER_DATABASE; seed += 1) {
      const history = await SourceHistory.create(dataSource, seed);
      await history.play();
      seen += history.seen;
    }
    expect(seen).toBeGreaterThan(PER_DATABASE * 5);
  });
});
