// Measures the crawl of a generated web site, with politeness off: pages per second, processor time and memory of all
// processes, then a sync of the unchanged site. Fetching alone and parsing alone are the baseline. Linux only.
//
//   node dist/crawl-site.bench.js [pages=2000] [--redirects] [--links] [--growth] [--concurrency 16]
//   node dist/crawl-site.bench.js [pages=2000] --against <checkout> [--rounds 2]
//   node dist/crawl-site.bench.js [pages=2000] --scripts static|app|mixed [--rounds 2]
//   node dist/crawl-site.bench.js --site <folder> [--start /docs]
//
// --redirects  adds a meta-refresh redirect to every page, and counts the requests for each URL
// --links      lets the crawl follow links from the first page instead of reading the sitemap
// --growth     prints speed and memory of the main process by the number of pages that were fetched before
// --against    runs the product of another compiled checkout in turn with this one
// --scripts    crawls a site whose pages have scripts, without a browser and with Chromium in turn; see `ScriptedSite`
// --site       crawls a folder with a web site instead, by its sitemap and by its links, and prints the outcome
import { parseArgs } from 'node:util';
import { chromiumForTests } from '@citewell/testing';
import { crawl, type CrawlRun, pagesOf, sync } from './crawl/crawl-run.js';
import { GeneratedSite } from './crawl/generated-site.js';
import { printGrowth } from './crawl/growth.js';
import { ResourceWatch } from './crawl/resource-watch.js';
import { withSite } from './crawl/site-process.js';
import { fetchAlone, parseAlone, PARSING_THREADS } from './crawl/baselines.js';
import { REPOSITORY, type StandaloneProcess, withStandalone } from './product/standalone-process.js';
import { round } from './product/timings.js';
import { BenchClient } from './product/bench-client.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    concurrency: { type: 'string', default: '16' },
    redirects: { type: 'boolean', default: false },
    links: { type: 'boolean', default: false },
    growth: { type: 'boolean', default: false },
    against: { type: 'string' },
    scripts: { type: 'string' },
    rounds: { type: 'string', default: '2' },
    site: { type: 'string' },
    start: { type: 'string', default: '/docs' },
  },
});
/** What `/crawl-counts` of the server answers with. */
interface CrawlCounts {
  readonly requests: number;
  readonly conditional: number;
  readonly rendered: number;
}

const pages = Number(positionals[0] ?? 2_000);
const variables = {
  ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8',
  CRAWL_DELAY_MS: '0',
  CRAWL_CONCURRENCY_PER_HOST: values.concurrency,
};

if (values.site !== undefined) await crawlFolder(values.site);
else if (values.scripts !== undefined) await compareBrowsers(values.scripts);
else if (values.against !== undefined) await compare(values.against);
else await measure();

async function measure(): Promise<void> {
  const site = new GeneratedSite(pages, values.redirects);
  const size = round(site.html(0).length / 1_000);
  console.log(`${pages} pages of ${size} kB, ${values.concurrency} concurrent requests`);
  await withSite(siteArguments(), async (origin) => {
    const fetched = await fetchAlone(
      site.paths.map((path) => origin + path),
      Number(values.concurrency),
    );
    const parsed = await parseAlone(pages);
    await requestCounts(origin);
    const { first, second } = await crawlTwice(REPOSITORY, origin);
    const rate = pages / first.seconds;
    console.table({
      'fetching alone': { 'pages/s': round(fetched) },
      [`parsing alone, ${PARSING_THREADS} threads`]: { 'pages/s': round(parsed), 'of parsing': 1 },
      'first crawl': { 'pages/s': round(rate), 'of parsing': round(rate / parsed) },
      'unchanged sync': {
        'pages/s': round(pages / second.seconds),
        'of the first crawl': round(second.seconds / first.seconds),
      },
    });
    print('first crawl', first);
    print('unchanged sync', second);
    console.log('URLs by number of requests in both crawls together:', await requestCounts(origin));
    if (values.growth) printGrowth(first.run.samples);
  });
}

/** Both products crawl the same site in turn, each time with an empty data directory. */
async function compare(other: string): Promise<void> {
  const rows: Record<string, Record<string, number>> = {};
  await withSite(siteArguments(), async (origin) => {
    for (let round_ = 1; round_ <= Number(values.rounds); round_ += 1)
      for (const [name, repository] of [
        ['before', other],
        ['after', REPOSITORY],
      ] as const) {
        const { first, second } = await crawlTwice(repository, origin);
        const cpuMs = [...first.cpu.values()].reduce((sum, ms) => sum + ms, 0);
        rows[`${name}, round ${round_}`] = {
          'first crawl s': round(first.seconds),
          'pages/s': round(pages / first.seconds),
          'CPU ms a page': round(cpuMs / pages),
          'peak MB PSS': first.peakPssMegabytes,
          'unchanged sync s': round(second.seconds),
          'of the first crawl': round(second.seconds / first.seconds),
          'sync MB PSS': second.peakPssMegabytes,
          'pages synched': first.run.site.stats.pages ?? 0,
        };
        console.table(rows);
      }
  });
}

