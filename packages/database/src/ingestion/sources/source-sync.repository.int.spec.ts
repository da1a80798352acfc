import { setTimeout as sleep } from 'node:timers/promises';
import { IngestionError } from '@citewell/contracts/errors';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { newId } from '../../connection/new-id.js';
import { TenantScope } from '../../connection/tenant-scope.js';
import { HOLDER, TestTenant, WORKER } from '../../fixtures/tenant.fixtures.js';
import { TestServer } from '../../fixtures/test-server.fixtures.js';
import type { RunEntity } from '../../schema/ingestion.entities.js';
import { GroupRunRepository } from '../runs/group-run.repository.js';
import { LeaseLostError } from '../runs/lease.js';
import { SourceDocumentRepository } from './source-document.repository.js';
import type { FetchOutcome, ListedPage } from './source-documents.js';
import { SourceSyncRepository } from './source-sync.repository.js';

const server = new TestServer();
let dataSource: DataSource;
let tenant: TestTenant;
let groupRuns: GroupRunRepository;
let syncs: SourceSyncRepository;
let documents: SourceDocumentRepository;
let id: string;
/** The run of the source, whose lease a worker holds. */
let run: RunEntity;

beforeAll(async () => {
  dataSource = await server.database();
  groupRuns = new GroupRunRepository(dataSource, WORKER);
  syncs = new SourceSyncRepository(dataSource, HOLDER, groupRuns);
  documents = new SourceDocumentRepository(dataSource);
});
afterAll(() => server.close());
beforeEach(async () => {
  tenant = await TestTenant.create(dataSource);
  const { datasource } = await tenant.datasource({
    type: 'source',
    name: 'folder',
    content: null,
    mimeType: null,
  });
  id = datasource.id;
  ({ run } = await tenant.take(id, 'listing'));
  await syncs.begin(run, {});
});

const page = (contents: Readonly<Record<string, string>>, fields: Partial<ListedPage> = {}): ListedPage => ({
  documents: Object.entries(contents).map(([path, version]) => ({
    documentId: path,
    path,
    version,
    bytes: 4,
    modifiedAt: new Date(0),
    url: null,
    isWanted: !path.startsWith('drafts/'),
    access: 'library' as const,
  })),
  unavailable: [],
  groups: [],
  cursor: null,
  ...fields,
});

/** Fetches what is due. The bytes of a document are its version. */
async function fetchDue(reasons: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  const outcomes: FetchOutcome[] = [];
  for (const document of await syncs.due(run, 100)) {
    const reason = reasons[document.path];
    if (reason !== undefined) {
      outcomes.push({ ...document, reason, version: null });
      continue;
    }
    const datasourceId = document.datasourceId ?? newId();
    const content = { ...(await tenant.upload(datasourceId)), sha256: document.version };
    const isNew = document.datasourceId === null;
    outcomes.push({ ...document, reason: null, datasourceId, isNew, mimeType: 'text/plain', content });
  }
  return (await syncs.recordFetched(run, outcomes)).unused;
}

/** Hides what is missing, and ends the sync. */
async function finish(repeatsFailed = false): Promise<void> {
  const missing = await syncs.missing(run);
  await syncs.finish(
    run,
    missing.map(({ datasourceId }) => datasourceId),
    { repeatsFailed, warning: null, progress: { done: 1, total: 1 } },
  );
}

/** The documents of the library: paths and ids. */
async function library(): Promise<Record<string, string>> {
  const views = await tenant.datasources.list(tenant.scope, { groupId: id }, { limit: 100 });
  return Object.fromEntries(views.map(({ datasource }) => [datasource.customId, datasource.id]));
}

/** The named readers of the documents, by path. */
async function readers(): Promise<(string[] | null)[]> {
  const rows = await dataSource.query<{ access: string[] | null }[]>(
    `SELECT access FROM datasources WHERE group_id = $1 ORDER BY custom_id`,
    [id],
  );
  return rows.map(({ access }) => access);
}

async function serveAll(): Promise<void> {
  const all = new TenantScope(tenant.organizationId, null, null, 'all');
  const views = await tenant.datasources.list(all, { groupId: id }, { limit: 100 });
  for (const { datasource, current } of views) {
    if (current === null) continue;
    await dataSource.query(`UPDATE runs SET state = 'pending' WHERE state = 'queued'`);
    await tenant.serve(datasource.id);
  }
  await groupRuns.finishWaitingGroups();
}

