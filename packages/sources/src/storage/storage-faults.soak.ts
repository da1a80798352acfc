import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { STORAGE_PROVIDERS } from '@citewell/contracts/schemas';
import type { SourceContext } from '../open-source.js';
import type { SourceDocument } from '../source.js';
import { type DavServer, startDavServer } from './dav-server.fixtures.js';
import { type Protocol, RCLONE } from '@citewell/testing/source-servers';
import { LOOPBACK, makeStorageWorld } from './rclone-server.fixtures.js';
import { StorageSource } from './storage.source.js';

const never = new AbortController().signal;

describe('a storage with faults', () => {
  let dav: DavServer;
  const opened: StorageSource[] = [];
  beforeEach(async () => {
    dav = await startDavServer();
    dav.files.set('/a/', '').set('/a/one.txt', 'one').set('/b/', '').set('/b/two.txt', 'two');
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((source) => source.close()));
    await dav.close();
  });
  async function open(context: Partial<SourceContext> = {}): Promise<StorageSource> {
    const source = await StorageSource.open(
      { kind: 'storage', provider: 'webdav', options: { url: dav.url, user: 'someone' }, path: '' },
      {
        folders: [],
        secrets: { pass: 'secret' },
        allowPrivateNetworks: LOOPBACK,
        rclonePath: RCLONE,
        ...context,
      },
    );
    opened.push(source);
    return source;
  }
  async function inventory(source: StorageSource) {
    const documents: SourceDocument[] = [];
    const skipped: string[] = [];
    for await (const page of source.inventory(null, never)) {
      documents.push(...page.documents);
      skipped.push(...page.skipped.map(({ path, isFolder }) => `${path} ${isFolder}`));
      if (page.cursor === null) return { paths: documents.map(({ path }) => path), skipped };
    }
    throw new Error('the inventory has no end');
  }

  it.each([
    [{ status: 429, headers: { 'retry-after': '1' } }, 'limited'],
    [{ status: 500 }, 'unavailable'],
    [{ status: 401 }, 'denied'],
    ['half', 'unavailable'],
  ] as const)(
    'fails when it stops in the middle by %j',
    async (fault, kind) => {
      const source = await open();
      dav.faults.set('/b/', fault);
      if (kind === 'denied') dav.faults.set('/', fault);
      await expect(inventory(source)).rejects.toMatchObject({ name: 'SourceError', kind });
      dav.faults.clear();
      expect(await inventory(source)).toEqual({ paths: ['a/one.txt', 'b/two.txt'], skipped: [] });
    },
    60_000,
  );

  it.each([403, 404])('names a folder that answers %d, and lists the others', async (status) => {
    dav.faults.set('/a/', { status });
    expect(await inventory(await open())).toEqual({ paths: ['b/two.txt'], skipped: ['a true'] });
  });

  it('fails a document that is changed or cut off while it is read', async () => {
    const source = await open();
    dav.onGet = () => dav.files.set('/a/one.txt', 'more than one');
    const read = async () => buffer((await source.fetch({ path: 'a/one.txt' }, never)).content);
    await expect(read()).rejects.toMatchObject({ kind: 'changed' });
    dav.onGet = () => undefined;
    dav.files.set('/a/one.txt', 'x'.repeat(1_000_000));
    dav.faults.set('/a/one.txt', 'half');
    await expect(read()).rejects.toMatchObject({ name: 'SourceError' });
  }, 60_000);

  it('stops a document when the signal is aborted', async () => {
    dav.files.set('/a/one.txt', 'x'.repeat(20_000_000));
    const source = await open();
    const controller = new AbortController();
    const { content } = await source.fetch({ path: 'a/one.txt' }, controller.signal);
    content.once('data', () => controller.abort(new Error('enough')));
    await expect(buffer(content)).rejects.toThrow('enough');
  });

  it('follows no redirect into a private network', async () => {
    const hits: string[] = [];
    const server = createServer((request, response) => {
      hits.push(request.url ?? '');
      response.end();
    }).listen(0, '127.0.0.2');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    dav.faults.set('/a/one.txt', { status: 302, headers: { location: `http://127.0.0.2:${port}/` } });
    const source = await open({ allowPrivateNetworks: ['127.0.0.1/32'] });
    await expect(source.fetch({ path: 'a/one.txt' }, never)).rejects.toMatchObject({ name: 'SourceError' });
    expect(hits).toEqual([]);
    server.close();
  }, 60_000);

  it('says that rclone is missing, too old, or has ended', async () => {
    await expect(open({ rclonePath: '/nowhere/rclone' })).rejects.toMatchObject({
      kind: 'denied',
      message: expect.stringMatching(/could not start rclone .*RCLONE_PATH/),
    });
    const folder = await mkdtemp(join(tmpdir(), 'old-rclone-'));
    const old = join(folder, 'rclone');
    await writeFile(old, '#!/bin/sh\necho "Error: unknown flag: --http-proxy" >&2\nexit 1\n');
    await chmod(old, 0o755);
    await expect(open({ rclonePath: old })).rejects.toMatchObject({
      message: expect.stringContaining('unknown flag'),
    });
    await rm(folder, { recursive: true });
  });

  it('has no secret in the arguments of a process', async () => {
    await open({ secrets: { pass: 'a secret in arguments' } });
    expect(execFileSync('ps', ['-eo', 'args']).toString()).not.toContain('a secret in arguments');
  });
});

