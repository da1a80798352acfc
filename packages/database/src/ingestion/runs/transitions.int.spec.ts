import assert from 'node:assert/strict';
import { IngestionError } from '@citewell/contracts/errors';
import { DATASOURCE_STATUSES, type DatasourceStatus, RUN_STATES } from '@citewell/contracts/schemas';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { TestCrawl } from '../../fixtures/crawl.fixtures.js';
import { TestSite } from '../../fixtures/site.fixtures.js';
import { TestTenant } from '../../fixtures/tenant.fixtures.js';
import { forceUpdate, TestServer } from '../../fixtures/test-server.fixtures.js';
import type { RunEntity } from '../../schema/ingestion.entities.js';
import { releaseStuckRuns } from './lease.js';
import { RunDispatchRepository } from './run-dispatch.repository.js';
import { allowedPairs, createTrigger, RUN_TRANSITIONS, STATUS_TRANSITIONS } from './transitions.js';

const server = new TestServer();
afterAll(() => server.close());

const COLUMNS = [
  { table: 'runs', column: 'state', states: RUN_STATES, transitions: RUN_TRANSITIONS },
  { table: 'datasources', column: 'status', states: DATASOURCE_STATUSES, transitions: STATUS_TRANSITIONS },
] as const;

for (const { table, column, states, transitions } of COLUMNS)
  describe(`the ${column} of ${table}`, () => {
    let dataSource: DataSource;
    let id: string;
    beforeAll(async () => {
      dataSource = await server.database();
      const view = await (await TestTenant.create(dataSource)).datasource();
      id = (table === 'runs' ? view.current?.id : view.datasource.id) ?? '';
    });

    it('is guarded by the trigger of the table of transitions', async () => {
      const definition = async (): Promise<unknown> =>
        dataSource.query('SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgname = $1', [
          `${table}_${column}`,
        ]);
      const migrated = await definition();
      await dataSource.query(`DROP TRIGGER ${table}_${column} ON ${table}`);
      await dataSource.query(createTrigger<string>({ table, column }, transitions));
      expect(await definition()).toEqual(migrated);
    });

    const allowed = new Set(allowedPairs<string>(transitions).map(String));
    for (const from of states)
      for (const to of states) {
        const isAllowed = from === to || allowed.has(`${from},${to}`);
        it(`${isAllowed ? 'may' : 'may not'} change from ${from} to ${to}`, async () => {
          await forceUpdate(dataSource, `UPDATE ${table} SET ${column} = $2 WHERE id = $1`, [id, from]);
          const change = dataSource.query(`UPDATE ${table} SET ${column} = $2 WHERE id = $1`, [id, to]);
          if (isAllowed) await change;
          else await expect(change).rejects.toThrow(`cannot change from ${from} to ${to}`);
        });
      }
  });

/** What makes changes of rows. A key is a change, such as `pending,queued`. */
type Makers = Record<string, () => Promise<unknown>>;

const LIMIT = new IngestionError('USAGE_LIMIT');
const DAMAGED = new IngestionError('CORRUPT_FILE');

