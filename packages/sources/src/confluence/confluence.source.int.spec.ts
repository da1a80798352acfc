import { buffer } from 'node:stream/consumers';
import type { ConfluenceSourceConfig } from '@citewell/contracts/schemas';
import { ConfluenceServer, type FakeContent } from '@citewell/testing/source-servers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sourceConformance } from '../source.conformance.js';
import type { SourceDocument, SourceGroup } from '../source.js';
import { CONTEXT, makeWorld, nameOf, textOf } from './confluence-world.fixtures.js';
import { ConfluenceSource } from './confluence.source.js';

const never = new AbortController().signal;

for (const isCloud of [true, false])
  sourceConformance(`confluence ${isCloud ? 'cloud' : 'data center'}`, () => makeWorld(isCloud), {
    many: 1_000,
    nameOf,
    textOf,
  });

describe.each([
  ['Cloud', true],
  ['Data Center', false],
])('Confluence %s', (_, isCloud) => {
  let server: ConfluenceServer;
  const opened: ConfluenceSource[] = [];
  beforeEach(async () => {
    server = await ConfluenceServer.start({ isCloud });
    server.spaces.set('DOCS', { id: '7', readers: { groups: ['crew'], users: ['dan'] } });
    server.groups.set('crew', ['ada', 'bob', 'cy', 'private']).set('board', ['bob']);
    for (const name of ['ada', 'bob', 'cy', 'dan'])
      server.users.set(name, { email: `${name.toUpperCase()}@example.org`, name: `${name} of the crew` });
    server.users.set('private', { email: '', name: 'Private' });
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((source) => source.close()));
    await server.stop();
  });
  function open(config: Partial<ConfluenceSourceConfig> = {}, context: object = CONTEXT): ConfluenceSource {
    const source = new ConfluenceSource(
      { kind: 'confluence', url: server.url, ...config },
      {
        ...CONTEXT,
        ...context,
      },
    );
    opened.push(source);
    return source;
  }
  async function list(source = open()): Promise<{ documents: SourceDocument[]; groups: SourceGroup[] }> {
    const documents: SourceDocument[] = [];
    const groups: SourceGroup[] = [];
    for await (const page of source.inventory(null, never)) {
      documents.push(...page.documents);
      groups.push(...(page.groups ?? []));
    }
    return { documents, groups };
  }
  const pathsOf = async (source = open()): Promise<string[]> =>
    (await list(source)).documents.map(({ path }) => path).toSorted();
  /** Names of the readers of each page, by its title; `library` for all. */
  async function readers(source = open()): Promise<Record<string, string>> {
    const { documents, groups } = await list(source);
    const named = documents.map(({ path, access }): [string, string] => {
      const title = path.slice(path.lastIndexOf('/') + 1).replace('.html', '');
      if (access === 'library') return [title, access];
      const people = groups.flatMap(({ name, people: all }) => (access.groups.includes(name) ? all : []));
      return [
        title,
        [...access.people, ...people].map((email) => email.replace('@example.org', '')).join(' '),
      ];
    });
    return Object.fromEntries(named);
  }
  async function contentOf(source: ConfluenceSource, path: string): Promise<string> {
    const document = (await list(source)).documents.find((one) => one.path === path) as SourceDocument;
    return (await buffer((await source.fetch(document, never)).content)).toString();
  }

  it('lets those read a page who may read its space, and whom it and all of its parents name', async () => {
    const top = server.add({ title: 'Top' });
    const closed = server.add({
      title: 'Closed',
      parentId: top.id,
      readers: { users: ['ada'], groups: ['board'] },
    });
    const below = server.add({ title: 'Below', parentId: closed.id });
    server.add({
      title: 'Both',
      parentId: below.id,
      readers: { users: ['bob', 'cy', 'private', 'stranger'] },
    });
    server.add({ title: 'Outside', readers: { users: ['stranger'] } });
    server.add({ type: 'attachment', title: 'plan.txt', parentId: below.id, content: 'A plan.' });
    const expected = {
      Top: 'ada bob cy dan',
      Closed: 'ada bob',
      Below: 'ada bob',
      Both: 'bob',
      Outside: '',
      'plan.txt': 'ada bob',
    };
    expect(await readers()).toEqual(expected);
    // Without the search, restrictions of Cloud are read one by one; attachments are found by it alone.
    if (isCloud) {
      server.intercept = ({ url }) =>
        url.search.includes('expand=restrictions') && url.pathname.endsWith('/search')
          ? { status: 404 }
          : null;
      expect(await readers()).toEqual(expected);
    }
    expect(new Set(Object.values(await readers(open({ permissions: false }))))).toEqual(new Set(['library']));
  });

  it('means nobody where it is not told who may read', async () => {
    server.add({ title: 'Top' });
    server.add({ title: 'Orphan', parentId: '1' });
    const one = server.add({ title: 'One' });
    const other = server.add({ title: 'Other', parentId: one.id });
    one.parentId = other.id;
    expect(await readers()).toEqual({ Top: 'ada bob cy dan', Orphan: '', One: '', Other: '' });
    expect(await open().check(never)).toBe('Confluence has 1 space.');
    server.spaces.set('DOCS', { id: '7', readers: null });
    expect(new Set(Object.values(await readers()))).toEqual(new Set(['']));
    expect(await open().check(never)).toMatch(
      /does not tell this account who may read DOCS: .* for nobody\.$/,
    );
  });

  it('means nobody for pages whose parents are not told', async () => {
    const top = server.add({ title: 'Top' });
    server.add({ title: 'Below', parentId: top.id, hidesParent: true });
    server.add({ type: 'blogpost', title: 'News', hidesParent: true });
    const readersOfSpace = 'ada bob cy dan';
    expect(await readers()).toEqual({ Top: readersOfSpace, Below: '', News: readersOfSpace });
  });

  it('changes the access of a page with its rules, and the group with its members', async () => {
    const page = server.add({ title: 'Page', readers: { groups: ['board'] } });
    const accessOf = async () => (await list()).documents[0]?.access;
    const before = await accessOf();
    server.groups.set('board', ['bob', 'ada']);
    expect([await accessOf(), await readers()]).toEqual([before, { Page: 'ada bob' }]);
    page.readers = { users: ['bob', 'ada'] };
    expect(await accessOf()).not.toEqual(before);
  });

  it('has pages, blog posts and attachments, and no drafts, archived or deleted ones', async () => {
    const top = server.add({ title: 'A/B' });
    const same = ['Same', 'Same'].map((title) => server.add({ title, parentId: top.id }));
    server.add({ type: 'blogpost', title: 'News' });
    server.add({ type: 'attachment', title: 'plan.txt', parentId: same[0]?.id ?? '', content: 'A plan.' });
    const ids = same.map(({ id }) => id);
    const expected = [
      'DOCS/A B.html',
      `DOCS/A B/Same (${ids[0]}).html`,
      `DOCS/A B/Same (${ids[0]})/plan.txt`,
      `DOCS/A B/Same (${ids[1]}).html`,
      'DOCS/News.html',
    ].toSorted();
    for (const status of ['draft', 'archived', 'trashed']) {
      const left = server.add({ title: status, status });
      server.add({ type: 'attachment', title: `${status}.txt`, parentId: left.id });
    }
    expect(await pathsOf()).toEqual(expected);
    server.spaces.set('OTHER', { id: '8', readers: {} });
    server.add({ title: 'Elsewhere', space: 'OTHER' });
    expect(await pathsOf(open({ spaces: ['DOCS'] }))).toEqual(expected);
    expect(await pathsOf()).toEqual([...expected, 'OTHER/Elsewhere.html']);
    await expect(list(open({ spaces: ['GONE'] }))).rejects.toMatchObject({ kind: 'denied' });
  });

  it('gives pages with mentions, and attachments without sending the token to another host', async () => {
    const page = server.add({
      title: 'Page',
      content:
        '<p>Ask <ac:link><ri:user ri:account-id="ada"/></ac:link> and <ac:link><ri:user ri:account-id="eve"/></ac:link>, <ac:link><ri:user ri:userkey="k-bob"/></ac:link></p>',
    });
    server.add({ type: 'attachment', title: 'plan.txt', parentId: page.id, content: 'A plan.' });
    server.authorization = 'Bearer secret-token';
    const source = open();
    expect(await contentOf(source, 'DOCS/Page.html')).toContain(
      `<p>Ask @ada of the crew and @somebody, @${isCloud ? 'somebody' : 'bob of the crew'}</p>`,
    );
    expect(await contentOf(source, 'DOCS/Page/plan.txt')).toBe('A plan.');
    page.status = 'trashed';
    await expect(source.fetch({ id: `page/${page.id}`, path: 'x' }, never)).rejects.toMatchObject({
      kind: 'gone',
    });
    await expect(source.fetch({ id: 'page/1', path: 'x' }, never)).rejects.toMatchObject({ kind: 'gone' });
    await expect(source.fetch({ id: 'other/1', path: 'x' }, never)).rejects.toMatchObject({ kind: 'gone' });
  });

  it('does not take another answer for an attachment', async () => {
    const page = server.add({ title: 'Page' });
    server.add({ type: 'attachment', title: 'plan.txt', parentId: page.id, content: 'A plan.' });
    const answers = [
      [{ body: '<html>Sign in</html>' }, '20 bytes for a file of 7'],
      [{ status: 302, headers: { location: 'http://[' } }, 'redirects to no address'],
    ] as const;
    for (const [answer, message] of answers) {
      server.intercept = ({ url }) => (/\/files\/\w+$/.test(url.pathname) ? answer : null);
      await expect(contentOf(open(), 'DOCS/Page/plan.txt')).rejects.toMatchObject({
        kind: 'unavailable',
        message: expect.stringContaining(message),
      });
    }
  });

  it('ends at a list that does not fit into memory', async () => {
    let part = 0;
    server.intercept = ({ url }) => {
      if (!url.pathname.endsWith(isCloud ? '/7/pages' : '/rest/api/content')) return null;
      part += 1;
      const title = 'x'.repeat(15 * 1024 ** 2);
      const next = `${url.pathname.slice(isCloud ? 0 : server.context.length)}?start=${part}`;
      return { body: { results: [{ id: part, title, unread: [title.slice(0, 1_000)] }], _links: { next } } };
    };
    await expect(list()).rejects.toMatchObject({
      message: 'The lists of a space of Confluence are too long.',
    });
    expect(part).toBe(2);
  });

  it('reads long lists, and none that lead in a circle or to another host', async () => {
    for (let n = 0; n < 250; n += 1) server.add({ title: `Page ${n}` });
    expect(await pathsOf()).toHaveLength(250);
    const linked = (next: string): void => {
      server.intercept = ({ url }) =>
        url.pathname.endsWith(isCloud ? '/7/pages' : '/rest/api/content')
          ? { body: { results: [], _links: { next } } }
          : null;
    };
    linked(isCloud ? '/wiki/api/v2/spaces/7/pages?cursor=1' : '/rest/api/content?start=1');
    await expect(list()).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('circle'),
    });
    linked('http://127.0.0.2:1/rest/api/content');
    await expect(list()).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('host'),
    });
  });

  it('reads long lists at the address for scoped tokens, and links where people read', async () => {
    if (!isCloud) return;
    for (let n = 0; n < 150; n += 1) server.add({ title: `Page ${n}` });
    const { documents } = await list(open({ url: server.gatewayUrl }));
    expect(documents.filter(({ url }) => url?.startsWith(`${server.url}/spaces/DOCS/`))).toHaveLength(150);
    expect(server.requests.filter((request) => !request.includes(' /ex/confluence/c1/wiki/'))).toEqual([]);
  });

  it.each([
    ['a wrong token', { status: 401 }, { kind: 'denied', message: expect.stringContaining('expired') }],
    ['a page to sign in', { body: '<html>Sign in</html>' }, { kind: 'denied' }],
    [
      'a redirect to sign in',
      { status: 302, headers: { location: 'https://login.example/' } },
      { kind: 'denied', message: expect.stringContaining('login.example') },
    ],
    [
      'too many requests',
      { status: 429, headers: { 'retry-after': '120' } },
      { kind: 'limited', options: { retryAfterMs: 120_000 } },
    ],
  ])('says what is wrong with %s', async (__, answer, expected) => {
    server.intercept = () => answer;
    await expect(open().check(never)).rejects.toMatchObject(expected);
    await expect(list()).rejects.toMatchObject(expected);
  });

  it('names a space that it may not list, whose documents stay', async () => {
    server.add({ title: 'Page' });
    server.spaces.set('OPS', { id: '8', readers: {} });
    server.intercept = ({ url }) => (/spaces\/8\/pages|spaceKey=OPS/.test(url.href) ? { status: 403 } : null);
    const skipped = [];
    for await (const page of open().inventory(null, never)) skipped.push(...page.skipped);
    expect(skipped).toEqual([
      { id: 'space/OPS', path: 'OPS', reason: expect.any(String), isFolder: true, isRestricted: true },
    ]);
    expect(await pathsOf()).toEqual(['DOCS/Page.html']);
  });

  it('waits as long as it is asked to, and then goes on', async () => {
    const page: FakeContent = server.add({ title: 'Page' });
    let left = 2;
    server.intercept = () => {
      left -= 1;
      return left < 0 ? null : { status: left === 0 ? 429 : 503, headers: { 'retry-after': '0' } };
    };
    expect((await list()).documents.map(({ id }) => id)).toEqual([`page/${page.id}`]);
  });

  it('signs in with an e-mail address and a token, and opens no private network', async () => {
    server.authorization = `Basic ${Buffer.from('ada@example.org:secret-token').toString('base64')}`;
    expect(await open({ user: 'ada@example.org' }).check(never)).toMatch(/1 space/);
    await expect(open().check(never)).rejects.toMatchObject({ kind: 'denied' });
    server.requests = [];
    await expect(open({}, { allowPrivateNetworks: [] }).check(never)).rejects.toMatchObject({
      kind: 'denied',
    });
    expect(server.requests).toEqual([]);
  });
});
