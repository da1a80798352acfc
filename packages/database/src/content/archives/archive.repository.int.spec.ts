import { IngestionError } from '@citewell/contracts/errors';
import { ARCHIVE_TYPE } from '@citewell/contracts/schemas';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { newId } from '../../connection/new-id.js';
import { TestTenant, WORKER } from '../../fixtures/tenant.fixtures.js';
import { TestServer } from '../../fixtures/test-server.fixtures.js';
import { GroupRunRepository } from '../../ingestion/runs/group-run.repository.js';
import { LeaseLostError } from '../../ingestion/runs/lease.js';
import { DoctorRepository } from '../../operations/doctor.repository.js';
import type { RunEntity } from '../../schema/ingestion.entities.js';
import { contentBlobKey } from '../blobs/blob.repository.js';
import { type ArchivedFile, ArchiveRepository } from './archive.repository.js';

const server = new TestServer();
let dataSource: DataSource;
let tenant: TestTenant;
let groupRuns: GroupRunRepository;
let archives: ArchiveRepository;
let id: string;
/** The run of the archive, whose lease a worker holds. */
let run: RunEntity;

beforeAll(async () => {
  dataSource = await server.database();
  groupRuns = new GroupRunRepository(dataSource, WORKER);
  archives = new ArchiveRepository(dataSource, groupRuns);
});
afterAll(() => server.close());
beforeEach(async () => {
  tenant = await TestTenant.create(dataSource);
  const { datasource } = await tenant.datasource({ type: 'file', name: 'a.zip', mimeType: ARCHIVE_TYPE });
  id = datasource.id;
  ({ run } = await tenant.take(id));
});

/** Nothing was left out, and the archive is no export. */
const COMPLETE = { unread: [], warning: null, exportOf: null };

/** Unpacks an archive, as the worker does. @param contents path → content */
async function unpack(contents: Readonly<Record<string, string>>): Promise<ArchivedFile[]> {
  const knownIds = await archives.fileIds(run);
  return Promise.all(
    Object.entries(contents).map(async ([path, sha256]) => {
      const knownId = knownIds.get(path);
      const datasourceId = knownId ?? newId();
      const { key } = await tenant.upload(datasourceId);
      const content = { key, bytes: 4, sha256 };
      return {
        datasourceId,
        isNew: knownId === undefined,
        path,
        name: path,
        mimeType: 'text/plain',
        content,
      };
    }),
  );
}

const replaceFiles = async (contents: Readonly<Record<string, string>>, warning: string | null = null) =>
  archives.replaceFiles(run, await unpack(contents), { ...COMPLETE, warning });

/** Its files by path, with their ids. */
async function files(): Promise<Record<string, string>> {
  const views = await tenant.datasources.list(tenant.scope, { groupId: id }, { limit: 10 });
  return Object.fromEntries(views.map(({ datasource }) => [datasource.customId, datasource.id]));
}

/** The paths of files that have an unfinished run. */
async function busyFiles(): Promise<string[]> {
  const views = await tenant.datasources.list(tenant.scope, { groupId: id }, { limit: 10 });
  return views.filter(({ current }) => current).map(({ datasource }) => String(datasource.customId));
}

/** `take` claims all pending runs, so that those of other files must be released. */
async function serve(fileId: string): Promise<void> {
  await dataSource.query(`UPDATE runs SET state = 'pending' WHERE state = 'queued'`);
  await tenant.serve(fileId);
}

async function serveAll(): Promise<void> {
  for (const path of await busyFiles()) await serve((await files())[path] ?? '');
  await groupRuns.finishWaitingGroups();
}