describe('the transitions', () => {
  let dataSource: DataSource;
  let tenant: TestTenant;
  beforeAll(async () => {
    dataSource = await server.database();
    await dataSource.query('CREATE TABLE made (change text)');
    for (const { table, column } of COLUMNS) {
      await dataSource.query(`CREATE FUNCTION record_${column}() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN INSERT INTO made VALUES (OLD.${column} || ',' || NEW.${column}); RETURN NULL; END $$`);
      await dataSource.query(`CREATE TRIGGER record_${column} AFTER UPDATE OF ${column} ON ${table} FOR EACH ROW
        WHEN (OLD.${column} <> NEW.${column}) EXECUTE FUNCTION record_${column}()`);
    }
  });
  beforeEach(async () => {
    tenant = await TestTenant.create(dataSource);
    await dataSource.query('TRUNCATE made');
  });

  async function pending(): Promise<string> {
    return (await tenant.datasource()).datasource.id;
  }
  async function queued(): Promise<string> {
    const id = await pending();
    await tenant.dispatch.claim('parsing', 100);
    return id;
  }
  async function active(): Promise<RunEntity> {
    return (await tenant.take(await pending())).run;
  }
  async function failed(error: IngestionError): Promise<string> {
    const run = await active();
    await tenant.lifecycle.fail(run, error);
    return run.datasourceId;
  }
  async function served(): Promise<string> {
    const id = await pending();
    await tenant.serve(id);
    return id;
  }
  async function waiting({ isServed = false } = {}): Promise<TestSite> {
    const site = await TestSite.begin(tenant);
    const page = await site.page();
    if (isServed) await site.serve(page);
    else await tenant.lifecycle.fail((await tenant.take(page, 'indexing')).run, DAMAGED);
    await site.waitForPages();
    return site;
  }
  const cancel = (id: string) => tenant.lifecycle.cancel(tenant.scope, id);
  const sync = (id: string) => tenant.datasources.sync(tenant.scope, id);

  const makersOfStates: Makers = {
    'pending,queued': queued,
    'pending,cancelled': async () => cancel(await pending()),
    'queued,active': active,
    'queued,pending': async () => {
      await queued();
      await new RunDispatchRepository(dataSource).takeBackAllWork();
    },
    'queued,cancelled': async () => cancel(await queued()),
    'active,pending': async () => tenant.lifecycle.release(await active()),
    'active,waiting': () => waiting(),
    'active,succeeded': served,
    'active,failed': () => failed(DAMAGED),
    'active,cancelled': async () => cancel((await active()).datasourceId),
    'waiting,succeeded': async () => (await waiting({ isServed: true })).runs.finishWaitingGroups(),
    'waiting,failed': async () => (await waiting()).runs.finishWaitingGroups(),
    'waiting,cancelled': async () => cancel((await waiting()).id),
  };

  /** A crawl with a page that has a pending run. */
  async function crawling(): Promise<TestCrawl> {
    const crawl = await TestCrawl.begin(tenant);
    await crawl.record(crawl.page('page'));
    return crawl;
  }
  async function takePage(crawl: TestCrawl): Promise<RunEntity> {
    return (await tenant.take(await crawl.pageIdOf('page'), 'indexing')).run;
  }
  async function crawlingServedPage(): Promise<TestCrawl> {
    const crawl = await TestCrawl.begin(tenant);
    await crawl.servePage('page');
    return crawl;
  }
  const failPage = (crawl: TestCrawl) => crawl.record(crawl.failed('page'));
  /** A worker takes the run of a datasource whose status is not that of one which has a run. */
  async function takeAfter(status: DatasourceStatus): Promise<void> {
    const id = await pending();
    await forceUpdate(dataSource, 'UPDATE datasources SET status = $2 WHERE id = $1', [id, status]);
    await tenant.take(id);
  }

  const makersOfStatuses: Makers = {
    'unsynched,running': active,
    'unsynched,synched': async () => {
      const id = await served();
      await sync(id);
      await cancel(id);
    },
    'unsynched,error': async () => failPage(await crawling()),
    'running,unsynched': async () => cancel((await active()).datasourceId),
    'running,synched': served,
    'running,error': () => failed(DAMAGED),
    'running,usage_limit_reached': () => failed(LIMIT),
    'synched,unsynched': async () => sync(await served()),
    'synched,running': () => takeAfter('synched'),
    'synched,error': async () => failPage(await crawlingServedPage()),
    'error,unsynched': async () => sync(await failed(DAMAGED)),
    'error,running': async () => {
      const crawl = await crawling();
      await failPage(crawl);
      await takePage(crawl);
    },
    'error,synched': async () => {
      const crawl = await crawlingServedPage();
      await failPage(crawl);
      await crawl.record(crawl.unchanged('page'));
    },
    'error,usage_limit_reached': async () => {
      const crawl = await crawling();
      const run = await takePage(crawl);
      await failPage(crawl);
      await tenant.lifecycle.fail(run, LIMIT);
    },
    'usage_limit_reached,unsynched': async () => sync(await failed(LIMIT)),
    'usage_limit_reached,running': () => takeAfter('usage_limit_reached'),
    'usage_limit_reached,synched': async () => {
      const crawl = await crawlingServedPage();
      await crawl.record(crawl.page('page', 'new'));
      await tenant.lifecycle.fail(await takePage(crawl), LIMIT);
      await crawl.record(crawl.unchanged('page'));
    },
    'usage_limit_reached,error': async () => {
      const crawl = await crawling();
      await tenant.lifecycle.fail(await takePage(crawl), LIMIT);
      await failPage(crawl);
    },
  };

  for (const [name, makers, transitions] of [
    ['states', makersOfStates, RUN_TRANSITIONS],
    ['statuses', makersOfStatuses, STATUS_TRANSITIONS],
  ] as const) {
    it(`of ${name} are all made by the product`, () => {
      expect(Object.keys(makers).toSorted()).toEqual(
        allowedPairs<string>(transitions).map(String).toSorted(),
      );
    });

    for (const [change, make] of Object.entries(makers))
      it(`of ${name} include ${change.replace(',', ' → ')}`, async () => {
        await make();
        const made = await dataSource.query<{ change: string }[]>('SELECT change FROM made');
        expect(made.map((row) => row.change)).toContain(change);
      });
  }

  it('lead a run that crashes its worker back to pending, and at last to failed', async () => {
    const run = await active();
    const expire = (crashes: number): Promise<unknown> =>
      dataSource.query(`UPDATE runs SET lease_until = created_at, crashes = $2 WHERE id = $1`, [
        run.id,
        crashes,
      ]);
    await expire(19);
    expect(await tenant.lifecycle.endExpiredLease(run.id)).toBe('ended');
    const other = await active();
    await dataSource.query(`UPDATE runs SET lease_until = created_at - interval '1 hour' WHERE id = $1`, [
      other.id,
    ]);
    await releaseStuckRuns(dataSource.manager, [other.id], 60);
    const [row] = await dataSource.query<{ state: string }[]>('SELECT state FROM runs WHERE id = $1', [
      other.id,
    ]);
    assert.equal(row?.state, 'pending');
  });
});
