import { setTimeout as sleep } from 'node:timers/promises';
import type { Datasource } from '@citewell/contracts/schemas';
import type { BenchClient } from '../product/bench-client.js';
import { pssOf, threadsOf } from '../product/process-tree.js';

const POLL_MS = 100;
const SAMPLE_MS = 1_000;

/** The state of a crawl at one moment. */
export interface Sample {
  readonly seconds: number;
  /** Pages that were fetched and classified. */
  readonly fetched: number;
  /** Memory of the main process, in bytes. */
  readonly pss: number;
  /** Processor time of the main thread, in ms. */
  readonly cpuMs: number;
}

/** A finished crawl. */
export interface CrawlRun {
  readonly site: Datasource;
  readonly samples: readonly Sample[];
}

/** Adds a site to a datastore of its own, and waits until it has been crawled. @param pid of the product */
export async function crawl(client: BenchClient, config: object, pid: number): Promise<CrawlRun> {
  const datastoreId = await client.createDatastore();
  const { id } = await client.json<Datasource>('POST', 'datasources', {
    type: 'web_site',
    datastoreId,
    config,
  });
  return waitUntilFinished(client, id, pid);
}

/** Syncs a site, and waits for the end. @param pid of the product */
export async function sync(client: BenchClient, id: string, pid: number): Promise<CrawlRun> {
  await client.json('POST', `datasources/${id}/sync`);
  return waitUntilFinished(client, id, pid);
}

/** All pages of a site. */
export async function pagesOf(client: BenchClient, { id, datastoreId }: Datasource): Promise<Datasource[]> {
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

async function waitUntilFinished(client: BenchClient, id: string, pid: number): Promise<CrawlRun> {
  const samples: Sample[] = [];
  const started = performance.now();
  for (let sampledAtMs = -Infinity; ; await sleep(POLL_MS)) {
    const site = await client.datasource(id);
    if (performance.now() - sampledAtMs >= SAMPLE_MS) {
      sampledAtMs = performance.now();
      const seconds = (sampledAtMs - started) / 1_000;
      const cpuMs = threadsOf(pid).find(({ isMain }) => isMain)?.cpuMs ?? 0;
      samples.push({ seconds, fetched: site.progress?.pages?.fetched ?? 0, pss: pssOf(pid), cpuMs });
    }
    if (site.progress === null) return { site, samples };
  }
}