describe('an archive', () => {
  it('is synched when its files are', async () => {
    await replaceFiles({ 'docs/a.txt': 'a', 'b.txt': 'b' });
    const { 'docs/a.txt': first = '', 'b.txt': second = '' } = await files();
    const child = await tenant.view(first);
    expect(child.datasource).toMatchObject({ type: 'file', groupId: id, customId: 'docs/a.txt' });
    expect(child.current).toMatchObject({ stage: 'parsing', groupId: id, contentType: 'text/plain' });
    expect(await archiveBlobsCommitted()).toBe(3);
    await serve(first);
    await groupRuns.finishWaitingGroups();
    const waiting = await tenant.view(id);
    expect([waiting.current?.state, waiting.pagesUnderWay]).toEqual(['waiting', 1]);
    await serve(second);
    expect(await tenant.dispatch.claim('parsing', 10)).toEqual([]);
    await groupRuns.finishWaitingGroups();
    const { datasource, current, serving } = await tenant.view(id);
    expect([datasource.status, datasource.error, current]).toEqual(['synched', null, null]);
    expect(serving?.counts).toMatchObject({ pages: 2, characters: 200 });
    const doctor = new DoctorRepository(dataSource);
    expect(await doctor.contradictoryDatasources(null)).toEqual([]);
    const served = (await doctor.servingRuns(null, 100)).map(({ datasourceId }) => datasourceId);
    expect(served).toEqual(expect.arrayContaining([first, second]));
    expect(served).not.toContain(id);
  });

  it('names the encoding that was chosen for it', async () => {
    const chosen = (of = id): Promise<string | null> => archives.chosenEncoding(run.organizationId, of);
    expect(await chosen()).toBeNull();
    await dataSource.query(`UPDATE datasources SET config = '{"encoding": "big5"}' WHERE id = $1`, [id]);
    expect(await chosen()).toBe('big5');
    expect(await chosen(newId())).toBeNull();
  });

  it('has the files of one delivery, also when two workers have unpacked it', async () => {
    const [first, second] = [await unpack({ 'a.txt': 'a' }), await unpack({ 'a.txt': 'a' })];
    await archives.replaceFiles(run, first, COMPLETE);
    await expect(archives.replaceFiles(run, second, COMPLETE)).rejects.toThrow(LeaseLostError);
    expect(await files()).toEqual({ 'a.txt': first[0]?.datasourceId });
    // The blob of the second delivery stays uncommitted, so it is collected.
    expect(await archiveBlobsCommitted()).toBe(2);
  });

  it('adds, replaces, keeps and removes files when its content is replaced', async () => {
    await replaceFiles({ 'same.txt': 'a', 'other.txt': 'b', 'old.txt': 'c' });
    await serveAll();
    const before = await files();
    const content = { ...(await tenant.upload(id)), mimeType: ARCHIVE_TYPE };
    await tenant.datasources.replaceContent(tenant.scope, id, content);
    ({ run } = await tenant.take(id));
    const unused = await replaceFiles({ 'same.txt': 'a', 'other.txt': 'changed', 'new.txt': 'd' });
    const after = await files();
    expect(Object.keys(after).sort()).toEqual(['new.txt', 'other.txt', 'same.txt']);
    expect([after['same.txt'], after['other.txt']]).toEqual([before['same.txt'], before['other.txt']]);
    expect((await busyFiles()).sort()).toEqual(['new.txt', 'other.txt']);
    expect(unused).toEqual([expect.stringContaining(before['same.txt'] ?? '')]);
    await serveAll();
    expect((await tenant.view(id)).datasource.status).toBe('synched');
    expect(await tenant.storedCharacters()).toBe(300);
  });

  it('keeps a file that cannot be read in the new content, and removes what is missing there', async () => {
    await replaceFiles({ 'damaged.txt': 'a', 'missing.txt': 'b', 'same.txt': 'c' });
    await serveAll();
    const before = await files();
    const content = { ...(await tenant.upload(id)), mimeType: ARCHIVE_TYPE };
    await tenant.datasources.replaceContent(tenant.scope, id, content);
    ({ run } = await tenant.take(id));
    const unread = [before['damaged.txt'] ?? ''];
    await archives.replaceFiles(run, await unpack({ 'same.txt': 'c' }), { ...COMPLETE, unread });
    await groupRuns.finishWaitingGroups();
    const { 'missing.txt': _, ...kept } = before;
    expect(await files()).toEqual(kept);
    const { status, error } = (await tenant.view(id)).datasource;
    expect([status, error, await tenant.storedCharacters()]).toEqual(['synched', null, 200]);
  });

  it('processes all files again when it is synched', async () => {
    await replaceFiles({ 'a.txt': 'a', 'b.txt': 'b' });
    await serveAll();
    const { 'b.txt': deleted = '' } = await files();
    await tenant.datasources.markDeleted(tenant.scope, deleted);
    await tenant.datasources.sync(tenant.scope, id);
    ({ run } = await tenant.take(id));
    await replaceFiles({ 'a.txt': 'a', 'b.txt': 'b' });
    expect((await busyFiles()).sort()).toEqual(['a.txt', 'b.txt']);
    expect((await files())['b.txt']).not.toBe(deleted);
  });

  it('that is an export says so, and its files have other names and places with a reindex alone', async () => {
    const deliver = async (name: string, exportOf: 'slack' | null) => {
      const unpacked = await unpack({ 'a.txt': 'a' });
      const delivered = unpacked.map((file) =>
        exportOf === null ? file : { ...file, name, metadata: { path: `x/${name}` } },
      );
      await archives.replaceFiles(run, delivered, { ...COMPLETE, exportOf });
      // Cancelled, as `serveAll` takes any run of a file.
      const [, reindexed] = await dataSource.query<[unknown[], number]>(
        `UPDATE runs SET state = 'cancelled' WHERE group_id = $1 AND trigger = 'reindex' AND stage = 'embedding' AND state = 'pending'`,
        [id],
      );
      await serveAll();
      const { serving } = await tenant.view(id);
      const [file] = await tenant.datasources.list(tenant.scope, { groupId: id }, { limit: 10 });
      await tenant.datasources.sync(tenant.scope, id);
      ({ run } = await tenant.take(id));
      return [
        serving?.counts?.exportOf,
        serving?.counts?.pages,
        file?.datasource.name,
        file?.datasource.metadata,
        reindexed,
      ];
    };
    expect(await deliver('One', 'slack')).toEqual(['slack', 1, 'One', { path: 'x/One' }, 0]);
    expect(await deliver('One', 'slack')).toEqual(['slack', 1, 'One', { path: 'x/One' }, 0]);
    expect(await deliver('Two', 'slack')).toEqual(['slack', 1, 'Two', { path: 'x/Two' }, 1]);
    expect(await deliver('', null)).toEqual([undefined, 1, 'a.txt', null, 1]);
  });

  it('does not bring back a file that is deleted while it is unpacked', async () => {
    await replaceFiles({ 'a.txt': 'a', 'b.txt': 'b' });
    await serveAll();
    await tenant.datasources.sync(tenant.scope, id);
    ({ run } = await tenant.take(id));
    const unpacked = await unpack({ 'a.txt': 'a', 'b.txt': 'changed' });
    const { 'b.txt': deleted = '' } = await files();
    await tenant.datasources.markDeleted(tenant.scope, deleted);
    expect(await archives.replaceFiles(run, unpacked, COMPLETE)).toHaveLength(2);
    expect(Object.keys(await files())).toEqual(['a.txt']);
  });

  it('adds no files after its deletion, which deletes its files', async () => {
    await replaceFiles({ 'a.txt': 'a' });
    await serveAll();
    await tenant.datasources.sync(tenant.scope, id);
    ({ run } = await tenant.take(id));
    await tenant.datasources.markDeleted(tenant.scope, id);
    await expect(replaceFiles({ 'a.txt': 'a', 'b.txt': 'b' })).rejects.toThrow(LeaseLostError);
    expect([await files(), await tenant.storedCharacters()]).toEqual([{}, 0]);
  });

  it('without files that can be read is an error with the reasons', async () => {
    await replaceFiles({}, '1 file was skipped: a.png (its type is not supported).');
    await groupRuns.finishWaitingGroups();
    const { status, error } = (await tenant.view(id)).datasource;
    expect([status, error?.code, error?.message]).toEqual([
      'error',
      'ARCHIVE_EMPTY',
      '1 file was skipped: a.png (its type is not supported).',
    ]);
  });

  describe('that another file replaces', () => {
    const replaceBy = async (mimeType: string): Promise<void> => {
      const content = { ...(await tenant.upload(id)), mimeType };
      await tenant.datasources.replaceContent(tenant.scope, id, content);
    };
    /** Which of these answer: the archive or file `itself`, and the files of the archive by path. */
    const answering = async (): Promise<string[]> => {
      const ids = { itself: id, ...(await files()) };
      const doctor = new DoctorRepository(dataSource);
      const runs = await doctor.servingRuns(null, 10_000);
      expect(await doctor.contradictoryDatasources(null)).toEqual([]);
      expect(await doctor.unpurged(null)).toEqual([]);
      const miscounted = await doctor.miscountedOrganizations(null);
      expect(miscounted.filter((organization) => organization.id === tenant.organizationId)).toEqual([]);
      const found = runs.map(({ datasourceId }) => datasourceId);
      return Object.entries(ids)
        .flatMap(([name, datasourceId]) => (found.includes(datasourceId) ? [name] : []))
        .toSorted();
    };
    const fail = async (): Promise<void> => {
      ({ run } = await tenant.take(id));
      await tenant.lifecycle.fail(run, new IngestionError('CORRUPT_FILE'));
    };

    beforeEach(async () => {
      await replaceFiles({ 'a.txt': 'a', 'b.txt': 'b' });
      await serveAll();
      expect(await answering()).toEqual(['a.txt', 'b.txt']);
    });

    it('answers until the other file does', async () => {
      await replaceBy('text/plain');
      expect(await answering()).toEqual(['a.txt', 'b.txt']);
      await fail();
      expect(await answering()).toEqual(['a.txt', 'b.txt']);
      await replaceBy('text/plain');
      await tenant.serve(id);
      expect([await answering(), await files(), await tenant.storedCharacters()]).toEqual([
        ['itself'],
        {},
        100,
      ]);
    });

    it('answers again after the same archive, whose files are not processed again', async () => {
      await replaceBy('text/plain');
      await replaceBy(ARCHIVE_TYPE);
      ({ run } = await tenant.take(id));
      await replaceFiles({ 'a.txt': 'a', 'b.txt': 'b' });
      expect(await busyFiles()).toEqual([]);
      await groupRuns.finishWaitingGroups();
      expect(await answering()).toEqual(['a.txt', 'b.txt']);
    });

    it('replaces the other file when its files answer', async () => {
      await replaceBy('text/plain');
      await tenant.serve(id);
      await replaceBy(ARCHIVE_TYPE);
      await fail();
      expect(await answering()).toEqual(['itself']);
      for (const contents of [{}, { 'c.txt': 'c' }]) {
        await replaceBy(ARCHIVE_TYPE);
        ({ run } = await tenant.take(id));
        await replaceFiles(contents);
        expect(await answering()).toEqual(['itself']);
        await serveAll();
      }
      expect([await answering(), await tenant.storedCharacters()]).toEqual([['c.txt'], 100]);
      expect((await tenant.view(id)).datasource.status).toBe('synched');
    });

    it('loses its new files when the other file comes back with the same text', async () => {
      await replaceBy('text/plain');
      await tenant.serve(id);
      await replaceBy(ARCHIVE_TYPE);
      ({ run } = await tenant.take(id));
      await replaceFiles({ 'c.txt': 'c' });
      await serve((await files())['c.txt'] ?? '');
      expect(await answering()).toEqual(['c.txt', 'itself']);
      await replaceBy('text/plain');
      ({ run } = await tenant.take(id));
      await tenant.lifecycle.keepServing(run);
      expect([await answering(), await files()]).toEqual([['itself'], {}]);
    });
  });

  it('has 10,000 files at most in one statement each', async () => {
    const { organizationId } = tenant;
    const many = Array.from({ length: 10_000 }, (_, n): ArchivedFile => {
      const datasourceId = newId();
      const content = { key: contentBlobKey(organizationId, datasourceId, newId()), bytes: 1, sha256: 'a' };
      return {
        datasourceId,
        isNew: true,
        path: `${n}.txt`,
        name: `${n}.txt`,
        mimeType: 'text/plain',
        content,
      };
    });
    await archives.replaceFiles(run, many, COMPLETE);
    expect((await archives.fileIds(run)).size).toBe(10_000);
  });
});

/** Committed blobs of the organization. */
async function archiveBlobsCommitted(): Promise<number> {
  const [row] = await dataSource.query<{ n: number }[]>(
    'SELECT count(*)::int AS n FROM blobs WHERE organization_id = $1 AND committed',
    [tenant.organizationId],
  );
  return row?.n ?? 0;
}