describe.each<Protocol>(['webdav', 'sftp', 'ftp', 's3'])('%s', (protocol) => {
  it('says what is wrong, without secrets', async () => {
    const world = await makeStorageWorld(protocol);
    const failure = async (...changes: Parameters<typeof world.openWith>): Promise<unknown> => {
      const source = await world.openWith(...changes).catch((error: unknown) => error);
      if (!(source instanceof StorageSource)) return source;
      const error = await source.check(never).catch((reason: unknown) => reason);
      await source.close();
      return error;
    };
    const name = Object.keys(world.secrets)[0] ?? '';
    const wrong = await failure({}, { secrets: { [name]: 'not the secret' } });
    expect(wrong).toMatchObject({ kind: 'denied', message: expect.not.stringContaining('not the secret') });
    expect(await failure({}, { allowPrivateNetworks: [] })).toMatchObject({
      kind: 'denied',
      message: expect.stringContaining('ALLOW_PRIVATE_NETWORKS'),
    });
    if (protocol !== 's3')
      expect(await failure({ path: 'nothing/here' })).toMatchObject({
        message: 'The storage has no such folder.',
      });
    await world.stop();
  }, 60_000);
});

it('connects to no private network by SMB', async () => {
  const opening = StorageSource.open(
    { kind: 'storage', provider: 'smb', options: { host: 'localhost' }, path: '' },
    { folders: [], secrets: {}, rclonePath: RCLONE },
  );
  await expect(opening).rejects.toMatchObject({ kind: 'denied' });
});

it('describes options and secrets as rclone does', () => {
  interface Backend {
    readonly Prefix: string;
    readonly Options: readonly { readonly Name: string; readonly IsPassword: boolean }[];
  }
  const backends = JSON.parse(
    execFileSync(RCLONE, ['config', 'providers', '--config='], { maxBuffer: 16_000_000 }).toString(),
  ) as Backend[];
  for (const [provider, { options, secrets }] of Object.entries(STORAGE_PROVIDERS)) {
    const known = new Map(
      backends
        .find(({ Prefix }) => Prefix === provider)
        ?.Options.map(({ Name, IsPassword }) => [Name, IsPassword]),
    );
    for (const name of Object.keys(options))
      expect([provider, name, known.get(name)]).toEqual([provider, name, false]);
    for (const name of Object.keys(secrets))
      expect([provider, name, known.has(name)]).toEqual([provider, name, true]);
  }
});
