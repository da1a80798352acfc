import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource, EntityManager } from 'typeorm';
import { found, TestCrawl, urlOf } from '../../fixtures/crawl.fixtures.js';
import { HOLDER, TestTenant } from '../../fixtures/tenant.fixtures.js';
import { TestServer } from '../../fixtures/test-server.fixtures.js';
import { CrawlRepository } from './crawl.repository.js';
import { enqueueUrls } from './enqueue-urls.js';
import type { FoundUrl } from './outcome-writer.js';

const URLS = 50_000;

/** A node of a plan, as `EXPLAIN (FORMAT JSON)` prints it. */
interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Cond'?: string;
  'Plan Rows': number;
  Plans?: PlanNode[];
}

const server = new TestServer();
let dataSource: DataSource;
let crawl: TestCrawl;
beforeAll(async () => {
  dataSource = await server.database();
  crawl = await TestCrawl.begin(await TestTenant.create(dataSource), { maxPages: URLS });
  await dataSource.query(
    `INSERT INTO crawl_urls (site_id, organization_id, url, kind, origin, depth, found_in, processed_in, page_id, text_hash)
     SELECT $1, $2, 'https://site.example/' || n, 'page', 'link', n % 7, $3::uuid, CASE WHEN n % 2 = 0 THEN $3::uuid END,
            CASE WHEN n % 3 = 0 THEN gen_random_uuid() END, md5(n::text)
       FROM generate_series(1, $4::int) n`,
    [crawl.site.id, crawl.tenant.organizationId, crawl.run.id, URLS],
  );
});
afterAll(() => server.close());

/** Sends statements as `EXPLAIN`, and collects the nodes of their plans. */
class Explainer {
  readonly nodes: PlanNode[] = [];

  async query(text: string, values: unknown[]): Promise<unknown[]> {
    const [row] = await dataSource.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }[]>(
      `EXPLAIN (FORMAT JSON) ${text}`,
      values,
    );
    assert.ok(row);
    this.collect(row['QUERY PLAN'][0].Plan);
    return [row];
  }

  private collect(node: PlanNode): void {
    this.nodes.push(node);
    for (const child of node.Plans ?? []) this.collect(child);
  }

  assertIndexed(): void {
    const reads = this.nodes.filter((node) => node['Relation Name'] === 'crawl_urls');
    const scans = reads.filter((node) => node['Node Type'] !== 'ModifyTable');
    expect(scans.length).toBeGreaterThan(0);
    for (const scan of scans) {
      expect(scan['Node Type']).toMatch(/^Index (?:Only )?Scan$/);
      expect(scan['Index Cond'] ?? '').toMatch(/found_in|page_id|url|text_hash/);
    }
    for (const node of this.nodes.filter((one) => /Sort|Hash|Aggregate/.test(one['Node Type'])))
      expect(node['Plan Rows']).toBeLessThan(URLS / 10);
  }
}

const urls = (count: number, suffix = '') =>
  Array.from({ length: count }, (_, n) => found(`${n * 10}${suffix}`));
const crawls = (explainer: Explainer) => new CrawlRepository(explainer as unknown as DataSource, HOLDER);
const enqueue = (explainer: Explainer, offered: FoundUrl[]) =>
  enqueueUrls(explainer as unknown as EntityManager, crawl.run, offered, URLS);

for (const statistics of ['no', 'current'])
  describe(`a frontier of ${URLS} URLs, of which Postgres has ${statistics} statistics`, () => {
    beforeAll(async () => {
      if (statistics === 'current') await dataSource.query('ANALYZE');
    });

    for (const [title, send] of [
      ['for the next batch', (explainer) => crawls(explainer).nextBatch(crawl.run, 64, [urlOf('1')])],
      [
        'to find pages with the same text',
        (explainer) => crawls(explainer).textOwners(crawl.run, ['1', '2']),
      ],
      ['to add links', (explainer) => enqueue(explainer, urls(300))],
      ['to add query variants', (explainer) => enqueue(explainer, urls(300, '?a=1&b=1'))],
      ['to add a sitemap', (explainer) => enqueue(explainer, urls(2_000))],
    ] satisfies [string, (explainer: Explainer) => Promise<unknown>][])
      it(`is not read as a whole ${title}`, async () => {
        const explainer = new Explainer();
        await send(explainer);
        explainer.assertIndexed();
      });
  });
