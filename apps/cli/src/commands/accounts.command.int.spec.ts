import { loadConfig } from '@citewell/config';
import {
  AccountRepository,
  createDataSource,
  describeKey,
  newId,
  OrganizationRepository,
  PasswordResetRepository,
  PersonRepository,
  TenantScope,
} from '@citewell/database';
import { PostgresServer } from '@citewell/database/embedded';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run as migrate } from './migrate.command.js';
import { run } from './accounts.command.js';

const EMAIL = 'grace@example.com';
let directory: string;
let server: PostgresServer;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'citewell-accounts-command-'));
  const config = loadConfig({ CITEWELL_DATA_DIR: directory });
  await migrate([], { config, output: { write: () => undefined } });
  server = await PostgresServer.start({ directory, fsync: false });
});
afterAll(async () => {
  await server.stop();
  await rm(directory, { recursive: true, force: true });
});

it('citewell accounts reset prints a link that sets a password once', async () => {
  const dataSource = await createDataSource({
    url: server.url,
    poolSize: 2,
    applicationName: 'test',
  }).initialize();
  const key = { name: 'k', prefix: 'cw_', hash: newId(), scopes: ['admin'] };
  const { id } = await new OrganizationRepository(dataSource).create({ name: 'o' }, key);
  const link = { linkHash: newId(), linkExpiresAt: new Date(Date.now() + 60_000) };
  await new PersonRepository(dataSource).invite(new TenantScope(id), {
    email: EMAIL,
    role: 'owner',
    ...link,
  });
  const accounts = new AccountRepository(dataSource);
  await accounts.redeemLink(link.linkHash, { passwordHash: 'before', name: null });

  let text = '';
  const config = loadConfig({ DATABASE_URL: server.url, PUBLIC_URL: 'https://answers.example.com/' });
  const options = { config, output: { write: (part: string) => (text += part) } };
  expect(await run(['reset', ` Grace@Example.com `], options)).toBe(0);
  const token = /^https:\/\/answers\.example\.com\/#reset=(\S+)\n$/.exec(text)?.[1] ?? '';
  const resets = new PasswordResetRepository(dataSource);
  const { hash } = describeKey(token);
  expect(await resets.redeem(hash, 'after')).not.toBeNull();
  expect(await resets.redeem(hash, 'again')).toBeNull();
  expect((await accounts.withEmail(EMAIL))?.passwordHash).toBe('after');
  await expect(run(['reset', 'nobody@example.com'], options)).rejects.toThrow(/no account/);
  await expect(run(['list', EMAIL], options)).rejects.toThrow(/only action/);
  await dataSource.destroy();
});
