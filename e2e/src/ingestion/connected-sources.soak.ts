import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sourceKindInfoSchema } from '@citewell/contracts/schemas';
import { type Dovecot, freePort, RCLONE, RcloneServer, startDovecot } from '@citewell/testing/source-servers';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { z } from 'zod';
import { Tenant } from '../client/tenant.js';
import type { Deployment } from '../deployments/deployment.js';
import { describeDeployment } from '../deployments/describe-deployment.js';
import { ConnectedSource } from '../fixtures/connected-source.js';
import { append, imap, MAIL_PASSWORD } from '../fixtures/mail-commands.js';
import { placesOf } from '../fixtures/secret-search.js';

const DAV_PASSWORD = 'pass-5d41402abc4b2a76';

describeDeployment('sources of installed partners', (start) => {
  let deployment: Deployment;
  let tenant: Tenant;
  let dovecot: Dovecot;
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'partners-'));
    dovecot = await startDovecot();
    deployment = await start({
      ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8',
      RCLONE_PATH: RCLONE,
      EMBEDDING_MODEL: 'none',
      CITEWELL_SECRET: 'a-secret-of-the-operator',
    });
    tenant = await Tenant.create(deployment);
  });
  afterAll(async () => {
    await deployment.stop();
    await dovecot.stop();
    await rm(root, { recursive: true, force: true });
  });
  const patch = (id: string, body: object) => tenant.api.patch(`/datasources/${id}`, body);

  it('a mailbox: messages arrive and go, and a wrong password is replaced', async () => {
    await imap(dovecot.port, [
      append('Offer', 'The crane costs 900 euros.'),
      append('Invoice', 'Pay by May.'),
    ]);
    const config = {
      kind: 'mailbox',
      host: '127.0.0.1',
      port: dovecot.port,
      security: 'none',
      user: 'reader',
    };
    const source = await ConnectedSource.connect(tenant, config, { password: 'wrong' });
    expect(await source.finished()).toMatchObject({ name: 'reader', error: { code: 'SOURCE_DENIED' } });
    (await patch(source.id, { secrets: { password: MAIL_PASSWORD } })).assertOk();
    expect(await source.finished()).toMatchObject({ status: 'synched', error: null, secrets: ['password'] });
    expect(await source.found('crane')).toEqual([expect.stringContaining('900 euros')]);
    const { length } = Object.keys(await source.documents());
    expect(length).toBe(2);
    await imap(dovecot.port, ['SELECT INBOX', 'STORE 1 +FLAGS (\\Deleted)', 'EXPUNGE']);
    await source.sync();
    expect(Object.keys(await source.documents())).toEqual([expect.stringContaining('Invoice')]);
  });

  it('a storage: files arrive and go, and nothing goes while it is away', async () => {
    const kinds = (await tenant.api.get('/sources/kinds')).as(z.array(sourceKindInfoSchema.strict()));
    expect(kinds.find(({ kind }) => kind === 'storage')?.problem).toBeNull();
    const folder = join(root, 'served');
    await mkdir(join(folder, 'reports'), { recursive: true });
    for (const n of [1, 2, 3, 4])
      await writeFile(join(folder, `reports/${n}.txt`), `Report ${n} is about fog.`);
    const port = await freePort();
    const login = { user: 'someone', password: DAV_PASSWORD };
    let server = await RcloneServer.start('webdav', folder, port, login);
    const config = {
      kind: 'storage',
      provider: 'webdav',
      options: { url: `http://127.0.0.1:${port}/`, vendor: 'rclone', user: 'someone' },
    };
    const denied = await tenant.api.post('/sources/check', { config, secrets: { pass: 'wrong' } });
    denied.assertError('INVALID_REQUEST');
    const source = await ConnectedSource.connect(tenant, config, { pass: DAV_PASSWORD });
    expect(await source.finished()).toMatchObject({ status: 'synched', error: null });
    expect(Object.keys(await source.documents())).toHaveLength(4);
    await rm(join(folder, 'reports/4.txt'));
    await source.sync();
    expect(Object.keys(await source.documents())).toHaveLength(3);
    await server.stop();
    await source.failToSync();
    expect(await source.found('fog')).toHaveLength(3);
    const changed = await patch(source.id, {
      config: { options: { ...config.options, url: 'http://127.0.0.2:1/' } },
    });
    expect(changed.assertError('INVALID_REQUEST').message).toMatch(/secrets\.pass must be given again/);
    server = await RcloneServer.start('webdav', folder, port, login);
    expect(await source.sync()).toMatchObject({ status: 'synched', error: null });
    expect(await placesOf(DAV_PASSWORD, deployment)).toEqual([]);
    await server.stop();
  });

  it('a storage in a private network that is not allowed is refused', async () => {
    for (const [provider, options, secrets] of [
      ['webdav', { url: 'http://10.0.0.1/' }, {}],
      ['s3', { endpoint: 'http://169.254.169.254/', access_key_id: 'x' }, { secret_access_key: 'x' }],
      ['sftp', { host: '192.168.1.1', user: 'u' }, { pass: 'x' }],
      ['ftp', { host: '10.0.0.1' }, { pass: 'x' }],
      ['smb', { host: '10.0.0.1' }, { pass: 'x' }],
      ['azureblob', { account: 'a', endpoint: 'http://10.0.0.1/' }, { key: 'eA==' }],
      ['swift', { auth: 'http://10.0.0.1/v3', user: 'u' }, { key: 'x' }],
      ['seafile', { url: 'http://10.0.0.1/', user: 'u' }, { pass: 'x' }],
      ['koofr', { provider: 'other', endpoint: 'https://10.0.0.1', user: 'u' }, { password: 'x' }],
      ['pcloud', { hostname: '10.0.0.1' }, { token: '{"access_token":"a","expiry":"2099-01-01T00:00:00Z"}' }],
    ] as const) {
      const config = { kind: 'storage', provider, options };
      const refused = await tenant.api.post('/sources/check', { config, secrets });
      expect([provider, refused.assertError('INVALID_REQUEST').message]).toEqual([
        provider,
        expect.stringContaining('private network'),
      ]);
    }
  });
});
