import { buffer } from 'node:stream/consumers';
import type { RepositorySourceConfig } from '@citewell/contracts/schemas';
import { GitHost } from '@citewell/testing/source-servers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sourceConformance, type SourceWorld } from '../source.conformance.js';
import type { InventoryPage } from '../source.js';
import { RepositorySource } from './repository.source.js';

const LOOPBACK = ['127.0.0.0/8'];
const never = new AbortController().signal;

function open(
  host: GitHost,
  config: Partial<RepositorySourceConfig> = {},
  token = '',
): Promise<RepositorySource> {
  return RepositorySource.open(
    { kind: 'repository', url: host.url, ...config },
    { secrets: { token }, allowPrivateNetworks: LOOPBACK },
    0,
  );
}

async function makeWorld(): Promise<SourceWorld> {
  const host = await GitHost.start();
  return {
    open: () => open(host),
    write: async (path, content) => host.write(path, content),
    remove: async (path) => host.remove(path),
    rename: async (from, to) => {
      host.write(to, host.files.get(from)?.content ?? '');
      host.remove(from);
    },
    setReachable: async (isReachable) => {
      host.intercept = (request) => {
        if (!isReachable) request.socket.destroy();
        return !isReachable;
      };
    },
    stop: () => host.stop(),
  };
}

sourceConformance('repository', makeWorld);

describe('a repository', () => {
  let host: GitHost;
  const opened: RepositorySource[] = [];
  beforeEach(async () => {
    host = await GitHost.start();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((source) => source.close()));
    await host.stop();
  });
  async function openHere(
    config: Partial<RepositorySourceConfig> = {},
    token = '',
  ): Promise<RepositorySource> {
    const source = await open(host, config, token);
    opened.push(source);
    return source;
  }
  async function list(source: RepositorySource): Promise<InventoryPage> {
    for await (const page of source.inventory(null, never)) return page;
    throw new Error('no page');
  }
  const read = async (source: RepositorySource, path: string): Promise<string> => {
    const { content } = await source.fetch({ path }, never);
    return (await buffer(content)).toString();
  };

  it('skips links and submodules with a reason, and names a file in Git LFS', async () => {
    host.write('a.txt', 'a');
    host.write('link', '/etc/passwd', '120000');
    host.write('module', '1'.repeat(40), '160000');
    host.write('big.pdf', 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n');
    const source = await openHere();
    const { documents, skipped } = await list(source);
    expect(documents.map(({ path }) => path)).toEqual(['a.txt', 'big.pdf']);
    expect(skipped.map(({ path, reason }) => `${path}: ${reason}`)).toEqual([
      'link: It is a symbolic link.',
      'module: It is a submodule: another repository.',
    ]);
    await expect(read(source, 'big.pdf')).rejects.toMatchObject({ kind: 'unreadable' });
    await expect(read(source, 'link')).rejects.toMatchObject({ kind: 'gone' });
  });

  it('fetches files ahead when they are read in their order, and one that is read alone alone', async () => {
    for (let n = 100; n < 160; n += 1) host.write(`${n}.txt`, `content ${n}`);
    const source = await RepositorySource.open(
      { kind: 'repository', url: host.url },
      { secrets: {}, allowPrivateNetworks: LOOPBACK },
    );
    opened.push(source);
    await list(source);
    host.requests = 0;
    for (let n = 100; n < 160; n += 1) expect(await read(source, `${n}.txt`)).toBe(`content ${n}`);
    expect(host.requests).toBeLessThan(40);
  });

  it('links to the file at its commit', async () => {
    host.write('a b/c#.md', '');
    const source = await openHere({ link: 'https://git.example.org/x/{commit}/{path}' });
    expect((await list(source)).documents[0]?.url).toMatch(
      /^https:\/\/git\.example\.org\/x\/[\da-f]{40}\/a%20b\/c%23\.md$/,
    );
  });

  it('has a branch by its name, and says that one is missing', async () => {
    host.write('a.txt', 'a');
    host.commit('other/branch');
    expect((await list(await openHere({ branch: 'other/branch' }))).documents).toHaveLength(1);
    await expect(list(await openHere({ branch: 'none' }))).rejects.toMatchObject({ kind: 'denied' });
    await expect(list(await openHere())).rejects.toMatchObject({ kind: 'denied' });
  });

  it('needs its token, and does not send it to another host', async () => {
    host.password = 'pa55word';
    host.write('a.txt', 'a');
    expect(await read(await openHere({}, 'pa55word'), 'a.txt')).toBe('a');
    await expect(openHere({}, 'wrong')).rejects.toMatchObject({ kind: 'denied' });
    await expect(openHere()).rejects.toMatchObject({ kind: 'denied' });
    const other = await GitHost.start();
    let seen = 0;
    other.intercept = () => ((seen += 1), false);
    host.intercept = (_, response) => (
      response.writeHead(302, { location: `${other.url}/info/refs` }).end(),
      true
    );
    await expect(openHere({}, 'pa55word')).rejects.toMatchObject({
      kind: 'denied',
      message: expect.stringContaining('moved'),
    });
    expect(seen).toBe(0);
    await other.stop();
  });

  it.each([
    [404, {}, 'denied'],
    [200, { 'content-type': 'text/html' }, 'denied'],
    [503, {}, 'unavailable'],
    [429, { 'retry-after': '7' }, 'limited'],
  ])('tells a server that answers with %i and %j', async (status, headers, kind) => {
    host.intercept = (_, response) => (response.writeHead(status, headers).end(), true);
    await expect(openHere()).rejects.toMatchObject({
      kind,
      options: status === 429 ? { retryAfterMs: 7_000 } : {},
    });
  });

  it('does not connect to private networks that are not allowed', async () => {
    const opening = RepositorySource.open({ kind: 'repository', url: host.url }, { secrets: {} });
    await expect(opening).rejects.toMatchObject({ kind: 'denied' });
    expect(host.requests).toBe(0);
  });
});
