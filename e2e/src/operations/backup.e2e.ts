import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { DirectoryBlobStore } from '@citewell/blob-store';
import { findRunningPostgres } from '@citewell/database/embedded';
import { prepareDataDirectory, startModelServer } from '@citewell/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Tenant } from '../client/tenant.js';
import { type CommandOutcome, createTemporaryDirectory, runCitewell } from '../deployments/deployment.js';
import { EmbeddedDeployment } from '../deployments/embedded.deployment.js';
import { query } from '../specification/leftovers.js';

const OWN = { ORGANIZATION_MODELS: 'true', ORGANIZATION_MODEL_NETWORKS: '127.0.0.0/8' };

describe('citewell backup', () => {
  let directory: Awaited<ReturnType<typeof createTemporaryDirectory>>;
  const started: EmbeddedDeployment[] = [];

  beforeEach(async () => {
    directory = await createTemporaryDirectory();
  });
  afterEach(async () => {
    await stopAll();
    await directory.remove();
  });

  const path = (name: string): string => join(directory.path, name);
  const citewell = (data: string, ...args: string[]): Promise<CommandOutcome> =>
    runCitewell({ CITEWELL_DATA_DIR: path(data) }, args);
  const start = async (data: string, env: Record<string, string> = {}): Promise<Tenant> => {
    const variables = { CITEWELL_DATA_DIR: path(data), RATE_LIMIT_PER_MINUTE: '0', ...env };
    const deployment = await EmbeddedDeployment.create(variables, { isFirstStart: true });
    started.push(deployment);
    await deployment.start();
    return deployment.tenant;
  };
  const stopAll = () => Promise.all(started.splice(0).map((deployment) => deployment.stop()));

  const largeBlobs = (data: string) => new DirectoryBlobStore(join(path(data), 'blobs'));
  const databaseOf = async (data: string) => ({ databaseUrl: (await findRunningPostgres(path(data))) ?? '' });
  const smallBlobsOf = async (data: string, id: string) =>
    query(await databaseOf(data), 'SELECT key, content FROM small_blobs WHERE key LIKE $1', [`%/${id}/%`]);
  const largeBlobsOf = async (data: string, id: string): Promise<number> => {
    let count = 0;
    for await (const { key } of largeBlobs(data).list('')) if (key.includes(id)) count += 1;
    return count;
  };
  /** Moves the small blobs of a datasource to files. */
  const storeAsEarlierReleases = async (data: string, id: string): Promise<void> => {
    for (const { key, content } of await smallBlobsOf(data, id))
      await largeBlobs(data).put(String(key), content as Buffer);
    await query(await databaseOf(data), 'DELETE FROM small_blobs WHERE key LIKE $1', [`%/${id}/%`]);
  };

  it('keeps what was finished, while documents are uploaded, replaced and deleted', async () => {
    await prepareDataDirectory(path('data'));
    const before = await start('data');
    const store = await before.datastore('Kept');
    const keel = await before.file(store.id, 'The keel was laid in March.\u2028It is of oak.', 'keel.txt');
    const log = await before.text(store.id, 'The log is heaved each hour.');
    await storeAsEarlierReleases('data', log.id);
    const ropes = await before.file(store.id, 'Rope,Metres\nhalyard,30\nsheet,12', 'ropes.csv');
    const countRopes = async (tenant: Tenant): Promise<string> =>
      (await tenant.api.post(`/datasources/${ropes.id}/tables/1/rows`, {})).text;
    const counted = await countRopes(before);
    expect(JSON.parse(counted)).toMatchObject({ count: 2, figures: [{ column: 'Metres', sum: 42 }] });
    const agent = await before.agent({ datastoreIds: [store.id] });
    const texts = new Map<string, string>();
    for (const { id } of [keel, log]) texts.set(id, (await before.api.get(`/datasources/${id}/text`)).text);
    const { answer, sources, conversationId } = await before.ask(agent.id, 'When was the keel laid?');
    const { id: busyId } = await before.datastore('Busy');
    const replaced = await before.text(busyId, 'The mast is of ash.');
    const deleted = await before.text(busyId, 'The rudder is of elm.');

    // Before the backup has read the rows, during it and after it.
    let isOver = false;
    const uploaded: string[] = [];
    const traffic = (async () => {
      await before.api.patch(`/datasources/${replaced.id}`, { text: 'The mast is of pine.' });
      await before.api.delete(`/datasources/${deleted.id}`);
      for (let n = 0; !isOver; n += 1) {
        const text = `Part ${n}. ${'Many words about rigging. '.repeat(200)}`;
        const file = new Blob([text]);
        const created = await before.api.upload([
          ['datastoreId', busyId],
          ['file', file, `part-${n}.txt`],
        ]);
        uploaded.push(JSON.parse(created.text).id);
        await sleep(50);
      }
    })();
    const backup = await citewell('data', 'backup', path('backup.tar.gz'));
    isOver = true;
    await traffic;
    expect(backup).toEqual({
      code: 0,
      output: expect.stringMatching(/^Wrote .*backup\.tar\.gz \([\d.]+ [KM]B\)\.\n$/),
    });
    expect((await stat(path('backup.tar.gz'))).mode & 0o777).toBe(0o600);

    await stopAll();
    const restore = await citewell('restored', 'restore', path('backup.tar.gz'));
    expect(restore).toEqual({ code: 0, output: expect.stringMatching(/is restored/) });
    expect((await stat(path('restored'))).mode & 0o777).toBe(0o700);

    const after = await start('restored');
    expect(await after.datasource(keel.id)).toEqual(keel);
    for (const { id } of [keel, log])
      expect((await after.api.get(`/datasources/${id}/text`)).text).toBe(texts.get(id));
    expect(await countRopes(after)).toBe(counted);
    const small = await smallBlobsOf('restored', keel.id);
    expect([small.length, await largeBlobsOf('restored', keel.id)]).toEqual([4, 0]);
    expect([await smallBlobsOf('restored', log.id), await largeBlobsOf('restored', log.id)]).toEqual([[], 4]);
    const again = await after.ask(agent.id, 'When was the keel laid?');
    expect({ answer: again.answer, sources: again.sources }).toEqual({ answer, sources });
    (await after.api.get(`/conversations/${conversationId}`)).assertOk();
    // What was in progress is finished by the restored service.
    const survivors = (await Promise.all(uploaded.map((id) => after.api.get(`/datasources/${id}`)))).filter(
      ({ status }) => status === 200,
    );
    for (const { text } of survivors) await after.waitUntilSynched(JSON.parse(text).id);
    const [mast] = await after.search(busyId, 'What is the mast made of?');
    expect(mast?.text).toMatch(/mast is of (ash|pine)/);
    // Nothing is missing. What was written after the rows were read belongs to nobody, and can be deleted.
    const doctor = await citewell('restored', 'doctor', '--repair');
    expect(doctor).toEqual({ code: 0, output: expect.not.stringMatching(/without (their|points)/) });
  });

  it('needs no running service, and refuses what would destroy or mix data', async () => {
    await prepareDataDirectory(path('data'));
    const file = path('backup.tar.gz');
    expect(await citewell('data', 'backup', file)).toMatchObject({ code: 0 });
    await writeFile(path('other'), gzipSync(''));
    const elsewhere = { DATABASE_URL: 'postgres://127.0.0.1:1/x' };
    for (const [data, args, message, env = {}] of [
      ['data', ['backup', path('new')], /DATABASE_URL names another place/, elsewhere],
      ['data', ['restore', file], /is not empty/],
      ['empty', ['restore', path('other')], /is not a backup/],
    ] as const) {
      const { code, output } = await runCitewell({ CITEWELL_DATA_DIR: path(data), ...env }, args);
      expect([args, output, code === 0]).toEqual([args, expect.stringMatching(message), false]);
    }
    expect(await readdir(path('empty')).catch(() => [])).toEqual([]);
  });

  it('has no key of a model in clear, and keys work again after a restore with the secret alone', async () => {
    const model = await startModelServer();
    try {
      await prepareDataDirectory(path('data'));
      const { api } = await start('data', OWN);
      const keys = {
        chat: 'sk-of-chat-9Qz7Lm',
        embedding: 'sk-of-embedding-4Tb2Xw',
        rerank: 'sk-of-rerank-8Wn4Pd',
      };
      const server = { model: 'm', baseUrl: model.baseUrl, test: false };
      for (const [path, kind, provider] of [
        ['/models/chat', 'chat', 'openai'],
        ['/models/embedding/server', 'embedding', 'openai'],
        ['/models/rerank', 'rerank', 'cohere'],
        ['/models/chat/own', 'chat', 'openai'],
      ] as const)
        (await api.put(path, { ...server, provider, apiKey: keys[kind] })).assertOk();
      expect(await citewell('data', 'backup', path('plain'))).toMatchObject({ code: 0 });
      expect(await citewell('data', 'backup', path('with-secret'), '--with-secret')).toMatchObject({
        code: 0,
      });
      await stopAll();
      for (const file of ['plain', 'with-secret']) {
        const content = gunzipSync(await readFile(path(file))).toString('latin1');
        expect(content).toContain('model_settings');
        for (const key of Object.values(keys))
          for (const form of [
            key,
            Buffer.from(key).toString('base64').slice(0, -4),
            Buffer.from(key).toString('hex'),
          ])
            expect(content).not.toContain(form);
      }

      const restored = await citewell('complete', 'restore', path('with-secret'));
      expect(restored).toEqual({ code: 0, output: expect.not.stringContaining('Enter the keys again') });
      expect((await stat(path('complete/secret'))).mode & 0o777).toBe(0o600);
      const complete = await start('complete', OWN);
      for (const kind of ['chat', 'rerank'] as const) {
        model.requests.splice(0);
        await complete.api.post('/models/test', { kind });
        expect(model.requests.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${keys[kind]}`]);
      }
      model.requests.splice(0);
      await complete.api.post('/models/embedding/test', { ...server, provider: 'openai' });
      expect(model.requests.at(-1)?.headers.authorization).toBe(`Bearer ${keys.embedding}`);
      await stopAll();

      const without = await citewell('partial', 'restore', path('plain'));
      expect(without).toEqual({
        code: 0,
        output: expect.stringContaining('Enter the keys again in the settings'),
      });
      const partial = await start('partial', OWN);
      for (const kind of ['chat', 'rerank', 'chat/own'])
        expect((await partial.api.get(`/models/${kind}`)).text).toMatch(/"hasKey":true.*Enter the key again/);
      expect((await partial.api.get('/models/embedding')).text).toContain('Enter the key again');
      model.requests.splice(0);
      for (const kind of ['chat', 'rerank'])
        expect((await partial.api.post('/models/test', { kind })).text).toContain('Enter the key again');
      expect(model.requests).toEqual([]);
    } finally {
      await stopAll();
      await model.close();
    }
  });
});
