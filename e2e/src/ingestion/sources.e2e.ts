import { mkdir, mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { datasourceSchema, sourceCheckSchema, sourceDocumentSchema } from '@citewell/contracts/schemas';
import { SOURCE_FAULT_POINTS } from '@citewell/observability';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { z } from 'zod';
import { Tenant, until } from '../client/tenant.js';
import type { Deployment } from '../deployments/deployment.js';
import { describeDeployment } from '../deployments/describe-deployment.js';
import { disturbEmbedded } from '../deployments/disturbed.js';
import { ConnectedSource } from '../fixtures/connected-source.js';
import { takeInventory } from '../operations/resilience/inventory.js';

/** A folder of this machine with files about a harbour. */
class Folder {
  private constructor(readonly path: string) {}

  static async create(): Promise<Folder> {
    return new Folder(await realpath(await mkdtemp(join(tmpdir(), 'source-'))));
  }

  at(path: string): string {
    return join(this.path, path);
  }

  async write(path: string, text: string): Promise<void> {
    await mkdir(dirname(this.at(path)), { recursive: true });
    await writeFile(this.at(path), text);
  }

  async move(from: string, to: string): Promise<void> {
    await mkdir(dirname(this.at(to)), { recursive: true });
    await rename(this.at(from), this.at(to));
  }
}

describeDeployment('sources', (start) => {
  let deployment: Deployment;
  let tenant: Tenant;
  let folder: Folder;
  const root = realpath(tmpdir());
  beforeAll(async () => {
    deployment = await start({ FOLDERS: await root, MAX_UPLOAD_BYTES: '100000', EMBEDDING_MODEL: 'none' });
    tenant = await Tenant.create(deployment);
  });
  afterAll(() => deployment.stop());
  beforeEach(async () => {
    folder = await Folder.create();
  });

  it('keep a library as their folder is', async () => {
    for (const [name, text] of Object.entries({
      oil: 'nine litres of oil',
      sails: 'reefed sails',
      rope: 'ten ropes',
    }))
      await folder.write(`manual/${name}.txt`, `The ship has ${text}.`);
    for (const n of [1, 2, 3, 4]) await folder.write(`log/${n}.md`, `# Day ${n}\n\nFog on day ${n}.`);
    const source = await ConnectedSource.connect(tenant, { kind: 'folder', folder: folder.path });
    expect(await source.finished()).toMatchObject({ type: 'source', status: 'synched', error: null });
    const before = await source.documents();
    expect(Object.keys(before)).toHaveLength(7);
    expect(before['manual/oil.txt']).toMatchObject({
      name: 'oil.txt',
      metadata: { path: 'manual/oil.txt', modifiedAt: expect.any(String) },
    });

    await folder.move('manual/oil.txt', 'manual/engine/Oil change.txt');
    await folder.write('manual/sails.txt', 'The ship has torn sails.');
    await folder.write('manual/new.txt', 'The ship has a new anchor.');
    await rm(folder.at('log/4.md'));
    expect(await source.sync()).toMatchObject({ status: 'synched', error: null });
    const after = await source.documents();
    expect(
      Object.fromEntries(Object.entries(after).map(([path, { id, revision }]) => [path, [id, revision]])),
    ).toEqual({
      'manual/engine/Oil change.txt': [before['manual/oil.txt']?.id, 1],
      'manual/sails.txt': [before['manual/sails.txt']?.id, 2],
      'manual/rope.txt': [before['manual/rope.txt']?.id, 1],
      'manual/new.txt': [expect.any(String), 1],
      'log/1.md': [before['log/1.md']?.id, 1],
      'log/2.md': [before['log/2.md']?.id, 1],
      'log/3.md': [before['log/3.md']?.id, 1],
    });
    expect(await source.found('ship sails')).toContainEqual('The ship has torn sails.');
    expect(await source.found('day 4')).not.toContainEqual(expect.stringContaining('Fog on day 4'));
  });

  it('follow their folder without a sync by hand, also a folder that is made meanwhile', async () => {
    await folder.write('1.txt', 'Mole 1 is long.');
    const source = await ConnectedSource.connect(tenant, {
      kind: 'folder',
      folder: folder.path,
      schedule: '0 4 1 1 *',
    });
    await source.finished();
    const answers = async (path: string): Promise<boolean> =>
      (await source.documents())[path]?.status === 'synched';
    // The folder may not be watched yet.
    for (let n = 2; !(await answers('2.txt')); n += 1) {
      await folder.write(`${n}.txt`, `Mole ${n} is short.`);
      await sleep(4_000);
    }
    await folder.write('new/deep/a.txt', 'Mole a is high.');
    await until(() => answers('new/deep/a.txt'), 'the new folder to answer');
    await rm(folder.at('2.txt'));
    await until(async () => !('2.txt' in (await source.documents())), 'the deletion to arrive');
  });

  it('show a document again when it returns, with its revision', async () => {
    for (const n of [1, 2, 3, 4, 5]) await folder.write(`${n}.txt`, `Buoy ${n} is red.`);
    const source = await ConnectedSource.connect(tenant, { kind: 'folder', folder: folder.path });
    await source.finished();
    const { '5.txt': before } = await source.documents();
    const away = await Folder.create();
    await rename(folder.at('5.txt'), away.at('5.txt'));
    await source.sync();
    expect(Object.keys(await source.documents())).toHaveLength(4);
    (await tenant.api.get(`/datasources/${before?.id}`)).assertError('NOT_FOUND');
    (await tenant.api.get(`/datasources/${before?.id}/text`)).assertError('NOT_FOUND');
    await rename(away.at('5.txt'), folder.at('5.txt'));
    await source.sync();
    const { '5.txt': after } = await source.documents();
    expect([after?.id, after?.revision]).toEqual([before?.id, 1]);
    expect(await source.found('buoy 5')).toContain('Buoy 5 is red.');
  });

  it('hide nothing when the folder is away or suddenly empty, until a person says so', async () => {
    for (const n of [1, 2, 3]) await folder.write(`${n}.txt`, `Pier ${n} is wooden.`);
    const source = await ConnectedSource.connect(tenant, { kind: 'folder', folder: folder.path });
    await source.finished();
    await rename(folder.path, `${folder.path}-away`);
    await source.failToSync();
    expect(await source.found('wooden pier')).toHaveLength(3);
    await mkdir(folder.path);
    const empty = await source.sync();
    expect([empty.status, empty.error?.message]).toEqual([
      'synched',
      expect.stringMatching(/^3 of 3 documents were not listed\. They keep answering\./),
    ]);
    expect(await source.found('wooden pier')).toHaveLength(3);
    expect(await source.sync({ removeMissing: true })).toMatchObject({ status: 'synched', error: null });
    expect([await source.documents(), await source.found('wooden pier')]).toEqual([{}, []]);
  });

  it('name what they skip, and leave out what the patterns leave out', async () => {
    await folder.write('a.txt', 'The quay is long.');
    await folder.write('drafts/b.txt', 'The quay is short.');
    await folder.write('broken.pdf', '%PDF-1.7 broken');
    await folder.write('logo.bin', '\u0001\u0002\u0003'.repeat(100));
    await folder.write('large.txt', 'x'.repeat(100_001));
    await folder.write('empty.txt', '');
    const source = await ConnectedSource.connect(tenant, {
      kind: 'folder',
      folder: folder.path,
      exclude: ['drafts/**'],
    });
    const { status, error } = await source.finished();
    expect([status, error?.code]).toEqual(['synched', 'PARTIAL']);
    expect(error?.message).toMatch(
      /^1 document could not be ingested; 1 document answers\. 3 documents were skipped: /,
    );
    const listed = (await tenant.api.get(`/datasources/${source.id}/documents`)).as(
      z.array(sourceDocumentSchema.strict()),
    );
    expect(listed.map(({ path, reason }) => [path, reason])).toEqual([
      ['a.txt', null],
      ['broken.pdf', null],
      ['empty.txt', 'empty'],
      ['large.txt', 'larger than 100,000 bytes'],
      ['logo.bin', 'its type is not supported'],
    ]);
    (
      await tenant.api.patch(`/datasources/${source.id}`, {
        config: { exclude: null, include: ['drafts/*'] },
      })
    ).assertOk();
    await source.sync();
    expect(Object.keys(await source.documents())).toEqual(['drafts/b.txt']);
  });

  it('are tested before they are connected', async () => {
    await folder.write('a.txt', 'one');
    await folder.write('drafts/b.txt', 'two');
    const check = async (config: object) =>
      tenant.api.post('/sources/check', { config: { kind: 'folder', ...config } });
    expect(
      (await check({ folder: folder.path, exclude: ['drafts/**'] })).as(sourceCheckSchema.strict()),
    ).toEqual({
      message: 'The folder has 1 file and 1 folder.',
      documents: [{ path: 'a.txt', bytes: 3, modifiedAt: expect.any(String) }],
      found: 1,
      leftOut: 1,
      isComplete: true,
    });
    const refused = (await check({ folder: '/etc' })).assertError('INVALID_REQUEST');
    expect(refused.message).toMatch(/does not allow the folder \/etc/);
    (await check({ folder: 'documents' })).assertError('INVALID_REQUEST');
  });

  it('are not read while they are paused, answer meanwhile, and are synched after it', async () => {
    await folder.write('a.txt', 'The pilot is on board.');
    const config = { kind: 'folder', folder: folder.path, schedule: '0 4 1 1 *' };
    const source = await ConnectedSource.connect(tenant, config);
    await source.finished();
    const change = async (fields: Record<string, unknown>) =>
      (await tenant.api.patch(`/datasources/${source.id}`, { config: fields })).as(datasourceSchema.strict());
    (await tenant.api.post(`/datasources/${source.id}/sync`, {})).assertOk();
    expect(await change({ paused: true })).toMatchObject({
      progress: null,
      config: { schedule: '0 4 1 1 *', paused: true },
    });
    await folder.write('b.txt', 'The pilot has left.');
    // Another schedule does not end the pause.
    await change({ schedule: '@hourly', exclude: ['*.tmp'] });
    const runs = async (): Promise<number> =>
      (await tenant.api.get(`/datasources/${source.id}/runs`)).as(z.array(z.unknown())).length;
    const before = await runs();
    expect(await source.found('pilot')).toEqual(['The pilot is on board.']);
    expect((await change({ paused: null })).config).not.toHaveProperty('paused');
    expect([await runs(), (await source.finished()).status]).toEqual([before + 1, 'synched']);
    expect(await source.found('pilot')).toEqual(['The pilot has left.', 'The pilot is on board.']);
  });

  it('are disconnected with their documents', async () => {
    await folder.write('a.txt', 'The lighthouse is white.');
    const source = await ConnectedSource.connect(tenant, { kind: 'folder', folder: folder.path });
    await source.finished();
    (await tenant.api.delete(`/datasources/${source.id}`)).assertOk();
    expect([await source.documents(), await source.found('lighthouse')]).toEqual([{}, []]);
  });
});

it.each(SOURCE_FAULT_POINTS)('a source whose crawler is killed %s has each document once', async (point) => {
  const folder = await Folder.create();
  for (let n = 0; n < 40; n += 1) await folder.write(`${n}.txt`, `Buoy number ${n} is green.`);
  await disturbEmbedded(
    async (deployment) => {
      const { tenant } = deployment;
      const { id: datastoreId } = await tenant.datastore('kills');
      const config = { kind: 'folder', folder: folder.path, schedule: '' };
      const answer = await tenant.api.post('/datasources', { type: 'source', datastoreId, config });
      const { id } = answer.as(datasourceSchema);
      expect((await deployment.process.ended).signal).toBe('SIGKILL');
      await deployment.start({ CITEWELL_FAULT: '' });
      const { status } = await until(async () => {
        const source = await tenant.datasource(id);
        return source.progress === null && source;
      }, 'the source to finish');
      const documents = await tenant.datasources(datastoreId, id);
      expect([status, new Set(documents.map(({ customId }) => customId)).size, documents.length]).toEqual([
        'synched',
        40,
        40,
      ]);
      expect((await takeInventory(deployment)).problems).toEqual([]);
    },
    { CITEWELL_FAULT: point, FOLDERS: folder.path },
  );
});
