import assert from 'node:assert/strict';
import { IngestionError } from '@citewell/contracts/errors';
import { DATASOURCE_STATUSES, RUN_STATES, type RunState } from '@citewell/contracts/schemas';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { forceUpdate } from '../fixtures/force-update.fixtures.js';
import { TestSite } from '../fixtures/site.fixtures.js';
import { TestTenant } from '../fixtures/tenant.fixtures.js';
import { TestServer } from '../fixtures/test-server.fixtures.js';
import { RunDispatchRepository } from './run-dispatch.repository.js';
import { releaseStuckRuns } from './stuck-runs.js';
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

describe('the transitions of runs', () => {
  let dataSource: DataSource;
  let tenant: TestTenant;
  beforeAll(async () => {
    dataSource = await server.database();
    await dataSource.query('CREATE TABLE made (change text)');
    await dataSource.query(`CREATE FUNCTION record_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN INSERT INTO made VALUES (OLD.state || ',' || NEW.state); RETURN NULL; END $$`);
    await dataSource.query(`CREATE TRIGGER record_changes AFTER UPDATE OF state ON runs FOR EACH ROW
      WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION record_change()`);
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
  async function waiting({ isServed = false } = {}): Promise<TestSite> {
    const site = await TestSite.begin(tenant);
    const page = await site.page();
    if (isServed) await site.serve(page);
    else
      await tenant.lifecycle.fail(
        (await tenant.take(page, 'indexing')).run,
        new IngestionError('CORRUPT_FILE'),
      );
    await site.waitForPages();
    return site;
  }
  const cancel = (id: string) => tenant.lifecycle.cancel(tenant.organizationId, id);

  /** What makes each transition. */
  const makers: Record<string, () => Promise<unknown>> = {
    'pending,queued': queued,
    'pending,cancelled': async () => cancel(await pending()),
    'queued,active': async () => tenant.take(await pending()),
    'queued,pending': async () => {
      await queued();
      await new RunDispatchRepository(dataSource).endAllLeases();
    },
    'queued,cancelled': async () => cancel(await queued()),
    'active,pending': async () => tenant.lifecycle.release((await tenant.take(await pending())).run),
    'active,waiting': () => waiting(),
    'active,succeeded': async () => tenant.serve(await pending()),
    'active,failed': async () => {
      const { run } = await tenant.take(await pending());
      await tenant.lifecycle.fail(run, new IngestionError('CORRUPT_FILE'));
    },
    'active,cancelled': async () => {
      const { datasource } = await tenant.take(await pending());
      await cancel(datasource.id);
    },
    'waiting,succeeded': async () => (await waiting({ isServed: true })).runs.finishWaitingGroups(),
    'waiting,failed': async () => (await waiting()).runs.finishWaitingGroups(),
    'waiting,cancelled': async () => cancel((await waiting()).id),
  };

  it('are all made by the product', () => {
    expect(Object.keys(makers).toSorted()).toEqual(
      allowedPairs<RunState>(RUN_TRANSITIONS).map(String).toSorted(),
    );
  });

  for (const [change, make] of Object.entries(makers))
    it(`${change.replace(',', ' → ')} is made`, async () => {
      await make();
      const made = await dataSource.query<{ change: string }[]>('SELECT change FROM made');
      expect(made.map((row) => row.change)).toContain(change);
    });

  it('lead a run that crashes its worker back to pending, and at last to failed', async () => {
    const { run } = await tenant.take(await pending());
    const expire = (crashes: number): Promise<unknown> =>
      dataSource.query(`UPDATE runs SET lease_until = created_at, crashes = $2 WHERE id = $1`, [
        run.id,
        crashes,
      ]);
    await expire(19);
    expect(await tenant.lifecycle.crashed(run.id)).toBe('ended');
    const { run: other } = await tenant.take(await pending());
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
