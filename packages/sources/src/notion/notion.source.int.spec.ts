import { buffer } from 'node:stream/consumers';
import { type FakeBlock, type FakePage, NotionServer, richText } from '@citewell/testing/source-servers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sourceConformance } from '../source.conformance.js';
import type { SourceDocument } from '../source.js';
import { CONTEXT, makeWorld, nameOf, paragraph, textOf } from './notion-world.fixtures.js';
import { NotionSource } from './notion.source.js';

const never = new AbortController().signal;

sourceConformance('notion', makeWorld, { many: 1_000, nameOf, textOf });

describe('Notion', () => {
  let server: NotionServer;
  beforeEach(async () => {
    server = await NotionServer.start();
  });
  afterEach(() => server.stop());
  const open = (): NotionSource => new NotionSource(CONTEXT, { base: server.origin, delayMs: 0 });
  async function list(source = open()): Promise<SourceDocument[]> {
    const documents: SourceDocument[] = [];
    for await (const page of source.inventory(null, never)) documents.push(...page.documents);
    return documents;
  }
  const pathsOf = async (): Promise<string[]> => (await list()).map(({ path }) => path).toSorted();
  async function contentOf({ id }: FakePage): Promise<string> {
    return (await buffer((await open().fetch({ id, path: 'x' }, never)).content)).toString();
  }
  const below = (page: FakePage): FakePage['parent'] => ({ type: 'page_id', page_id: page.id });

  it('has pages at their paths: in pages, databases and blocks, without what is not shared or in the trash', async () => {
    const top = server.add({ title: 'Top' });
    const table = server.add({ title: 'Ships', parent: below(top), isTable: true });
    server.add({
      title: 'Aurora',
      parent: { type: 'data_source_id', data_source_id: table.id, database_id: 'x' },
    });
    server.add({ title: 'Child', parent: { type: 'block_id', block_id: 'column' } });
    const [first, second] = ['Untitled', ''].map((title) => server.add({ title, parent: below(top) }));
    server.add({ title: 'Alone', parent: { type: 'page_id', page_id: 'not-shared' } });
    server.add({ title: 'Lost', parent: { type: 'block_id', block_id: 'gone' } });
    server.add({ title: 'Trash', parent: below(top), inTrash: true });
    const blocks: Readonly<Record<string, object>> = {
      column: { type: 'block_id', block_id: 'columns' },
      columns: below(top),
    };
    server.intercept = ({ url }) => {
      const parent = blocks[url.pathname.slice('/v1/blocks/'.length)];
      return parent === undefined ? null : { body: { parent } };
    };
    expect(await pathsOf()).toEqual(
      [
        'Top.html',
        'Top/Ships/Aurora.html',
        'Top/Child.html',
        `Top/Untitled (${first?.id}).html`,
        `Top/Untitled (${second?.id}).html`,
        'Alone.html',
        'Lost.html',
      ].toSorted(),
    );
    expect((await list()).every(({ access }) => access === 'library')).toBe(true);
  });

  it('cuts a circle of parents, and long lists of more than 100 pages are complete', async () => {
    const one = server.add({ title: 'One' });
    const other = server.add({ title: 'Other', parent: below(one) });
    one.parent = below(other);
    expect(await pathsOf()).toEqual(['One/Other.html', 'Other/One.html']);
    for (let n = 0; n < 250; n += 1) server.add({ title: `Page ${n}` });
    expect(await list()).toHaveLength(252);
    server.intercept = ({ url }) =>
      url.pathname === '/v1/search' ? { body: { results: [], has_more: true, next_cursor: 'same' } } : null;
    await expect(list()).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('circle'),
    });
  });

  it('reads all blocks of a page: more than 100, below each other, and texts of more than 2,000 characters', async () => {
    const long = 'word '.repeat(1_000);
    const deep = (level: number): FakeBlock => ({
      id: `deep-${level}`,
      type: 'toggle',
      content: { rich_text: richText(`level ${level}`) },
      ...(level < 60 && { children: [deep(level + 1)] }),
    });
    const blocks = [
      ...Array.from({ length: 150 }, (_, n) => paragraph(`Paragraph ${n}.`)),
      paragraph(long),
      deep(1),
    ];
    const html = await contentOf(server.add({ title: 'Page', blocks }));
    expect(html).toContain('Paragraph 149.');
    expect(html).toContain(long.trim());
    expect(html).toContain('level 50');
    expect(html).toMatch(/Notion does not give what is in a block of the type toggle/);
  });

  it('names blocks that it cannot read, such as a copy of what is not shared', async () => {
    const blocks: FakeBlock[] = [
      { id: 'copy', type: 'synced_block', content: { synced_from: { block_id: 'x' } }, children: [] },
      { type: 'unsupported', content: { block_type: 'external_object_instance' }, children: [] },
      paragraph('The end.'),
    ];
    server.intercept = ({ url }) =>
      url.pathname.includes('/copy/') ? { status: 400, body: { code: 'validation_error' } } : null;
    const html = await contentOf(server.add({ title: 'Page', blocks }));
    expect(html).toContain('[Notion does not give what is in a block of the type synced_block.]');
    expect(html).toContain('[Notion does not give a block of the type external_object_instance.]');
    expect(html).toContain('The end.');
  });

  it('reads a page again that was edited just now: its next edit may have the same time', async () => {
    const page = server.add({ title: 'Page' });
    const [before] = await list();
    expect(before?.version).toBe(page.edited.toISOString());
    page.edited = new Date();
    const [now] = await list();
    expect(now?.version).toBe(`${page.edited.toISOString()} or later`);
    expect((await open().fetch({ id: page.id, path: 'x' }, never)).version).toBe(now?.version);
  });

  it('says that a page is gone which is not shared any more, or in the trash', async () => {
    const page = server.add({ title: 'Page', inTrash: true });
    await expect(contentOf(page)).rejects.toMatchObject({ kind: 'gone' });
    server.pages.delete(page.id);
    await expect(contentOf(page)).rejects.toMatchObject({ kind: 'gone' });
  });

  it.each([
    ['a wrong token', { status: 401 }, { kind: 'denied', message: expect.stringContaining('expired') }],
    [
      'too many requests',
      { status: 429, headers: { 'retry-after': '90' } },
      { kind: 'limited', options: { retryAfterMs: 90_000 } },
    ],
    ['another service', { body: '<html></html>' }, { kind: 'denied' }],
  ])('says what is wrong with %s', async (_, answer, expected) => {
    server.intercept = () => answer;
    await expect(open().check(never)).rejects.toMatchObject(expected);
    await expect(list()).rejects.toMatchObject(expected);
  });

  it('tells what is shared, and waits when it is asked to', async () => {
    expect(await open().check(never)).toMatch(/shares no page of Harbour with Reader yet.*Connections\.$/);
    server.add({ title: 'Page' });
    let requests = 0;
    server.intercept = () => {
      requests += 1;
      return requests > 2 ? null : { status: 429, headers: { 'retry-after': '0' } };
    };
    expect(await open().check(never)).toBe('Notion shares 1 page or database of Harbour with Reader.');
    await expect(new NotionSource({ secrets: {} }).check(never)).rejects.toMatchObject({ kind: 'denied' });
  });
});
