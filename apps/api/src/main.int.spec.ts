import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { createTestDatabase, RedisServer, type TestDatabase } from '@citewell/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

describe('the API process', () => {
  let database: TestDatabase;
  let redis: RedisServer;
  beforeAll(async () => {
    database = await createTestDatabase();
    redis = await RedisServer.start();
  });
  afterAll(async () => {
    await redis.stop();
    await database.drop();
  });

  it('does not start without a database schema, and names the command to run', async () => {
    const api = spawn(process.execPath, [fileURLToPath(new URL('main.js', import.meta.url))], {
      env: {
        DATABASE_URL: database.url,
        REDIS_URL: redis.url,
        QDRANT_URL: 'http://127.0.0.1:1',
        CITEWELL_DATA_DIR: tmpdir(),
        PORT: '0',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const stderr = text(api.stderr);
    const [code] = await once(api, 'exit');
    expect(code).toBe(1);
    expect(await stderr).toBe(
      'The database has no schema, or one of an older release. Run `citewell migrate` first.\n',
    );
  });
});
