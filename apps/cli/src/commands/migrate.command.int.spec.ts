import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, loadConfig } from '@citewell/config';
import { createDataSource, schemaIsCurrent } from '@citewell/database';
import { PostgresServer } from '@citewell/database/embedded';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { run } from './migrate.command.js';

describe('citewell migrate', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'citewell-migrate-'));
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  async function migrate(config: Config, ...args: string[]): Promise<{ code: number; text: string }> {
    let text = '';
    return { code: await run(args, { config, output: { write: (part) => (text += part) } }), text };
  }

  it('migrates the embedded database, stopped or running, and the database of DATABASE_URL with its queue', async () => {
    const config = loadConfig({ CITEWELL_DATA_DIR: directory });
    const first = await migrate(config);
    expect(first.code).toBe(0);
    expect(first.text).toMatch(/^applied \w+\n[\s\S]*The schema is up to date\.\n$/);
    const upToDate = { code: 0, text: 'The schema is up to date.\n' };
    expect(await migrate(config)).toEqual(upToDate);

    const server = await PostgresServer.start({ directory, fsync: false });
    try {
      expect(await migrate(config)).toEqual(upToDate);
      const url = server.urlOf('postgres');
      const concurrent = await Promise.all([1, 2].map(() => migrate(loadConfig({ DATABASE_URL: url }))));
      expect(concurrent.map(({ code }) => code)).toEqual([0, 0]);
      // Of two concurrent commands, one applies the migrations.
      expect(concurrent.filter(({ text }) => text.includes('applied'))).toHaveLength(1);
      const dataSource = await createDataSource({ url, poolSize: 1, applicationName: 'test' }).initialize();
      expect(await schemaIsCurrent(dataSource)).toBe(true);
      const queues = await dataSource.query<unknown[]>(
        `SELECT 1 FROM information_schema.tables WHERE table_schema = 'bullmq'`,
      );
      // The queue has no tables.
      expect(queues.length).toBeGreaterThan(0);
      await dataSource.destroy();
    } finally {
      await server.stop();
    }
  });

  it('refuses an unexpected argument', async () => {
    await expect(migrate(loadConfig({ CITEWELL_DATA_DIR: directory }), 'now')).rejects.toThrow(
      'Unexpected argument: now.\nUsage: citewell migrate',
    );
  });
});
