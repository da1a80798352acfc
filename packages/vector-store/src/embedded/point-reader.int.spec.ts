import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RUN_COUNT, VECTORS_BY_HASH } from './point-reader.repository.js';
import { openStorage } from './storage.schema.js';

describe('PointReader', () => {
  let directory: string;
  let database: DatabaseSync;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'point-reader-'));
    database = openStorage(directory);
  });
  afterAll(async () => {
    database.close();
    await rm(directory, { recursive: true });
  });

  function plan(sql: string, parameters: readonly (string | number)[]): string {
    const steps = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters);
    return steps.map(({ detail }) => String(detail)).join('\n');
  }

  // Without the index, SQLite scans every point of the space. At 7,000 chunks a count took 2.6 ms, not 3 µs.
  it('counts a run with the index on runs', () => {
    expect(plan(RUN_COUNT, [1, 'organization', 'run'])).toMatch(/points_by_run \(run_ref=\?\)/);
  });

  it('fetches vectors of a run with the index on runs', () => {
    expect(plan(VECTORS_BY_HASH, [1, 'organization', 'run', '["hash"]'])).toMatch(
      /points_by_run \(run_ref=\? AND content_hash=\?\)/,
    );
  });
});
