import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Datasource,
  datasourceSchema,
  sourceCheckSchema,
  sourceKindInfoSchema,
} from '@citewell/contracts/schemas';
import { ConfluenceServer, GitHost } from '@citewell/testing/source-servers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import type { ApiResponse } from '../client/api-response.js';
import { Tenant } from '../client/tenant.js';
import type { Deployment } from '../deployments/deployment.js';
import { describeDeployment } from '../deployments/describe-deployment.js';
import { join as joinTeam } from '../client/join.js';
import { ConnectedSource } from '../fixtures/connected-source.js';
import { FeedServer } from '../fixtures/feed-server.js';
import { placesOf } from '../fixtures/secret-search.js';

const TOKEN = 'tok-5d41402abc4b2a76';
const NEW_TOKEN = 'tok-7d793037a0760186';

/** A program that gives the files of the folder in SETTINGS, if SECRET is right. If there is a file .lines, it is the list. */
const PROGRAM = `
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const answer = (line) => console.log(JSON.stringify(line));
const folder = process.env.SETTINGS;
for await (const line of createInterface({ input: process.stdin })) {
  const { request, id } = JSON.parse(line);
  if (process.env.SECRET !== '${TOKEN}')
    answer({ error: 'denied', message: 'The secret ' + process.env.SECRET + ' is wrong. ' + Object.keys(process.env).join() });
  else if (request === 'check') answer({ done: true, message: 'It has ' + readdirSync(folder).length + ' files.' });
  else if (request === 'inventory') {
    const lines = folder + '/.lines';
    if (existsSync(lines)) console.log(readFileSync(lines, 'utf8'));
    else for (const name of readdirSync(folder))
      answer({ document: { id: name, path: name, version: readFileSync(folder + '/' + name, 'utf8') } });
    answer({ done: true, cursor: null });
  } else {
    answer({ version: readFileSync(folder + '/' + id, 'utf8') });
    answer({ content: readFileSync(folder + '/' + id, 'base64') });
    answer({ done: true });
  }
}`;

const textOf = ({ text }: ApiResponse): string => text;

