import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { TestTenant } from '../../fixtures/tenant.fixtures.js';
import { TestServer } from '../../fixtures/test-server.fixtures.js';
import { DatasourceEntity } from '../../schema/content.entities.js';
import { SourceSecretRepository } from './source-secret.repository.js';

const server = new TestServer();
let dataSource: DataSource;
let tenant: TestTenant;
let secrets: SourceSecretRepository;
beforeAll(async () => {
  dataSource = await server.database();
  secrets = new SourceSecretRepository(dataSource);
});
afterAll(() => server.close());
beforeEach(async () => {
  tenant = await TestTenant.create(dataSource);
});

async function source(fields: object = {}): Promise<DatasourceEntity> {
  const item = {
    type: 'source',
    content: null,
    mimeType: null,
    sealedSecrets: { token: 'one' },
    ...fields,
  } as const;
  return (await tenant.datasource(item)).datasource;
}

const secretsOf = async (id: string): Promise<unknown> =>
  (await dataSource.getRepository(DatasourceEntity).findOneByOrFail({ id })).sealedSecrets;

describe('secrets of sources', () => {
  it('are stored with their datasource, and kept by an upsert without secrets', async () => {
    const { id } = await source({ customId: 'drive' });
    expect(await secretsOf(id)).toEqual({ token: 'one' });
    const upsert = {
      ...(await tenant.newText()),
      type: 'source',
      customId: 'drive',
      isUpsert: true,
      content: null,
    } as const;
    await tenant.datasources.write(tenant.scope, [upsert]);
    expect(await secretsOf(id)).toEqual({ token: 'one' });
    await tenant.datasources.write(tenant.scope, [{ ...upsert, sealedSecrets: { key: 'two' } }]);
    expect(await secretsOf(id)).toEqual({ key: 'two' });
    expect(await secrets.hasSecrets()).toBe(true);
  });

  it('are replaced if they are still those that were in use, in their organization alone', async () => {
    const { id, organizationId } = await source();
    await secrets.replace({ organizationId, id }, 'token', 'former', 'lost');
    await secrets.replace({ organizationId, id }, 'unknown', '', 'lost');
    const { organizationId: other } = (await TestTenant.create(dataSource)).scope;
    await secrets.replace({ organizationId: other, id }, 'token', 'one', 'lost');
    expect(await secretsOf(id)).toEqual({ token: 'one' });
    await secrets.replace({ organizationId, id }, 'token', 'one', 'two');
    expect(await secretsOf(id)).toEqual({ token: 'two' });
  });

  it('are forgotten when their datasource is deleted', async () => {
    const { id } = await source();
    await tenant.datasources.markDeleted(tenant.scope, id);
    expect(await secretsOf(id)).toBeNull();
  });
});
