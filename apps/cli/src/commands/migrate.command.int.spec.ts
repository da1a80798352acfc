import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Config, loadConfig } from '@citewell/config';
import { createDataSource, schemaIsCurrent } from '@citewell/database';
import { PostgresServer } from '@citewell/database/embedded';
import { run } from './migrate.command.js';

describe('citewell migrate', () => {
  let directory: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'citewell-migrate-'));
  });
  after(() => rm(directory, { recursive: true, force: true }));

  async function migrate(config: Config, ...args: string[]): Promise<{ code: number; text: string }> {
    let text = '';
    return { code: await run(args, { config, output: { write: (part) => (text += part) } }), text };
  }

  it('migrates the embedded database, stopped or running, and the database of DATABASE_URL with its queue', async () => {
    const config = loadConfig({ CITEWELL_DATA_DIR: directory });
    const first = await migrate(config);
    assert.equal(first.code, 0);
    assert.match(first.text, /^applied \w+\n[\s\S]*The schema is up to date\.\n$/);
    const upToDate = { code: 0, text: 'The schema is up to date.\n' };
    assert.deepEqual(await migrate(config), upToDate);

    const server = await PostgresServer.start({ directory, fsync: false });
    try {
      assert.deepEqual(await migrate(config), upToDate);
      const url = server.urlOf('postgres');
      const concurrent = await Promise.all([1, 2].map(() => migrate(loadConfig({ DATABASE_URL: url }))));
      assert.deepEqual(
        concurrent.map(({ code }) => code),
        [0, 0],
      );
      assert.equal(
        concurrent.filter(({ text }) => text.includes('applied')).length,
        1,
        'of two concurrent commands, one applies the migrations',
      );
      const dataSource = await createDataSource({ url, poolSize: 1, applicationName: 'test' }).initialize();
      assert.ok(await schemaIsCurrent(dataSource));
      const queues = await dataSource.query<unknown[]>(
        `SELECT 1 FROM information_schema.tables WHERE table_schema = 'bullmq'`,
      );
      assert.ok(queues.length > 0, 'the queue has no tables');
      await dataSource.destroy();
    } finally {
      await server.stop();
    }
  });

  it('prints its usage for an unexpected argument', async () => {
    const { code, text } = await migrate(loadConfig({ CITEWELL_DATA_DIR: directory }), 'now');
    assert.equal(code, 2);
    assert.match(text, /^Usage: citewell migrate/);
  });
});
