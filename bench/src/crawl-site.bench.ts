// Prints how fast a web site is brought in, beside fetching alone and reading pages alone, politeness off, with the
// processor time of each part and the memory of all processes; then the same for a sync that finds nothing changed.
// Linux only.
//
//   node dist/crawl-site.bench.js [pages=2000] [--concurrency 16] [--site <folder>]
//
// With --site, a folder with a web site is served instead, and crawled by its sitemap and by its links.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { Datasource } from '@citewell/contracts/http';
import { GuardedHttpClient, readBody } from '@citewell/web';
import { GeneratedSite } from './crawl/generated-site.js';
import { ResourceWatch } from './crawl/resource-watch.js';
import { withSite } from './crawl/site-process.js';
import { ApiClient } from './product/api-client.js';
import { type StandaloneProcess, withStandalone } from './product/standalone-process.js';
import { round } from './product/timings.js';

const POLL_MS = 100;
const EXTRACTORS = 2;
const LOOPBACK = ['127.0.0.0/8'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    concurrency: { type: 'string', default: '16' },
    site: { type: 'string' },
    start: { type: 'string' },
  },
});
const pages = Number(positionals[0] ?? 2_000);
const variables = {
  ALLOW_PRIVATE_NETWORKS: LOOPBACK.join(','),
  CRAWL_DELAY_MS: '0',
  CRAWL_CONCURRENCY_PER_HOST: values.concurrency,
};

if (values.site === undefined) await measure();
else await look(values.site);

async function measure(): Promise<void> {
  const site = new GeneratedSite(pages);
  console.log(
    `${pages} pages of ${round(site.html(0).length / 1_000)} kB, ${values.concurrency} requests at once`,
  );
  await withSite('generated', String(pages), async (origin) => {
    const fetched = pages / (await secondsOf(() => fetchAll(site.paths.map((path) => origin + path))));
    const read = pages / (await readAll());
    await withStandalone({ variables }, async (product) => {
      const client = new ApiClient(product.url);
      const first = await watched(product, () => crawl(client, { sitemap: `${origin}/sitemap.xml` }));
      const { id } = first.result;
      const second = await watched(product, () => sync(client, id));
      client.close();
      const rate = pages / first.seconds;
      console.table({
        'fetching alone': { 'pages/s': round(fetched) },
        [`reading alone, ${EXTRACTORS} threads`]: { 'pages/s': round(read), 'of reading': 1 },
        'fetched, read and indexed': { 'pages/s': round(rate), 'of reading': round(rate / read) },
        'synced again, unchanged': {
          'pages/s': round(pages / second.seconds),
          'of the first time': round(second.seconds / first.seconds),
        },
      });
      print('first crawl', first);
      print('unchanged', second);
    });
  });
}

/** What becomes of a given site. */
async function look(folder: string): Promise<void> {
  for (const by of ['sitemap', 'links'] as const)
    await withSite('folder', folder, async (origin) => {
      if (by === 'links') await fetch(`${origin}/robots.txt?without-sitemap`);
      await withStandalone({ variables }, async (product) => {
        const client = new ApiClient(product.url);
        const config =
          by === 'sitemap'
            ? { sitemap: `${origin}/sitemap.xml` }
            : { source_url: origin + (values.start ?? '/docs') };
        let progress: unknown;
        const started = performance.now();
        const site = await crawl(client, config, (seen) => (progress = seen.progress?.pages ?? progress));
        const seconds = round((performance.now() - started) / 1_000);
        console.log(`\nby ${by}: ${site.status}, ${site.error?.code ?? 'no error'}, ${seconds} s`, progress);
        const counts: Record<string, number> = {};
        for (const { status, error, name } of await pagesOf(client, site)) {
          const what = error === null ? status : `${status} ${error.code} ${new URL(name).pathname}`;
          counts[what] = (counts[what] ?? 0) + 1;
        }
        console.table(counts);
        client.close();
      });
    });
}

async function fetchAll(urls: readonly string[]): Promise<void> {
  const client = new GuardedHttpClient({ userAgent: 'Citewell benchmark', allowPrivateNetworks: LOOPBACK });
  const queue = urls.values();
  const fetcher = async (): Promise<void> => {
    for (const url of queue) await readBody(await client.fetch(url, { maxBytes: 1e8, timeoutMs: 60_000 }));
  };
  await Promise.all(Array.from({ length: Number(values.concurrency) }, fetcher));
  await client.close();
}

/** @returns seconds */
async function readAll(): Promise<number> {
  const threads = Array.from(
    { length: EXTRACTORS },
    (_, first) =>
      new Worker(new URL('./crawl/extract.worker.js', import.meta.url), {
        workerData: { pages, first, step: EXTRACTORS },
      }),
  );
  const all = (): Promise<unknown> => Promise.all(threads.map((thread) => once(thread, 'message')));
  await all();
  return secondsOf(async () => {
    const done = all();
    for (const thread of threads) thread.postMessage('go');
    await done;
  });
}

async function crawl(
  client: ApiClient,
  config: object,
  onLook: (site: Datasource) => void = () => undefined,
): Promise<Datasource> {
  const datastoreId = await client.createDatastore();
  const { id } = await client.json<Datasource>('POST', 'datasources', {
    type: 'web_site',
    datastoreId,
    config: { ...config, maxPages: 100_000 },
  });
  return settled(client, id, onLook);
}

async function sync(client: ApiClient, id: string): Promise<Datasource> {
  await client.json('POST', `datasources/${id}/sync`);
  return settled(client, id);
}

async function settled(
  client: ApiClient,
  id: string,
  onLook: (site: Datasource) => void = () => undefined,
): Promise<Datasource> {
  for (;;) {
    const site = await client.datasource(id);
    onLook(site);
    if (site.progress === null) return site;
    await sleep(POLL_MS);
  }
}

async function pagesOf(client: ApiClient, { id, datastoreId }: Datasource): Promise<Datasource[]> {
  const found: Datasource[] = [];
  for (;;) {
    const last = found.at(-1);
    const cursor = last === undefined ? '' : `&cursor=${last.id}`;
    const path = `datasources?datastoreId=${datastoreId}&groupId=${id}&limit=100${cursor}`;
    const page = await client.json<Datasource[]>('GET', path);
    found.push(...page);
    if (page.length < 100) return found;
  }
}

async function watched<Result>(product: StandaloneProcess, work: () => Promise<Result>) {
  const watch = new ResourceWatch(product.pid);
  const started = performance.now();
  const result = await work();
  const seconds = (performance.now() - started) / 1_000;
  return { result, seconds, ...watch.stop() };
}

function print(
  name: string,
  { result, seconds, cpu, ...memory }: Awaited<ReturnType<typeof watched<Datasource>>>,
): void {
  const { status, error, stats } = result;
  console.log(
    `${name}: ${round(seconds)} s, ${status}${error === null ? '' : ` (${error.message})`}, ${stats.pages} pages, ${stats.chunks} chunks; ` +
      `at most ${memory.peakPssMegabytes} MB PSS (Postgres ${memory.postgresPssMegabytes}), ${memory.peakRssMegabytes} MB RSS`,
  );
  console.table(
    Object.fromEntries([...cpu].map(([part, ms]) => [part, { 'CPU ms': ms, 'a page': round(ms / pages) }])),
  );
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1_000;
}
