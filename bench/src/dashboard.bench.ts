// Measures the dashboard in Chromium: the time until its pages can be used, with an empty cache, and the frames while
// the list of a library is scrolled to its end. The baseline is a library of 100 documents, from the same run.
//
//   node dist/dashboard.bench.js [--documents 50000] [--loads 5]
import { parseArgs } from 'node:util';
import { findRunningPostgres } from '@citewell/database/embedded';
import { chromiumForTests } from '@citewell/testing';
import pg from 'pg';
import { type Browser, chromium, type Page } from 'playwright-core';
import { API_KEY, StandaloneProcess, withDirectory } from './product/standalone-process.js';
import { round, Timings } from './product/timings.js';
import { BenchClient } from './product/bench-client.js';

/** A row of the table, below its head. */
const ROW = '[role=rowgroup] [role=row]';
const BASELINE_DOCUMENTS = 100;
/** Pixels of each turn of the wheel. */
const WHEEL_PX = 2_000;
/** Turns of the wheel that are measured; beyond them the list goes on in the same way. */
const MAX_TURNS = 600;

const { values } = parseArgs({
  options: { documents: { type: 'string', default: '50000' }, loads: { type: 'string', default: '5' } },
});

const executablePath = await chromiumForTests();
if (executablePath === null) throw new Error('This benchmark needs Chromium');

await withDirectory(async (directory) => {
  const product = await StandaloneProcess.start({ directory });
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const client = new BenchClient(product.url);
    const small = await client.createDatastore();
    const large = await client.createDatastore();
    await addDocuments(directory, { [small]: BASELINE_DOCUMENTS, [large]: Number(values.documents) });
    const rows: Record<string, Record<string, number>> = {
      'start page': await loadsOf(browser, product.url, '/ask', 'text=Ask your own documents'),
    };
    for (const [id, count] of [
      [small, BASELINE_DOCUMENTS],
      [large, Number(values.documents)],
    ] as const) {
      rows[`library of ${count}`] = await loadsOf(browser, product.url, `/library/${id}`, ROW);
      rows[`scrolling ${count}`] = await scroll(browser, product.url, `/library/${id}`);
    }
    console.table(rows);
    client.close();
  } finally {
    await browser.close();
    await product.stop();
  }
});

/** Adds finished documents to datastores. Their content does not matter here. */
async function addDocuments(directory: string, counts: Readonly<Record<string, number>>): Promise<void> {
  const database = new pg.Client({ connectionString: (await findRunningPostgres(directory)) ?? '' });
  await database.connect();
  for (const [datastoreId, count] of Object.entries(counts))
    await database.query(
      `INSERT INTO datasources (id, organization_id, datastore_id, type, name, status, last_synch)
       SELECT gen_random_uuid(), organization_id, id, 'file', 'document ' || n || '.pdf', 'synched', now()
         FROM datastores, generate_series(1, $2::int) n WHERE id = $1`,
      [datastoreId, count],
    );
  await database.end();
}

async function signedIn(browser: Browser, url: string): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
  const response = await page.request.post(`${url}/api/session`, { data: { key: API_KEY } });
  if (!response.ok()) throw new Error(`Signing in failed with ${response.status()}`);
  return page;
}

/** Milliseconds from the request of a page until an element is there. Each load has an empty cache. */
async function loadsOf(
  browser: Browser,
  url: string,
  path: string,
  selector: string,
): Promise<Record<string, number>> {
  const timings = new Timings();
  for (let load = 0; load < Number(values.loads); load += 1) {
    const page = await signedIn(browser, url);
    await timings.measure(async () => {
      await page.goto(url + path, { waitUntil: 'commit' });
      await page.waitForSelector(selector);
    });
    await page.context().close();
  }
  return timings.row();
}

/** Scrolls to the end of a list, or for a minute. The frames are those of the browser. */
async function scroll(browser: Browser, url: string, path: string): Promise<Record<string, number>> {
  const page = await signedIn(browser, url);
  await page.goto(url + path);
  await page.waitForSelector(ROW);
  await page.evaluate(`
    window.frames_ms = [];
    let last = performance.now();
    const tick = (now) => { window.frames_ms.push(now - last); last = now; requestAnimationFrame(tick); };
    requestAnimationFrame(tick);`);
  await page.mouse.move(700, 500);
  let turns = 0;
  let reached = -1;
  for (; turns < MAX_TURNS; turns += 1) {
    await page.mouse.wheel(0, WHEEL_PX);
    await page.waitForTimeout(50);
    const position = Number(await page.evaluate('Math.round(scrollY)'));
    if (position === reached) break;
    reached = position;
  }
  const frames = (await page.evaluate('window.frames_ms')) as number[];
  const sorted = frames.toSorted((a, b) => a - b);
  const quantile = (share: number): number => round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
  const rowsInPage = Number(await page.evaluate(`document.querySelectorAll('${ROW}').length`));
  await page.context().close();
  return {
    'p50 ms': quantile(0.5),
    'p99 ms': quantile(0.99),
    'max ms': quantile(1),
    frames: frames.length,
    'pixels scrolled': reached,
    'rows in the page': rowsInPage,
  };
}
