import { setTimeout as sleep } from 'node:timers/promises';
import type { Datasource } from '@citewell/contracts/schemas';
import type { Tenant } from '../../client/tenant.js';
import { article, TestSite } from '../../ingestion/web-sites/test-site.js';

const POLL_MS = 1_000;

/** A web site that is crawled again and again. All pages change before each sync. */
export class SiteLoad {
  private version = 1;
  private isStopping = false;
  private work: Promise<void> = Promise.resolve();
  /** Syncs that ended. */
  syncs = 0;
  readonly problems: string[] = [];

  private constructor(
    private readonly tenant: Tenant,
    private readonly site: TestSite,
    private readonly pages: number,
    private readonly datastoreId: string,
    private readonly id: string,
  ) {}

  static async start(tenant: Tenant, pages: number): Promise<SiteLoad> {
    const site = await TestSite.start();
    const { id: datastoreId } = await tenant.datastore('Site');
    site.sitemap(Array.from({ length: pages }, (_, page) => `/${page}`));
    const { id } = await tenant.webSite(datastoreId, { source_url: site.url('/0') });
    const load = new SiteLoad(tenant, site, pages, datastoreId, id);
    site.set('/*', (_count, path) => ({ body: article(load.wordOf(path)) }));
    load.work = load.repeat();
    return load;
  }

  /** When the site got its last request. */
  get lastRequestAt(): number {
    return this.site.requests.at(-1)?.startedAtMs ?? 0;
  }

  /** Waits for the sync that runs, and compares every page with the site. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await this.work;
    const pages = await this.tenant.datasources(this.datastoreId, this.id);
    const wrong = pages.filter(({ status }) => status !== 'synched');
    if (pages.length !== this.pages) this.problems.push(`${pages.length} pages, not ${this.pages}`);
    for (const { name, status, error } of wrong)
      this.problems.push(`${name}: ${status} ${error?.message ?? ''}`);
    for (let page = 0; page < this.pages; page += 1) {
      const word = this.wordOf(`/${page}`);
      const [hit] = await this.tenant.search(this.datastoreId, `What tells of ${word}?`, { topK: 1 });
      if (hit?.text.includes(word) !== true) this.problems.push(`${word} is not found`);
    }
    await this.site.stop();
  }

  private async repeat(): Promise<void> {
    for (;;) {
      const { status, error } = await this.finished();
      this.syncs += 1;
      if (status !== 'synched') this.problems.push(`sync ${this.syncs}: ${status} ${error?.message ?? ''}`);
      if (this.isStopping) return;
      this.site.forgetRequests();
      this.version += 1;
      await retried(() => this.tenant.sync(this.id));
    }
  }

  private async finished(): Promise<Datasource> {
    for (;;) {
      await sleep(POLL_MS);
      const site = await retried(() => this.tenant.datasource(this.id));
      if (site.status !== 'unsynched' && site.status !== 'running') return site;
    }
  }

  private wordOf(path: string): string {
    return `pier${path.slice(1)}v${this.version}`;
  }
}

async function retried<Result>(request: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await request();
    } catch {
      await sleep(POLL_MS);
    }
  }
}
