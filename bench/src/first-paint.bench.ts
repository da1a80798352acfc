// Measures checkouts in turn: the time from the request of the Ask page and of the sign-in page until Chromium paints the
// first content, and until the first field can be used. Each load has an empty cache. The checkouts need their dashboard.
//
//   node dist/first-paint.bench.js [compiled checkout …] [--loads 15] [--cpu 4] [--kbits 1600] [--latency 150]
import { parseArgs } from 'node:util';
import { chromiumForTests } from '@citewell/testing';
import { type Browser, chromium, type Page } from 'playwright-core';
import { BenchClient } from './product/bench-client.js';
import { API_KEY, REPOSITORY, StandaloneProcess, withDirectory } from './product/standalone-process.js';
import { round, Timings } from './product/timings.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    loads: { type: 'string', default: '15' },
    /** How many times slower the processor is. */
    cpu: { type: 'string', default: '1' },
    /** Limit of the network; 0 is none. */
    kbits: { type: 'string', default: '0' },
    /** Milliseconds of each request. */
    latency: { type: 'string', default: '0' },
  },
});

/** The first field of each page, and whether somebody is signed in. */
const PAGES = [
  { name: 'Ask', path: '/ask', field: 'main textarea', isSignedIn: true },
  { name: 'sign-in', path: '/', field: 'form input', isSignedIn: false },
] as const;

interface Checkout {
  readonly repository: string;
  readonly product: StandaloneProcess;
  readonly timings: Readonly<Record<string, { readonly paint: Timings; readonly usable: Timings }>>;
}

const executablePath = await chromiumForTests();
if (executablePath === null) throw new Error('This benchmark needs Chromium');
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
await compare([...positionals, REPOSITORY], []);
await browser.close();

/** Starts the checkouts, each with a document, and loads their pages alternately. */
async function compare([repository, ...others]: readonly string[], started: Checkout[]): Promise<void> {
  if (repository !== undefined)
    return withDirectory(async (directory) => {
      const product = await StandaloneProcess.start({ directory, repository });
      try {
        await addDocument(product.url);
        const timings = Object.fromEntries(
          PAGES.map(({ name }) => [name, { paint: new Timings(), usable: new Timings() }]),
        );
        await compare(others, [...started, { repository, product, timings }]);
      } finally {
        await product.stop();
      }
    });
  for (let load = 0; load < Number(values.loads); load += 1)
    for (const one of started) for (const page of PAGES) await measure(browser, one, page);
  console.table(
    Object.fromEntries(
      PAGES.flatMap(({ name }) =>
        started.map((one) => [`${name}: ${one.repository}`, row(one.timings[name])]),
      ),
    ),
  );
}

/** Without a document, the Ask page is the guide. */
async function addDocument(url: string): Promise<void> {
  const client = new BenchClient(url);
  const datastoreId = await client.createDatastore();
  await client.createTexts(datastoreId, [{ name: 'Tides', text: 'The tide comes twice a day.' }]);
  await client.waitUntilFinished(datastoreId);
  await client.json('POST', 'agents', { name: 'Benchmark', datastoreIds: [datastoreId] });
  client.close();
}

async function measure(
  browser: Browser,
  { product: { url }, timings }: Checkout,
  { name, path, field, isSignedIn }: (typeof PAGES)[number],
): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  if (isSignedIn) await page.request.post(`${url}/api/session`, { data: { key: API_KEY } });
  await throttle(page);
  await page.goto(url + path, { waitUntil: 'commit' });
  await page.waitForSelector(`${field}:enabled`);
  const { usable, paint } = await page.evaluate(() => ({
    usable: performance.now(),
    paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
  }));
  timings[name]?.paint.add(paint);
  timings[name]?.usable.add(usable);
  await context.close();
}

async function throttle(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const bytesPerSecond = (Number(values.kbits) * 1_000) / 8 || -1;
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: Number(values.latency),
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: Number(values.cpu) });
}

function row(timings: { paint: Timings; usable: Timings } | undefined): Record<string, number> {
  const { paint = new Timings(), usable = new Timings() } = timings ?? {};
  return {
    loads: paint.count,
    'first paint p50 ms': round(paint.percentile(0.5)),
    'first paint p90 ms': round(paint.percentile(0.9)),
    'usable p50 ms': round(usable.percentile(0.5)),
    'usable p90 ms': round(usable.percentile(0.9)),
  };
}
