import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { newId } from '../../connection/new-id.js';
import { TestTenant } from '../../fixtures/tenant.fixtures.js';
import { TestServer } from '../../fixtures/test-server.fixtures.js';
import type { NewDatasource } from './upsert-plan.js';

const server = new TestServer();
let dataSource: DataSource;
let tenant: TestTenant;
beforeAll(async () => {
  dataSource = await server.database();
});
afterAll(() => server.close());
beforeEach(async () => {
  tenant = await TestTenant.create(dataSource);
});

const text = (fields: Partial<NewDatasource> = {}): Promise<NewDatasource> => tenant.newText(fields);
const other = async (fields: Partial<NewDatasource>): Promise<NewDatasource> => {
  const item = await text(fields);
  return { ...item, content: item.content && { ...item.content, sha256: 'other' } };
};
const page = (fields: Partial<NewDatasource>): Promise<NewDatasource> =>
  text({ type: 'web_page', mimeType: null, content: null, ...fields });

/** The outcomes of items, and the ids of their datasources. */
async function write(...items: NewDatasource[]): Promise<[string, string | undefined][]> {
  const results = await tenant.datasources.write(tenant.scope, items);
  return results.map((result) => [result.ok ? result.outcome : result.reason, result.view?.datasource.id]);
}

/** The number of statements of an action. */
async function statementsOf(action: () => Promise<unknown>): Promise<number> {
  const runner = dataSource.createQueryRunner();
  const query = jest.spyOn(Object.getPrototypeOf(runner), 'query');
  try {
    await action();
    return query.mock.calls.length;
  } finally {
    query.mockRestore();
    await runner.release();
  }
}

describe('writing datasources', () => {
  it('creates, replaces, keeps and refuses each item by its own custom id, in one transaction', async () => {
    const [kept, changed, webPage] = [
      (await tenant.datasource({ customId: 'kept' })).datasource,
      (await tenant.datasource({ customId: 'changed' })).datasource,
      (await tenant.datasource({ ...(await page({ customId: 'page' })) })).datasource,
    ];
    await tenant.datasource({ customId: 'twice' });
    await tenant.datasource({ customId: 'twice' });
    const items = await Promise.all([
      text(),
      text({ customId: 'new', isUpsert: true, name: 'Ünï "quoted" {name}', metadata: { a: [1, '\\'] } }),
      text({ customId: 'kept', isUpsert: true, name: 'renamed', metadata: { b: 2 } }),
      other({ customId: 'changed', isUpsert: true, name: 'replaced' }),
      page({ customId: 'page', isUpsert: true, config: { source_url: 'https://a.example/' } }),
      text({ customId: 'page', isUpsert: true }),
      text({ customId: 'twice', isUpsert: true }),
      text({ customId: 'kept' }),
    ]);
    expect(await write(...items)).toEqual([
      ['created', items[0]?.id],
      ['created', items[1]?.id],
      ['unchanged', kept.id],
      ['replaced', changed.id],
      ['replaced', webPage.id],
      ['other-type', undefined],
      ['several', undefined],
      ['created', items[7]?.id],
    ]);
    const created = await tenant.view(items[1]?.id ?? '');
    expect(created.datasource).toMatchObject({ name: 'Ünï "quoted" {name}', metadata: { a: [1, '\\'] } });
    expect(created.current).toMatchObject({ state: 'pending', trigger: 'create', stage: 'parsing' });
    expect(created.current).toMatchObject({
      contentKey: items[1]?.content?.key,
      contentName: created.datasource.name,
    });
    expect((await tenant.view(kept.id)).datasource).toMatchObject({ name: 'renamed', metadata: { b: 2 } });
    const replaced = await tenant.view(changed.id);
    expect(replaced.datasource).toMatchObject({ name: 'replaced', contentKey: items[3]?.content?.key });
    expect(replaced.current).toMatchObject({ trigger: 'update', contentKey: items[3]?.content?.key });
    expect((await tenant.view(webPage.id)).datasource.config).toEqual({ source_url: 'https://a.example/' });
  });

  it('writes items with the same custom id one after the other', async () => {
    const items = await Promise.all([
      text({ customId: 'c', isUpsert: true }),
      other({ customId: 'c', isUpsert: true }),
      other({ customId: 'c', isUpsert: true }),
      text({ customId: 'c' }),
      text({ customId: 'c', isUpsert: true }),
    ]);
    const [first, , , fourth] = items;
    expect(await write(...items)).toEqual([
      ['created', first?.id],
      ['replaced', first?.id],
      ['unchanged', first?.id],
      ['created', fourth?.id],
      ['several', undefined],
    ]);
  });

  it('writes nothing if one of the items cannot be written', async () => {
    const items = [await text({ customId: 'c' }), await text({ datastoreId: newId() })];
    await expect(write(...items)).rejects.toThrow();
    expect(await tenant.datasources.idsByCustomId(tenant.scope, [tenant.datastoreId], ['c'])).toEqual([]);
  });

  it('creates each custom id once when several batches with it are written at once', async () => {
    const ids = ['a', 'b', 'c', 'd'];
    const batches = await Promise.all(
      [ids, ids.toReversed(), ids, ids.toReversed()].map((customIds) =>
        Promise.all(customIds.map((customId) => text({ customId, isUpsert: true }))),
      ),
    );
    const outcomes = await Promise.all(batches.map((items) => write(...items)));
    expect(new Set(outcomes.flat().map(([, id]) => id)).size).toBe(ids.length);
    expect(outcomes.flat().filter(([outcome]) => outcome === 'created')).toHaveLength(ids.length);
  });

  it('needs as many statements for a hundred items as for one', async () => {
    const count = async (items: number): Promise<number> => {
      const contents = await Promise.all(
        Array.from({ length: items }, (_, n) => text({ customId: `${items} ${n}`, isUpsert: true })),
      );
      return statementsOf(() => write(...contents));
    };
    const one = await count(1);
    expect(one).toBeGreaterThan(5);
    expect(await count(100)).toBe(one);
  });

  it('creates the datasources of concurrent requests together; one that fails alone', async () => {
    const items = await Promise.all(Array.from({ length: 10 }, (_, n) => text({ name: `text ${n}` })));
    const statements = await statementsOf(async () => {
      const results = await Promise.all(items.map((item) => write(item)));
      expect(results.flat()).toEqual(items.map(({ id }) => ['created', id]));
    });
    expect(statements).toBeLessThan(items.length);
    const [first, second] = [await text(), await text({ datastoreId: newId() })];
    const settled = await Promise.allSettled([write(first), write(second)]);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });
});