/** The same site is crawled without a browser and with one, each time with an empty data directory. */
async function compareBrowsers(kind: string): Promise<void> {
  const chromium = await chromiumForTests();
  if (chromium === null) throw new Error('Chromium is not installed');
  const rows: Record<string, Record<string, number | string>> = {};
  await withSite(['scripted', String(pages), kind], async (origin) => {
    const counts = async (): Promise<CrawlCounts> =>
      // The server of the benchmark answers with exactly this.
      (await (await fetch(`${origin}/crawl-counts`)).json()) as CrawlCounts;
    for (let round_ = 1; round_ <= Number(values.rounds); round_ += 1)
      for (const [name, path] of [
        ['without', '/nowhere/chromium'],
        ['Chromium', chromium],
      ] as const) {
        const counted: CrawlCounts[] = [];
        const { first, second } = await crawlTwice(REPOSITORY, origin, {
          variables: { CHROMIUM_PATH: path },
          onCrawled: async () => void counted.push(await counts()),
        });
        const [ofCrawl, ofSync] = counted;
        rows[`${name}, round ${round_}`] = {
          'first crawl s': round(first.seconds),
          'pages/s': round(pages / first.seconds),
          rendered: ofCrawl?.rendered ?? 0,
          'pages synched': first.run.site.stats.pages ?? 0,
          'unchanged sync s': round(second.seconds),
          'of the first crawl': round(second.seconds / first.seconds),
          'conditional requests': `${ofSync?.conditional} of ${ofSync?.requests}`,
          'rendered in the sync': ofSync?.rendered ?? 0,
          warning: first.run.site.error?.message ?? '',
        };
        console.table(rows);
      }
  });
}

async function crawlTwice(
  repository: string,
  origin: string,
  options: { variables?: Record<string, string>; onCrawled?: () => Promise<void> } = {},
) {
  return withStandalone(
    { variables: { ...variables, ...options.variables }, repository },
    async (product) => {
      const client = new BenchClient(product.url);
      const config = values.links
        ? { source_url: `${origin}/docs/page-0` }
        : { sitemap: `${origin}/sitemap.xml` };
      const first = await watched(product, () =>
        crawl(client, { ...config, maxPages: 100_000 }, product.pid),
      );
      await options.onCrawled?.();
      const second = await watched(product, () => sync(client, first.run.site.id, product.pid));
      await options.onCrawled?.();
      client.close();
      return { first, second };
    },
  );
}

async function crawlFolder(folder: string): Promise<void> {
  for (const by of ['sitemap', 'links'] as const)
    await withSite(['folder', folder, by], async (origin) => {
      await withStandalone({ variables }, async (product) => {
        const client = new BenchClient(product.url);
        const config =
          by === 'sitemap' ? { sitemap: `${origin}/sitemap.xml` } : { source_url: origin + values.start };
        const { run, seconds } = await watched(product, () => crawl(client, config, product.pid));
        console.log(
          `\nby ${by}: ${run.site.status}, ${run.site.error?.code ?? 'no error'}, ${round(seconds)} s`,
        );
        const counts: Record<string, number> = {};
        for (const { status, error, name } of await pagesOf(client, run.site)) {
          const outcome = error === null ? status : `${status} ${error.code} ${new URL(name).pathname}`;
          counts[outcome] = (counts[outcome] ?? 0) + 1;
        }
        console.table(counts);
        client.close();
      });
    });
}

function siteArguments(): readonly string[] {
  return [
    'generated',
    String(pages),
    values.links ? 'links' : 'sitemap',
    ...(values.redirects ? ['redirects'] : []),
  ];
}

async function watched(product: StandaloneProcess, work: () => Promise<CrawlRun>) {
  const watch = new ResourceWatch(product.pid);
  const started = performance.now();
  const run = await work();
  const seconds = (performance.now() - started) / 1_000;
  return { run, seconds, ...watch.stop() };
}

function print(name: string, { run, seconds, cpu, ...memory }: Awaited<ReturnType<typeof watched>>): void {
  const { status, error, stats } = run.site;
  console.log(
    `${name}: ${round(seconds)} s, ${status}${error === null ? '' : ` (${error.message})`}, ${stats.pages} pages, ${stats.chunks} chunks; ` +
      `peak ${memory.peakPssMegabytes} MB PSS (Postgres ${memory.postgresPssMegabytes}), ${memory.peakRssMegabytes} MB RSS`,
  );
  console.table(
    Object.fromEntries([...cpu].map(([part, ms]) => [part, { 'CPU ms': ms, 'a page': round(ms / pages) }])),
  );
}

async function requestCounts(origin: string): Promise<unknown> {
  return (await fetch(`${origin}/request-counts`)).json();
}
