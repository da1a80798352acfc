import { loadConfig } from '@citewell/config';
import { type SourceConfig, sourceConfigSchema } from '@citewell/contracts/schemas';
import { describe, expect, it, jest } from '@jest/globals';
import { SecretError, Secrets } from './secrets/secrets.js';
import { SourceConnections } from './source-connections.js';

const CONFIG = loadConfig({
  CITEWELL_SECRET: 'a-secret-of-the-operator',
  FOLDERS: '/srv',
  SOURCE_PROGRAMS: '{"archive": ["python3", "/opt/archive.py"]}',
  RCLONE_PATH: '/opt/rclone',
  ALLOW_PRIVATE_NETWORKS: '10.0.0.0/8',
  CRAWL_USER_AGENT: 'Test',
  HTTP_PROXY: 'http://proxy:3128',
  NO_PROXY: 'internal',
});
const mailbox = (fields: object = {}): SourceConfig =>
  sourceConfigSchema.parse({ kind: 'mailbox', host: 'mail.example', user: 'me', ...fields });
const replace = jest.fn(() => Promise.resolve());
const connections = new SourceConnections(new Secrets(CONFIG), { replace }, CONFIG);

/** What is stored of a source whose secret was sealed with a configuration. */
async function stored(config: SourceConfig, organizationId = 'org') {
  return {
    id: 'source',
    organizationId,
    sealedSecrets: await connections.seal('org', config, { password: 'hunter2' }),
  };
}

describe('SourceConnections', () => {
  it('give a connector the secrets of its source, and what the settings say', async () => {
    const source = await stored(mailbox());
    expect(JSON.stringify(source)).not.toContain('hunter2');
    const { saveSecret: _, ...context } = await connections.contextOf(source, mailbox());
    expect(context).toEqual({
      secrets: { password: 'hunter2' },
      folders: ['/srv'],
      programs: { archive: ['python3', '/opt/archive.py'] },
      rclonePath: '/opt/rclone',
      allowPrivateNetworks: ['10.0.0.0/8'],
      userAgent: 'Test',
      proxy: { url: 'http://proxy:3128', httpUrl: 'http://proxy:3128', bypass: ['internal'] },
    });
    expect(await connections.contextOf({ ...source, sealedSecrets: null }, mailbox())).toMatchObject({
      secrets: {},
    });
  });

  it.each([
    ['another host', { host: 'evil.example' }],
    ['another port', { port: 1143 }],
    ['less encryption', { security: 'none' }],
    ['another account', { user: 'you' }],
  ])('do not open a secret for %s', async (_, change) => {
    const source = await stored(mailbox());
    const opening = connections.contextOf(source, mailbox(change));
    await expect(opening).rejects.toThrow(SecretError);
    await expect(opening).rejects.toThrow(/The secret password was stored for another address/);
  });

  it('do not open a secret for another option of a storage, or for another organization', async () => {
    const storage = (url: string): SourceConfig =>
      sourceConfigSchema.parse({ kind: 'storage', provider: 'webdav', options: { vendor: 'other', url } });
    const source = await stored(storage('https://a.example'));
    expect(await connections.contextOf(source, storage('https://a.example'))).toMatchObject({
      secrets: { password: 'hunter2' },
    });
    await expect(connections.contextOf(source, storage('https://b.example'))).rejects.toThrow(SecretError);
    const elsewhere = { ...source, organizationId: 'other' };
    await expect(connections.contextOf(elsewhere, storage('https://a.example'))).rejects.toThrow(SecretError);
  });

  it('open a secret after a change of what is listed, whatever the order of the fields', async () => {
    const source = await stored(mailbox({ folders: ['INBOX'], include: ['*.pdf'] }));
    const changed = { user: 'me', since: '2026-01-01', host: 'mail.example', kind: 'mailbox', schedule: '' };
    const { secrets } = await connections.contextOf(source, changed as SourceConfig);
    expect(secrets).toEqual({ password: 'hunter2' });
  });

  it('store what a source renews in place of what was in use, each time', async () => {
    const source = await stored(mailbox());
    const { saveSecret } = await connections.contextOf(source, mailbox());
    await saveSecret('password', 'second');
    await saveSecret('password', 'third');
    const calls = replace.mock.calls as unknown as [object, string, string, string][];
    expect(calls.map(([where, name, former]) => [where, name, former])).toEqual([
      [{ organizationId: 'org', id: 'source' }, 'password', source.sealedSecrets['password']],
      [{ organizationId: 'org', id: 'source' }, 'password', calls[0]?.[3]],
    ]);
    const renewed = { ...source, sealedSecrets: { password: calls[1]?.[3] ?? '' } };
    expect((await connections.contextOf(renewed, mailbox())).secrets).toEqual({ password: 'third' });
  });
});