describe('files', () => {
  const file = async (name: string, sha256: string, fields: Partial<NewDatasource> = {}) => {
    const item = await text({ type: 'file', name, ...fields });
    return { ...item, content: item.content && { ...item.content, sha256 } };
  };

  it('are refused if the datastore has a file with the same name or the same bytes', async () => {
    const [first] = await write(await file('a.txt', 'one'));
    await write(await file('b.txt', 'two'));
    await write(await text({ name: 'note.txt' }));
    const tried = async (name: string, sha256: string) =>
      (await write(await file(name, sha256, { refusesDuplicate: true }))).flat();
    expect(await tried('a.txt', 'new')).toEqual(['same-name', first?.[1]]);
    expect(await tried('A.txt', 'one')).toEqual(['same-content', first?.[1]]);
    expect(await tried('a.txt', 'one')).toEqual(['same-content', first?.[1]]);
    // The name counts before the bytes: that file is replaced.
    expect(await tried('a.txt', 'two')).toEqual(['same-name', first?.[1]]);
    expect((await tried('note.txt', 'note'))[0]).toBe('created');
    expect((await tried('c.txt', 'four'))[0]).toBe('created');
    expect((await write(await file('a.txt', 'one')))[0]?.[0]).toBe('created');
    await tenant.datasources.markDeleted(tenant.scope, first?.[1] ?? '');
    expect((await tried('d.txt', 'two'))[0]).toBe('same-content');
  });

  it('that are sent at the same time are refused, too', async () => {
    const items = await Promise.all(
      ['x.txt', 'x.txt', 'y.txt'].map((name) => file(name, 'same', { refusesDuplicate: true })),
    );
    const outcomes = await Promise.all(items.map((item) => write(item)));
    expect(outcomes.map(([result]) => result?.[0]).toSorted()).toEqual([
      'created',
      'same-content',
      'same-content',
    ]);
  });

  it('are replaced by their id, unless the bytes are equal', async () => {
    const [[, id = ''] = []] = await write(
      await file('a.pdf', 'one', { customId: 'paper', metadata: { kept: true } }),
    );
    const replace = async (name: string, sha256: string) => {
      const { mimeType, content } = await file(name, sha256, { mimeType: 'application/pdf' });
      return tenant.datasources.replaceFile(tenant.scope, id, { name, mimeType, content });
    };
    const replaced = await replace('b.pdf', 'two');
    expect(replaced).toMatchObject({
      outcome: 'replaced',
      view: { datasource: { id, name: 'b.pdf', customId: 'paper', metadata: { kept: true } } },
    });
    expect(await replace('c.pdf', 'two')).toMatchObject({
      outcome: 'unchanged',
      view: { datasource: { id, name: 'c.pdf', metadata: { kept: true } } },
    });
    const [[, note = ''] = []] = await write(await text());
    const { content } = await file('a', 'x');
    expect(
      await tenant.datasources.replaceFile(tenant.scope, note, { name: 'a', mimeType: null, content }),
    ).toBeNull();
  });
});
