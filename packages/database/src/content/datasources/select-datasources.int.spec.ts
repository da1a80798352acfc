import type { Filters } from '@citewell/contracts/schemas';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { execute, sql } from '../../connection/sql.js';
import { TestTenant } from '../../fixtures/tenant.fixtures.js';
import { TestServer } from '../../fixtures/test-server.fixtures.js';
import { insertPages } from '../../ingestion/runs/datasource-rows.js';

const PAGE = '00000000-0000-7000-8000-00000000000a';

describe('the datasources that fit filters', () => {
  const server = new TestServer();
  let dataSource: DataSource;
  let tenant: TestTenant;
  let ids: Record<'text' | 'file' | 'site' | 'page', string>;

  beforeAll(async () => {
    dataSource = await server.database();
    tenant = await TestTenant.create(dataSource);
    const text = await tenant.datasource({ name: 'Text', customId: 't', metadata: { dept: 'it', n: 1 } });
    const file = await tenant.datasource({
      name: 'a"b\\c',
      type: 'file',
      metadata: { dept: ['it', 'a"b\\c'] },
    });
    const { datasource: site } = await tenant.datasource({
      type: 'web_site',
      name: 'Site',
      customId: 's',
      metadata: { dept: 'web' },
      mimeType: null,
      content: null,
    });
    await insertPages(dataSource.manager, site, [{ id: PAGE, url: 'https://a.example/' }]);
    ids = { text: text.datasource.id, file: file.datasource.id, site: site.id, page: PAGE };
    await execute(dataSource, sql`UPDATE datasources SET created_at = '2026-03-01' WHERE id = ${ids.text}`);
    await execute(dataSource, sql`UPDATE datasources SET created_at = '2026-03-02' WHERE id = ${ids.page}`);
    await execute(
      dataSource,
      sql`UPDATE datasources SET created_at = '2026-01-01' WHERE id IN (${ids.site}, ${ids.file})`,
    );
  });
  afterAll(() => server.close());

  async function found(filters: Filters): Promise<string[]> {
    const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
    const result = await tenant.datasources.idsByFilters(tenant.scope, [tenant.datastoreId], filters);
    return result.map((id) => names.get(id) ?? id).toSorted();
  }

  it.each<[Filters, string[]]>([
    [{}, ['file', 'page', 'site', 'text']],
    [{ metadata: { dept: 'it' } }, ['file', 'text']],
    [{ metadata: { dept: 'a"b\\c' } }, ['file']],
    [{ metadata: { dept: ['x', 'a"b\\c'], n: 1 } }, []],
    [{ metadata: { dept: 'it', n: [2, 1] } }, ['text']],
    [{ metadata: { dept: 'i' } }, []],
    [{ metadata: { n: '1' } }, []],
    [{ metadata: { dept: 'web' } }, ['page', 'site']],
    [{ metadata: { dept: 'web' }, types: ['web_page'] }, ['page']],
    [{ metadata: { dept: 'web' }, custom_ids: ['t'] }, []],
    [{ custom_ids: ['s'], names: ['https://a.example/'] }, ['page']],
    [{ names: ['a"b\\c', 'Text'], types: ['file'] }, ['file']],
    [{ types: ['web_site'] }, ['page', 'site']],
    [{ created_after: '2026-03-01' }, ['page', 'text']],
    [{ created_after: '2026-03-01T00:00:01Z' }, ['page']],
    [{ created_before: '2026-03-02' }, ['file', 'text']],
    [{ created_before: '2026-03-02', custom_ids: ['s', 't'] }, ['text']],
    [{ created_after: '2026-03-02', custom_ids: ['s'] }, ['page']],
    [{ created_after: '2026-03-01T01:00:00+01:00', created_before: '2026-03-01T00:00:01Z' }, ['text']],
  ])('%j are %j', async (filters, names) => {
    expect(await found(filters)).toEqual(names);
  });

  it('are found by their ids', async () => {
    expect(await found({ datasource_ids: [ids.text, ids.site.toUpperCase(), 'no id'] })).toEqual([
      'page',
      'site',
      'text',
    ]);
    expect(await found({ datasource_ids: [ids.site], types: ['file'] })).toEqual([]);
  });
});

describe('the datasources that are listed by a part of their name', () => {
  const server = new TestServer();
  let dataSource: DataSource;
  let tenant: TestTenant;
  const list = async (name: string, { scope } = tenant) =>
    (await tenant.datasources.list(scope, { name }, { limit: 10 }))
      .map(({ datasource }) => datasource.name)
      .toSorted();

  beforeAll(async () => {
    dataSource = await server.database();
    tenant = await TestTenant.create(dataSource);
    for (const name of [
      'Annual report_2025.pdf',
      'ÜBERBLICK.docx',
      'Zu\u0308rich.txt',
      '100 % Ökostrom',
      '会社案内',
    ])
      await tenant.datasource({ name });
  });
  afterAll(() => server.close());

  it.each([
    ['REPORT', ['Annual report_2025.pdf']],
    ['t_2', ['Annual report_2025.pdf']],
    ['überblick', ['ÜBERBLICK.docx']],
    ['zürich', ['Zu\u0308rich.txt']],
    ['Ü', ['Zu\u0308rich.txt', 'ÜBERBLICK.docx']],
    ['%', ['100 % Ökostrom']],
    ['案', ['会社案内']],
    ["'", []],
    ['_20_', []],
  ])('%s finds %j', async (name, names) => expect(await list(name)).toEqual(names));

  it('finds nothing of another organization', async () => {
    expect(await list('report', await TestTenant.create(dataSource))).toEqual([]);
  });

  it('finds a page by its title', async () => {
    const other = await TestTenant.create(dataSource);
    const { datasource } = await other.datasource({ name: 'https://a.example/x' });
    const runId = await other.serve(datasource.id);
    await execute(
      dataSource,
      sql`UPDATE runs SET counts = coalesce(counts, '{}') || '{"title": "Opening hours"}' WHERE id = ${runId}`,
    );
    expect(await list('opening', other)).toEqual([]);
    await execute(dataSource, sql`UPDATE datasources SET type = 'web_page' WHERE id = ${datasource.id}`);
    expect(await list('opening', other)).toEqual(['https://a.example/x']);
    expect(await list('a.EXAMPLE', other)).toEqual(['https://a.example/x']);
  });
});
