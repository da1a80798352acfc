import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { TestServer } from '../fixtures/test-server.fixtures.js';
import { TestTenant } from '../fixtures/tenant.fixtures.js';
import { PictureDescriptionRepository } from './picture-description.repository.js';

const server = new TestServer();
let dataSource: DataSource;
let descriptions: PictureDescriptionRepository;
beforeAll(async () => {
  dataSource = await server.database();
  descriptions = new PictureDescriptionRepository(dataSource);
});
afterAll(() => server.close());

it('knows a picture in every document of an organization, as one model describes it', async () => {
  const tenant = await TestTenant.create(dataSource);
  const [first, second] = [await tenant.datasource(), await tenant.datasource()];
  const { organizationId } = tenant.scope;
  const of = (datasourceId: string) => ({ organizationId, datasourceId, picture: 'ab', model: 'm' });
  const picture = of(first.datasource.id);
  expect(await descriptions.find(picture)).toBeNull();
  await descriptions.store(picture, 'A bicycle.');
  await descriptions.store(picture, 'Another text.');
  expect(await descriptions.find(of(second.datasource.id))).toBe('A bicycle.');
  expect(await descriptions.find({ ...picture, model: 'other' })).toBeNull();
  const stranger = await TestTenant.create(dataSource);
  expect(await descriptions.find({ ...picture, organizationId: stranger.scope.organizationId })).toBeNull();
  await dataSource.query('DELETE FROM datasources WHERE id = $1', [first.datasource.id]);
  expect(await descriptions.find(picture)).toBeNull();
});