describeDeployment('connected sources', (start) => {
  let deployment: Deployment;
  let tenant: Tenant;
  let root: string;
  let git: GitHost;
  beforeAll(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'connected-')));
    await writeFile(join(root, 'program.mjs'), PROGRAM);
    git = await GitHost.start();
    deployment = await start({
      ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8',
      SOURCE_PROGRAMS: JSON.stringify({ archive: [process.execPath, join(root, 'program.mjs')] }),
      RCLONE_PATH: join(root, 'no-rclone'),
      EMBEDDING_MODEL: 'none',
      CITEWELL_SECRET: 'a-secret-of-the-operator',
      OPENAI_API_KEY: '',
    });
    tenant = await Tenant.create(deployment);
  });
  afterAll(async () => {
    await deployment.stop();
    await git.stop();
    await rm(root, { recursive: true, force: true });
  });
  const errorOf = ({ error }: Datasource): unknown => [error?.code, error?.message];
  const patch = (id: string, body: object) => tenant.api.patch(`/datasources/${id}`, body);
  type Person = Awaited<ReturnType<typeof joinTeam>>;
  const emailsOf = async (people: readonly Person[]): Promise<string[]> => {
    const all = (await tenant.api.get('/people?limit=100')).as(
      z.array(z.looseObject({ id: z.string(), email: z.string() })),
    );
    return people.map(({ personId }) => all.find(({ id }) => id === personId)?.email ?? '');
  };
  /** Which of the people find the text with its number. */
  const whoFinds = (
    { datastoreId }: ConnectedSource,
    question: string,
    people: readonly Pick<Tenant, 'search'>[],
  ): Promise<boolean[]> =>
    Promise.all(
      people.map(async (person) =>
        (await person.search(datastoreId, question)).some(({ text }) => text.includes('ninety')),
      ),
    );

  it('are offered with their fields, or with the reason why not', async () => {
    const kinds = (await tenant.api.get('/sources/kinds')).as(z.array(sourceKindInfoSchema.strict()));
    expect(Object.fromEntries(kinds.map(({ kind, problem }) => [kind, problem]))).toEqual({
      folder: expect.stringContaining('FOLDERS'),
      storage: expect.stringMatching(/could not start rclone .*rclone\.org\/install.*RCLONE_PATH/),
      feed: null,
      mailbox: null,
      repository: null,
      confluence: null,
      notion: null,
      program: null,
    });
    const [, storage, feed, mailbox, , , , program] = kinds;
    expect(storage?.providers?.['sftp']?.secrets).toMatchObject({ pass: 'Password' });
    expect([feed?.secrets, mailbox?.secrets['password'], program?.programs]).toEqual([
      {},
      'Password',
      ['archive'],
    ]);
    expect(mailbox?.schema).toMatchObject({ required: ['kind', 'host', 'user'] });
    const missing = await tenant.api.post('/sources/check', {
      config: { kind: 'storage', provider: 'webdav', options: { url: 'https://a.example' } },
    });
    expect(missing.assertError('INVALID_REQUEST').message).toMatch(/rclone\.org\/install/);
  });

  it('follow a feed, whose old entries stay, also while it fails', async () => {
    const feed = await FeedServer.start();
    feed.entries.set('storm', 'A storm warning for the harbour.');
    feed.entries.set('tide', 'The tide is high at noon.');
    const source = await ConnectedSource.connect(tenant, { kind: 'feed', url: feed.url, linkedPages: false });
    expect(await source.finished()).toMatchObject({ status: 'synched', error: null, secrets: [] });
    expect(Object.values(await source.documents())).toHaveLength(2);
    feed.entries.set('tide', 'The tide is low at noon.');
    feed.entries.delete('storm');
    await source.sync();
    expect(await source.found('tide')).toEqual([expect.stringContaining('low at noon')]);
    expect(Object.values(await source.documents())).toHaveLength(2);
    feed.isBroken = true;
    await source.failToSync();
    expect(Object.values(await source.documents())).toHaveLength(2);
    feed.stop();
  });

  describe('with a secret', () => {
    beforeEach(() => {
      git.password = TOKEN;
      git.intercept = () => false;
      for (const path of git.files.keys()) git.remove(path);
      for (const n of [1, 2, 3, 4]) git.write(`docs/${n}.md`, `# Pier ${n}\n\nPier ${n} is made of wood.`);
    });
    const connect = (token?: string): Promise<ConnectedSource> =>
      ConnectedSource.connect(
        tenant,
        { kind: 'repository', url: git.url, include: ['docs/**'] },
        token === undefined ? undefined : { token },
      );

    it('follow a repository; what is removed there is removed here, unless the list fails', async () => {
      const source = await connect(TOKEN);
      expect(await source.finished()).toMatchObject({ status: 'synched', error: null, secrets: ['token'] });
      expect(Object.keys(await source.documents())).toHaveLength(4);
      git.remove('docs/4.md');
      await source.sync();
      expect(Object.keys(await source.documents())).toEqual(
        expect.not.arrayContaining([expect.stringContaining('4.md')]),
      );
      git.intercept = (_, response) => (response.writeHead(503).end(), true);
      await source.failToSync();
      expect(Object.keys(await source.documents())).toHaveLength(3);
    });

    it('say that it is wrong, and run again when it is replaced', async () => {
      const source = await connect('wrong-5d41402abc4b');
      expect(errorOf(await source.finished())).toEqual(['SOURCE_DENIED', expect.any(String)]);
      const changed = (await patch(source.id, { secrets: { token: TOKEN } })).as(datasourceSchema.strict());
      expect(changed.secrets).toEqual(['token']);
      expect(await source.finished()).toMatchObject({ status: 'synched', error: null });
      expect(Object.keys(await source.documents())).toHaveLength(4);
      // A source whose secret expires keeps its documents.
      git.password = NEW_TOKEN;
      expect(errorOf(await source.sync())).toEqual(['SOURCE_DENIED', expect.any(String)]);
      expect(await source.found('wooden pier')).toHaveLength(4);
      (await patch(source.id, { secrets: { token: NEW_TOKEN } })).assertOk();
      expect(await source.finished()).toMatchObject({ status: 'synched', error: null });
      (await patch(source.id, { secrets: { token: null } })).assertOk();
      expect(await source.finished()).toMatchObject({ secrets: [], error: { code: 'SOURCE_DENIED' } });
    });

    it('are tested with the stored secret, at the same address alone', async () => {
      const source = await connect(TOKEN);
      await source.finished();
      const check = (fields: object) =>
        tenant.api.post('/sources/check', {
          config: { kind: 'repository', url: git.url, include: ['docs/1*'], ...fields },
          datasourceId: source.id,
        });
      expect((await check({})).as(sourceCheckSchema.strict())).toMatchObject({ found: 1, leftOut: 3 });
      const thief = await GitHost.start();
      const seen: string[] = [];
      thief.intercept = ({ headers }) => (seen.push(headers.authorization ?? 'none'), false);
      await check({ url: thief.url });
      await check({ user: 'somebody' });
      expect(seen.every((header) => header === 'none')).toBe(true);
      for (const config of [{ url: thief.url }, { user: 'somebody' }]) {
        const refused = (await patch(source.id, { config })).assertError('INVALID_REQUEST');
        expect(refused.message).toMatch(/secrets\.token must be given again/);
      }
      const body = { type: 'source', datastoreId: source.datastoreId, custom_id: 'same', upsert: true };
      const config = { kind: 'repository', schedule: '', url: git.url };
      const first = await tenant.api.post('/datasources', { ...body, config, secrets: { token: TOKEN } });
      const { id } = first.as(datasourceSchema);
      await tenant.api.post('/datasources', { ...body, config: { ...config, url: thief.url } });
      expect((await tenant.datasource(id)).id).toBe(id);
      await thief.stop();
      const other = await Tenant.create(deployment);
      const stolen = await other.api.post('/sources/check', { config, datasourceId: source.id });
      stolen.assertError('NOT_FOUND');
      expect(seen.every((header) => header === 'none')).toBe(true);
    });

    it('get no secret that their kind does not have', async () => {
      const source = await connect();
      await source.finished();
      (await patch(source.id, { secrets: { password: 'x' } })).assertError('INVALID_REQUEST');
      (await patch(source.id, { config: { host: 'a.example' } })).assertError('INVALID_REQUEST');
      (await patch(source.id, { config: { url: 'file:///etc' } })).assertError('INVALID_REQUEST');
      const config = { kind: 'feed', url: 'https://a.example/' };
      (await tenant.api.post('/sources/check', { config, secrets: { token: 'x' } })).assertError(
        'INVALID_REQUEST',
      );
    });
  });

  it('run a program of the operator with its own secret, and with no other variable', async () => {
    const folder = await mkdtemp(join(root, 'archive-'));
    await writeFile(join(folder, 'a.txt'), 'The archive has twelve shelves.');
    const config = { kind: 'program', program: 'archive', settings: folder };
    const other = await tenant.api.post('/sources/check', { config: { ...config, program: 'node' } });
    expect(other.assertError('INVALID_REQUEST').message).toMatch(/does not allow a program named node/);
    const wrong = await tenant.api.post('/sources/check', {
      config,
      secrets: { secret: 'guess-5d41402abc' },
    });
    expect(wrong.assertError('INVALID_REQUEST').message).toMatch(
      /^The secret ••• is wrong\. (?:PATH|LANG|SETTINGS|SECRET|PWD|SHLVL|_|,)+$/,
    );
    const source = await ConnectedSource.connect(tenant, config, { secret: TOKEN });
    expect(await source.finished()).toMatchObject({ name: 'archive', status: 'synched', error: null });
    expect(await source.found('archive shelves')).toEqual(['The archive has twelve shelves.']);
  });

  it('show documents to those whom a program names, and to members of its groups', async () => {
    const folder = await mkdtemp(join(root, 'archive-'));
    const [secret, open] = ['The vault has ninety coins.', 'The vault has one door.'];
    await writeFile(join(folder, 'secret.txt'), secret);
    await writeFile(join(folder, 'open.txt'), open);
    const people = [
      await joinTeam(tenant, 'owner'),
      await joinTeam(tenant, 'member'),
      await joinTeam(tenant, 'editor'),
    ];
    const [ada = '', bob = ''] = await emailsOf(people);
    const lists = async (readers: string[], members: string[]): Promise<void> => {
      const documents = [
        { id: 'open.txt', path: 'open.txt', version: open },
        {
          id: 'secret.txt',
          path: 'secret.txt',
          version: secret,
          access: { people: readers, groups: ['Board'] },
        },
      ].map((document) => ({ document }));
      const lines = [...documents, { group: { name: 'Board', people: members } }];
      await writeFile(join(folder, '.lines'), lines.map((line) => JSON.stringify(line)).join('\n'));
    };
    await lists([ada.toUpperCase()], [bob]);
    const config = { kind: 'program', program: 'archive', settings: folder };
    const source = await ConnectedSource.connect(tenant, config, { secret: TOKEN });
    expect(await source.finished()).toMatchObject({ status: 'synched', error: null });
    const readers = (): Promise<boolean[]> => whoFinds(source, 'coins of the vault', [...people, tenant]);
    expect(await readers()).toEqual([true, true, false, false]);
    await lists([], [bob]);
    await source.sync();
    expect(await readers()).toEqual([false, true, false, false]);
    await lists([], [ada]);
    await source.sync();
    expect(await readers()).toEqual([true, false, false, false]);
  });

  it('show a page of Confluence to those whom its restriction and its space name', async () => {
    const server = await ConfluenceServer.start({ isCloud: true });
    const people = [await joinTeam(tenant, 'member'), await joinTeam(tenant, 'editor')];
    for (const [index, email] of (await emailsOf(people)).entries())
      server.users.set(`u${index}`, { email, name: `u${index}` });
    server.spaces.set('DOCS', { id: '7', readers: { groups: ['crew'] } });
    server.groups.set('crew', ['u0', 'u1']);
    const page = server.add({
      title: 'Safe',
      content: '<p>The safe has ninety pearls.</p>',
      readers: { users: ['u0'] },
    });
    const config = { kind: 'confluence', url: server.url, user: 'me@example.org' };
    server.authorization = `Basic ${Buffer.from(`${config.user}:${TOKEN}`).toString('base64')}`;
    const source = await ConnectedSource.connect(tenant, config, { token: TOKEN });
    expect(await source.finished()).toMatchObject({ name: '127.0.0.1', status: 'synched', error: null });
    const readers = (): Promise<boolean[]> => whoFinds(source, 'pearls of the safe', [...people, tenant]);
    expect(await readers()).toEqual([true, false, false]);
    // Only who has the token may show to all what it can read.
    const forAll = { config: { ...config, permissions: false }, datasourceId: source.id };
    (await tenant.api.post('/sources/check', forAll)).assertError('INVALID_REQUEST');
    (await patch(source.id, { config: { permissions: false } })).assertError('INVALID_REQUEST');
    page.readers = { users: ['u1'] };
    await source.sync();
    expect(await readers()).toEqual([false, true, false]);
    server.groups.set('crew', ['u0']);
    await source.sync();
    expect(await readers()).toEqual([false, false, false]);
    await server.stop();
  });

  it('refuse private networks that are not allowed', async () => {
    for (const host of ['10.0.0.1', '169.254.169.254', '192.168.1.1'])
      for (const config of [
        { kind: 'feed', url: `http://${host}/` },
        { kind: 'repository', url: `http://${host}/r` },
        { kind: 'confluence', url: `http://${host}/wiki` },
        { kind: 'mailbox', host, user: 'u' },
      ]) {
        const refused = await tenant.api.post('/sources/check', { config });
        expect(refused.assertError('INVALID_REQUEST').message).toMatch(/private network/);
      }
  });

  it('never show a secret: not in responses, the audit log, exports, jobs, logs, or the database', async () => {
    const { api } = tenant;
    const source = await ConnectedSource.connect(
      tenant,
      { kind: 'repository', url: git.url },
      { token: TOKEN },
    );
    await source.finished();
    const texts: string[] = [];
    for (const path of [
      `/datasources/${source.id}`,
      `/datasources?datastoreId=${source.datastoreId}`,
      `/datasources/${source.id}/runs`,
      '/audit-events?limit=100',
      '/exports/audit-events',
      '/sources/kinds',
    ])
      texts.push(textOf(await api.get(path)));
    texts.push(textOf(await patch(source.id, { secrets: { token: TOKEN } })));
    texts.push(textOf(await patch(source.id, { secrets: { other: TOKEN } })));
    await source.finished();
    const repeated = { 'idempotency-key': 'same-request' };
    const body = {
      type: 'source',
      datastoreId: source.datastoreId,
      config: { kind: 'repository', url: git.url, schedule: '' },
      secrets: { token: TOKEN },
    };
    for (let times = 0; times < 2; times += 1)
      texts.push(textOf(await api.post('/datasources', body, repeated)));
    texts.push(textOf(await api.delete(`/datasources/${source.id}`)));
    expect(texts.filter((text) => text.includes(TOKEN))).toEqual([]);
    expect(await placesOf(TOKEN, deployment)).toEqual([]);
    expect(texts[0]).toContain('"secrets":["token"]');
  });
});