/** Syncs the source with what it lists then. */
async function sync(listed: ListedPage, reasons: Readonly<Record<string, string>> = {}): Promise<void> {
  await syncs.recordPage(run, listed);
  await fetchDue(reasons);
  await finish();
  await serveAll();
}

async function again(): Promise<void> {
  await tenant.datasources.sync(tenant.scope, id);
  ({ run } = await tenant.take(id, 'listing'));
  await syncs.begin(run, {});
}

describe('a sync of a source', () => {
  it('makes documents of what it lists, and is synched when they are', async () => {
    const listed = await syncs.recordPage(
      run,
      page({ 'a.txt': 'a', 'drafts/b.txt': 'b' }, { cursor: 'a.txt' }),
    );
    expect(listed).toMatchObject({ cursor: 'a.txt', listedAt: null, found: 1, processed: 0 });
    expect(await syncs.begin(run, { other: true })).toMatchObject({ cursor: 'a.txt', config: {} });
    expect(await syncs.recordPage(run, page({ 'c.txt': 'c' }))).toMatchObject({ cursor: null, found: 2 });
    expect(await fetchDue()).toEqual([]);
    expect([await fetchDue(), await syncs.visible(run)]).toEqual([[], 2]);
    await finish();
    expect((await tenant.view(id)).current?.state).toBe('waiting');
    await serveAll();
    const { datasource } = await tenant.view(id);
    expect([datasource.status, datasource.error]).toEqual(['synched', null]);
    expect(Object.keys(await library()).toSorted()).toEqual(['a.txt', 'c.txt']);
  });

  it('keeps the ids of documents that move, and those that change', async () => {
    await sync(page({ 'same.txt': 'a', 'moved.txt': 'b', 'changed.txt': 'c', 'gone.txt': 'd' }));
    const before = await library();
    await again();
    await syncs.recordPage(run, page({ 'same.txt': 'a', 'new/moved.txt': 'b', 'changed.txt': 'C' }));
    // The bytes of the moved document are there already.
    expect(await fetchDue()).toHaveLength(1);
    await finish();
    await serveAll();
    expect(await library()).toEqual({
      'same.txt': before['same.txt'],
      'new/moved.txt': before['moved.txt'],
      'changed.txt': before['changed.txt'],
    });
  });

  it('shows hidden documents again, and deletes them after 30 days', async () => {
    await sync(page({ 'a.txt': 'a', 'b.txt': 'b' }));
    const before = await library();
    await again();
    await sync(page({ 'a.txt': 'a' }));
    expect(await library()).toEqual({ 'a.txt': before['a.txt'] });
    expect(await syncs.removeExpired(10)).toBe(0);
    await again();
    await sync(page({ 'a.txt': 'a', 'b.txt': 'b' }));
    expect(await library()).toEqual(before);
    await again();
    await sync(page({ 'a.txt': 'a' }));
    await dataSource.query(
      `UPDATE datasources SET hidden_at = hidden_at - interval '31 days'
        WHERE organization_id = $1 AND hidden_at IS NOT NULL`,
      [tenant.organizationId],
    );
    expect([await syncs.removeExpired(10), await syncs.removeExpired(10)]).toEqual([1, 0]);
  });

  it('locks hidden documents in the order of their ids', async () => {
    const contents = { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c', 'd.txt': 'd' };
    await sync(page(contents));
    const [first = '', ...others] = Object.values(await library()).toSorted();
    // The rows lie in the reverse order.
    for (const hidden of [...others.toReversed(), first])
      await dataSource.query('UPDATE datasources SET hidden_at = now() WHERE id = $1', [hidden]);
    await again();
    const deleting = dataSource.createQueryRunner();
    await deleting.startTransaction();
    await deleting.query('SELECT 1 FROM datasources WHERE id = $1 FOR UPDATE', [first]);
    const recording = syncs.recordPage(run, page(contents));
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    while ((await dataSource.query<unknown[]>(waiting)).length === 0) await sleep(10);
    await deleting.query('SELECT 1 FROM datasources WHERE id = ANY($1) FOR UPDATE NOWAIT', [others]);
    await deleting.rollbackTransaction();
    await deleting.release();
    await recording;
    expect(Object.keys(await library())).toHaveLength(4);
  });

  it('tells nobody of what cannot be read and names readers', async () => {
    await sync(page({ 'a.txt': 'a', 'board/b.txt': 'b', 'c.txt': 'c' }));
    await again();
    const hidden = ['a.txt', 'board', 'new.txt'].map((path) => ({
      documentId: path,
      path,
      reason: 'misunderstood',
      isFolder: path === 'board',
      isRestricted: true,
    }));
    await sync(page({ 'c.txt': 'c' }, { unavailable: hidden }));
    expect(Object.keys(await library())).toEqual(['c.txt']);
    for (const isSkipped of [true, false]) {
      const told = await documents.list(tenant.scope, id, { isSkipped }, { limit: 10 });
      expect(told.map(({ path }) => path)).toEqual(isSkipped ? [] : ['c.txt']);
    }
    expect(await syncs.reasons(run)).toEqual([{ reason: null, count: 3, path: null }]);
    await again();
    await sync(page({ 'a.txt': 'a', 'board/b.txt': 'b', 'c.txt': 'c' }));
    expect(Object.keys(await library()).toSorted()).toEqual(['a.txt', 'board/b.txt', 'c.txt']);
  });

  it('lets nobody read what names readers and was not listed, until it is listed', async () => {
    const listed = page({ 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' });
    const board = { people: [], groups: ['Board'] };
    const documents = listed.documents.map((one, n) => ({ ...one, access: n < 2 ? board : one.access }));
    const group = [`group:${id}:Board`];
    await sync({ ...listed, documents });
    await again();
    await syncs.recordPage(run, { ...listed, documents: documents.slice(0, 1) });
    expect(await readers()).toEqual([group, group, null]);
    await syncs.withholdUnlisted(run);
    expect(await readers()).toEqual([group, [], null]);
    await syncs.recordPage(run, { ...listed, documents });
    expect(await readers()).toEqual([group, group, null]);
  });

  it('shows an earlier text to no new readers, when the new one is empty', async () => {
    const nobody = { people: [], groups: [] };
    const restricted = (contents: Record<string, string>) => {
      const listed = page(contents);
      return { ...listed, documents: listed.documents.map((one) => ({ ...one, access: nobody })) };
    };
    await sync(restricted({ 'a.txt': 'a' }));
    expect(await library()).toEqual({});
    await again();
    await syncs.recordPage(run, page({ 'a.txt': 'A' }));
    const [due] = await syncs.due(run, 9);
    await syncs.recordFetched(run, due ? [{ ...due, reason: 'empty', version: 'A' }] : []);
    await finish();
    await serveAll();
    expect(await library()).toEqual({});
    await again();
    await sync(page({ 'a.txt': 'A' }));
    expect(await library()).toEqual({});
    await again();
    await sync(page({ 'a.txt': 'B' }));
    expect(Object.keys(await library())).toEqual(['a.txt']);
  });

  it('takes the word of another connection only for what it gives', async () => {
    const board = { people: [], groups: ['Board'] };
    const listed = page({ 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' });
    const [first, second, ...others] = listed.documents;
    if (!first || !second) throw new Error('There are three documents');
    const documents = [{ ...first, access: board }, { ...second, access: board }, ...others];
    await sync({ ...listed, documents });
    const group = [`group:${id}:Board`];
    expect(await readers()).toEqual([group, group, null]);
    await tenant.datasources.sync(tenant.scope, id);
    ({ run } = await tenant.take(id, 'listing'));
    await syncs.begin(run, { kind: 'program', program: 'of the attacker', schedule: '' });
    expect(await readers()).toEqual([[], [], null]);
    await syncs.recordPage(run, page({ 'a.txt': 'a', 'c.txt': 'c' }, { cursor: 'c.txt' }));
    expect(await readers()).toEqual([[], [], null]);
    await syncs.recordPage(run, { ...page({}), documents: [{ ...second, access: board }] });
    expect(await readers()).toEqual([[], [], null]);
    expect((await syncs.due(run, 9)).map(({ path }) => path)).toEqual(['a.txt', 'b.txt']);
    await fetchDue({ 'b.txt': 'gone' });
    await finish();
    await serveAll();
    expect(await readers()).toEqual([null, [], null]);
  });

  it('keeps what cannot be read, and says why', async () => {
    await sync(page({ 'a.txt': 'a', 'private/b.txt': 'b', 'c.txt': 'c' }));
    const before = await library();
    await again();
    const unavailable = [
      { documentId: 'private', path: 'private', reason: 'not allowed', isFolder: true, isRestricted: false },
      { documentId: 'c.txt', path: 'c.txt', reason: 'damaged', isFolder: false, isRestricted: false },
    ];
    await syncs.recordPage(run, page({ 'a.txt': 'A' }, { unavailable }));
    await fetchDue({ 'a.txt': 'changed meanwhile' });
    expect((await syncs.reasons(run)).map(({ reason }) => reason)).toEqual([
      'changed meanwhile',
      'damaged',
      'not allowed',
    ]);
    await finish();
    await serveAll();
    expect(await library()).toEqual(before);
    const skipped = await documents.list(tenant.scope, id, { isSkipped: true }, { limit: 10 });
    expect(skipped.map(({ path }) => path)).toEqual(['a.txt', 'c.txt', 'private']);
    const all = await documents.list(tenant.scope, id, { isSkipped: false }, { limit: 10, cursor: 'c.txt' });
    expect(all.map(({ path }) => path)).toEqual(['private', 'private/b.txt']);
    // They are tried again.
    await again();
    await syncs.recordPage(run, page({ 'a.txt': 'A', 'private/b.txt': 'b', 'c.txt': 'c' }));
    expect((await syncs.due(run, 10)).map(({ path }) => path)).toEqual(['a.txt', 'c.txt']);
    await fetchDue();
    expect(await documents.list(tenant.scope, id, { isSkipped: true }, { limit: 10 })).toEqual([]);
  });

  it('does not fetch what only an earlier sync has listed', async () => {
    await syncs.recordPage(run, page({ 'a.txt': 'a', 'gone.txt': 'b' }));
    await tenant.lifecycle.cancel(tenant.scope, id);
    await again();
    await syncs.recordPage(run, page({ 'a.txt': 'a' }));
    expect((await syncs.due(run, 10)).map(({ path }) => path)).toEqual(['a.txt']);
  });

  it('processes documents again that could not be ingested, if it is to', async () => {
    await syncs.recordPage(run, page({ 'a.txt': 'a' }));
    await fetchDue();
    const { 'a.txt': failed = '' } = await library();
    const { run: parsing } = await tenant.take(failed);
    await tenant.lifecycle.fail(parsing, new IngestionError('CORRUPT_FILE'));
    await finish(true);
    expect((await tenant.view(failed)).current?.state).toBe('pending');
  });

  it('becomes due when its folder has changed, but not while it is under way, or without a schedule', async () => {
    const isListed = async (): Promise<boolean> =>
      (await syncs.scheduledFolders()).some((folder) => folder.id === id);
    const set = (schedule: string, kind: string): Promise<unknown> =>
      dataSource.query(`UPDATE datasources SET next_sync_at = ${schedule}, config = $2 WHERE id = $1`, [
        id,
        { kind, folder: '/srv' },
      ]);
    await set(`now() + interval '1 day'`, 'folder');
    expect([await isListed(), await syncs.makeDue(id)]).toEqual([true, false]);
    await sync(page({ 'a.txt': 'a' }));
    const isDue = async (): Promise<boolean> =>
      (await tenant.datasources.dueForSync(100)).some((due) => due.id === id);
    expect([await isDue(), await syncs.makeDue(id), await isDue()]).toEqual([false, true, true]);
    await set(`now() + interval '1 day'`, 'feed');
    expect(await isListed()).toBe(false);
    await set('NULL', 'folder');
    expect([await isListed(), await syncs.makeDue(id)]).toEqual([false, false]);
  });

  it('needs the lease', async () => {
    await tenant.lifecycle.release(run);
    await expect(syncs.recordPage(run, page({ 'a.txt': 'a' }))).rejects.toThrow(LeaseLostError);
    expect(await documents.list(tenant.scope, 'no id', { isSkipped: false }, { limit: 10 })).toEqual([]);
  });
});
