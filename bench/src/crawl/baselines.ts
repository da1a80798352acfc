import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { GuardedHttpClient, readBody } from '@citewell/web';

export const PARSING_THREADS = 2;

/** Fetches URLs with the guarded client, and does nothing else. @returns pages per second */
export async function fetchAlone(urls: readonly string[], concurrency: number): Promise<number> {
  const allowPrivateNetworks = ['127.0.0.0/8'];
  const client = new GuardedHttpClient({ userAgent: 'Citewell benchmark', allowPrivateNetworks });
  const queue = urls.values();
  const fetchSome = async (): Promise<void> => {
    for (const url of queue) await readBody(await client.fetch(url, { maxBytes: 1e8, timeoutMs: 60_000 }));
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: concurrency }, fetchSome));
  const seconds = (performance.now() - started) / 1_000;
  await client.close();
  return urls.length / seconds;
}

/** Parses the pages of a generated site, and does nothing else. @returns pages per second */
export async function parseAlone(pages: number): Promise<number> {
  const threads = Array.from(
    { length: PARSING_THREADS },
    (_, first) =>
      new Worker(new URL('./extract.worker.js', import.meta.url), {
        workerData: { pages, first, step: PARSING_THREADS },
      }),
  );
  const messages = (): Promise<unknown> => Promise.all(threads.map((thread) => once(thread, 'message')));
  await messages();
  const started = performance.now();
  const done = messages();
  for (const thread of threads) thread.postMessage('go');
  await done;
  return pages / ((performance.now() - started) / 1_000);
}
