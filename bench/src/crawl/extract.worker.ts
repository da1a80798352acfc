// Reads every second page of a generated site, and says how long it took.
import { parentPort, workerData } from 'node:worker_threads';
import { readPage } from '@citewell/documents/web-page';
import { GeneratedSite } from './generated-site.js';

// The benchmark starts this thread, with exactly this.
const { pages, first, step } = workerData as { pages: number; first: number; step: number };
const site = new GeneratedSite(pages);
const sources: Buffer[] = [];
for (let n = first; n < pages; n += step) sources.push(Buffer.from(site.html(n)));
const read = async (bytes: Buffer): Promise<void> =>
  void (await readPage(bytes, { url: 'http://127.0.0.1/docs/page', contentType: 'text/html' }));
for (const bytes of sources.slice(0, 200)) await read(bytes);
parentPort?.postMessage('ready');
parentPort?.once('message', () => void work());

async function work(): Promise<void> {
  for (const bytes of sources) await read(bytes);
  parentPort?.postMessage('done');
  parentPort?.close();
}
