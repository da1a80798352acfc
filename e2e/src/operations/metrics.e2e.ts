import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '../client/tenant.js';
import { startEmbedded } from '../deployments/embedded.deployment.js';
import { modelFixture } from '../deployments/model.deployment.js';
import { type MetricFamily, readMetrics } from './metrics/read-metrics.js';
import { SiteClient } from '../ingestion/web-sites/site-client.js';
import { article, TestSite } from '../ingestion/web-sites/test-site.js';

/** Labels with few values. None of them names an organization, an address or an id. */
const LABELS = [
  'app',
  'direction',
  'kind',
  'method',
  'outcome',
  'process',
  'route',
  'stage',
  'state',
  'status',
  'le',
];
/** Of the metrics of prom-client. */
const PROCESS_LABELS = ['space', 'type', 'version', 'major', 'minor', 'patch'];

/** https://prometheus.io/docs/practices/naming/ */
const CONVENTIONS: readonly (readonly [rule: string, holds: (family: MetricFamily) => boolean])[] = [
  ['begins with what it describes', ({ name }) => /^(citewell|process|nodejs)_[a-z0-9_]+$/.test(name)],
  [
    'ends in _total exactly if it counts',
    ({ name, type }) => name.endsWith('_total') === (type === 'counter'),
  ],
  [
    'has a base unit',
    ({ name }) => !/_(ms|milli\w*|micro\w*|minutes|hours|[km]b|\w+bytes_per|percent)(_|$)/.test(name),
  ],
  [
    'names the unit of a histogram',
    ({ name, type }) => type !== 'histogram' || /_(seconds|bytes)$/.test(name),
  ],
  ['has a description', ({ help }) => help !== ''],
  [
    'has only labels with few values',
    ({ name, labels }) => {
      const allowed = name.startsWith('citewell_') ? LABELS : [...LABELS, ...PROCESS_LABELS];
      return labels.every((label) => allowed.includes(label));
    },
  ],
];

describe('metrics', () => {
  const fixture = modelFixture(startEmbedded, {
    CHAT_MODEL: 'test-chat',
    EMBEDDING_MODEL: 'test-embedding',
    ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8',
    CRAWL_DELAY_MS: '0',
  });
  let site: TestSite;
  beforeAll(async () => {
    site = await TestSite.start();
    site.set('/', { body: article('start', { links: ['/linked', '/missing'] }) });
    site.set('/linked', { body: article('linked') });
  });
  afterAll(() => site.stop());

  const scrape = () => readMetrics(`${fixture().deployment.origin}/metrics`);

  it.each(CONVENTIONS)('each %s', async (_, holds) => {
    const { families } = await scrape();
    expect(families.length).toBeGreaterThan(20);
    expect(families.filter((family) => !holds(family))).toEqual([]);
  });

  it('are those of the documentation', async () => {
    const text = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
    const documented = [...text.matchAll(/^\| `(citewell_\w+)` \| (\w+) /gm)].map(
      ([, name, type]) => `${name} ${type}`,
    );
    const { families } = await scrape();
    const own = families.filter(({ name }) => name.startsWith('citewell_'));
    expect(documented.toSorted()).toEqual(own.map(({ name, type }) => `${name} ${type}`).toSorted());
  });

  it('count crawled URLs, calls of models, tokens and waiting runs', async () => {
    const { tenant, model } = fixture();
    const before = await scrape();
    await SiteClient.crawl(tenant, { source_url: site.url('/') });
    // Before a reply is scripted, which an embedding would take.
    const embeddings = { stage: 'embedding', outcome: 'done' };
    await until(
      async () => (await scrape()).value('citewell_stage_duration_seconds_count', embeddings) === 2,
      'the pages to be embedded',
    );
    const agent = await tenant.agent();
    await tenant.ask(agent.id, 'Which tide?');
    model.next({ kind: 'error', status: 503 });
    await tenant.api.post(`/agents/${agent.id}/query`, { query: 'Which tide?' });
    const after = await scrape();
    const growth = (name: string, labels: Record<string, string>): number =>
      after.value(name, labels) - before.value(name, labels);

    expect(growth('citewell_crawled_urls_total', { outcome: 'page' })).toBe(2);
    expect(growth('citewell_crawled_urls_total', { outcome: 'skipped' })).toBe(1);
    const calls = 'citewell_model_call_duration_seconds_count';
    expect(growth(calls, { kind: 'chat', outcome: 'done' })).toBe(1);
    expect(growth(calls, { kind: 'chat', outcome: 'transient' })).toBe(1);
    expect(growth(calls, { kind: 'embedding', outcome: 'done' })).toBeGreaterThan(0);
    for (const outcome of ['done', 'failed'])
      expect([outcome, growth('citewell_answers_total', { outcome })]).toEqual([outcome, 1]);
    for (const [kind, direction] of Object.entries({ chat: 'output', embedding: 'input' }))
      expect([kind, growth('citewell_model_tokens_total', { kind, direction }) > 0]).toEqual([kind, true]);
    expect(growth('citewell_stage_duration_seconds_count', { stage: 'indexing', outcome: 'done' })).toBe(2);
    // Published every five seconds.
    await until(
      async () =>
        (await scrape()).value('citewell_oldest_waiting_run_age_seconds', { stage: 'indexing' }) === 0,
      'the age of the oldest waiting run to be 0',
    );
  });
});
