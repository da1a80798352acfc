import { afterAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { TestServer } from '../fixtures/test-server.fixtures.js';
import { RunBatches1795830000000 } from './1795830000000-run-batches.migration.js';
import { migrate } from './migrate.js';
import { MIGRATIONS } from './migrations.js';

const ID = '0190a5a4-0000-7000-8000-00000000000';
const ORGANIZATION = `${ID}1`;
const DATASTORE = `${ID}2`;

describe('runs of an earlier release', () => {
  const server = new TestServer();
  afterAll(() => server.close());

  it('keep their work: deliveries, groups that wait, finished crawls and purges', async () => {
    const dataSource = await server.open(await server.emptyDatabase());
    const migrations = MIGRATIONS.slice(0, MIGRATIONS.indexOf(RunBatches1795830000000));
    const earlier = await new DataSource({
      ...dataSource.options,
      migrations,
    } as typeof dataSource.options).initialize();
    await earlier.runMigrations();
    await earlier.query(`INSERT INTO organizations (id, name) VALUES ('${ORGANIZATION}', 'o')`);
    await earlier.query(
      `INSERT INTO datastores (id, organization_id, name) VALUES ('${DATASTORE}', '${ORGANIZATION}', 'd')`,
    );
    for (const [n, run] of [
      [3, `'pending', NULL, NULL`],
      [4, `'queued', now(), NULL`],
      // Claimed together with another run.
      [5, `'active', NULL, NULL`],
      [6, `'pending', NULL, now()`],
      [7, `'succeeded', NULL, now()`],
    ] as const) {
      const ids = `'${ID}${n}', '${ORGANIZATION}'`;
      await earlier.query(`INSERT INTO datasources (id, organization_id, datastore_id, type, name)
                           VALUES (${ids}, '${DATASTORE}', 'web_site', 's')`);
      await earlier.query(`INSERT INTO runs (id, organization_id, datasource_id, trigger, stage, state, queued_at, discovered_at)
                           VALUES (${ids}, '${ID}${n}', 'create', 'discovering', ${run})`);
      await earlier.query(
        `INSERT INTO crawls (run_id, organization_id, site_id, config) VALUES (${ids}, '${ID}${n}', '{}')`,
      );
      await earlier.query(`INSERT INTO purges (id, organization_id, kind, target_id, attempts)
                           VALUES (${ids}, 'runs', '${ID}${n}', ${n === 3 ? 1 : 0})`);
    }
    for (const [outcome, reason] of [
      ['canonical', 'text/html'],
      ['skipped', 'NOINDEX'],
    ])
      await earlier.query(`INSERT INTO crawl_urls (site_id, organization_id, url, kind, origin, depth, found_in, outcome, reason)
                           VALUES ('${ID}3', '${ORGANIZATION}', '${outcome}', 'page', 'seed', 0, '${ID}3', '${outcome}', '${reason}')`);
    await earlier.destroy();
    await migrate(dataSource);
    expect(await dataSource.query('SELECT url, reason, content_type FROM crawl_urls ORDER BY url')).toEqual([
      { url: 'canonical', reason: null, content_type: 'text/html' },
      { url: 'skipped', reason: 'NOINDEX', content_type: null },
    ]);
    const rows = await dataSource.query<Record<string, unknown>[]>(
      `SELECT r.state, r.batch_id IS NOT NULL AS delivered, c.finished_at IS NOT NULL AS crawled,
              p.batch_id IS NOT NULL AS purging
         FROM runs r JOIN crawls c ON c.run_id = r.id JOIN purges p ON p.id = r.id ORDER BY r.id`,
    );
    expect(rows.map((row) => Object.values(row))).toEqual([
      ['pending', false, false, true],
      ['queued', true, false, false],
      ['active', true, false, false],
      ['waiting', false, true, false],
      ['succeeded', false, true, false],
    ]);
  });
});
