import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { TestServer } from '../fixtures/test-server.fixtures.js';
import { TestTenant } from '../fixtures/tenant.fixtures.js';
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

it('counts the documents of all organizations that serve from a space', async () => {
  expect(await settings.progress('new')).toMatchObject({ documents: 0, characters: 0 });
  for (const space of ['old', 'new']) {
    const tenant = await TestTenant.create(dataSource);
    const { datasource } = await tenant.datasource();
    const run = await tenant.serve(datasource.id);
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
