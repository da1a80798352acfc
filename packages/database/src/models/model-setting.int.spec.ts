import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { TestTenant } from '../fixtures/tenant.fixtures.js';
import { TestServer } from '../fixtures/test-server.fixtures.js';
import { type ModelSetting, ModelSettingRepository } from './model-setting.repository.js';

const server = new TestServer();
let dataSource: DataSource;
let settings: ModelSettingRepository;
beforeAll(async () => {
  dataSource = await server.database();
  settings = new ModelSettingRepository(dataSource);
});
afterAll(() => server.close());

it('keeps the last choice of each kind until it is removed', async () => {
  const local = { name: 'local', baseUrl: null, sealedKey: null };
  const ofServer = { name: 'openai:m', baseUrl: 'http://127.0.0.1:1/v1', sealedKey: 'sealed' };
  expect(await settings.all()).toEqual(new Map());
  await settings.store('embedding', ofServer);
  await settings.store('embedding', local);
  await settings.store('rerank', ofServer);
  expect(await settings.all()).toEqual(
    new Map<string, ModelSetting>([
      ['embedding', local],
      ['rerank', ofServer],
    ]),
  );
  await settings.remove('rerank');
  expect([...(await settings.all()).keys()]).toEqual(['embedding']);
});

it('keeps the own choice of an organization apart from all others', async () => {
  const [a, b] = [await TestTenant.create(dataSource), await TestTenant.create(dataSource)];
  const [ofAll, ofA, ofB] = ['all', 'a', 'b'].map((name) => ({
    name: `openai:${name}`,
    baseUrl: null,
    sealedKey: `sealed ${name}`,
  })) as [ModelSetting, ModelSetting, ModelSetting];
  const found = async () => [
    (await settings.all()).get('chat') ?? null,
    await settings.findOwn(a.scope, 'chat'),
    await settings.findOwn(b.scope, 'chat'),
  ];
  await settings.storeOwn(a.scope, 'chat', ofA);
  expect(await found()).toEqual([null, ofA, null]);
  await settings.store('chat', ofAll);
  await settings.storeOwn(b.scope, 'chat', ofA);
  await settings.storeOwn(b.scope, 'chat', ofB);
  expect(await found()).toEqual([ofAll, ofA, ofB]);
  await settings.remove('chat');
  expect(await found()).toEqual([null, ofA, ofB]);
  await settings.removeOwn(a.scope, 'chat');
  expect(await found()).toEqual([null, null, ofB]);
  expect(await settings.hasKeys()).toBe(true);
  await settings.removeOwn(b.scope, 'chat');
  expect(await settings.hasKeys()).toBe(false);
});

it('counts the documents of all organizations that serve from a space', async () => {
  expect(await settings.progress('new')).toMatchObject({ documents: 0, characters: 0 });
  for (const space of ['old', 'new']) {
    const tenant = await TestTenant.create(dataSource);
    const { datasource } = await tenant.datasource();
    const run = await tenant.serve(datasource.id);
    const { datasource: site } = await tenant.datasource();
    await tenant.serve(site.id);
    await dataSource.query("UPDATE datasources SET type = 'web_site' WHERE id = $1", [site.id]);
    await dataSource.query('UPDATE runs SET space = $1, characters = 5 WHERE id = $2', [space, run]);
    await dataSource.query('UPDATE datastores SET spaces = $1 WHERE id = $2', [[space], tenant.datastoreId]);
  }
  const expected = {
    documents: 2,
    documentsDone: 1,
    documentsFailed: 0,
    characters: 10,
    charactersDone: 5,
  };
  expect(await settings.progress('new')).toEqual(expected);
  await dataSource.query(
    `INSERT INTO runs (id, organization_id, datasource_id, trigger, stage, state, space)
     SELECT gen_random_uuid(), organization_id, datasource_id, 'reindex', 'embedding', 'failed', 'new'
       FROM runs WHERE space = 'old'`,
  );
  expect(await settings.progress('new')).toEqual({ ...expected, documentsFailed: 1 });
  // The failure says nothing about other models.
  expect(await settings.progress('other')).toMatchObject({ documentsDone: 0, documentsFailed: 0 });
  expect([...(await settings.usedSpaces())].toSorted()).toEqual(['new', 'old']);
});
