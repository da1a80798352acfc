import assert from 'node:assert/strict';
import { type Datasource, datasourceSchema, type RunItem, runSchema } from '@citewell/contracts/http';
import { z } from 'zod';
import { type Tenant, until } from '../client/tenant.js';

/** What became of a site's page, by its path. */
export type PageStates = Record<string, string>;

/** A web site as a tenant has it. */
export class SiteOfTenant {
  private constructor(
    private readonly tenant: Tenant,
    readonly datastoreId: string,
    readonly id: string,
  ) {}

  /** Adds a site to a datastore of its own, and does not wait. */
  static async add(tenant: Tenant, config: Record<string, unknown>): Promise<SiteOfTenant> {
    const { id: datastoreId } = await tenant.datastore();
    const body = { type: 'web_site', datastoreId, config };
    const created = (await tenant.api.post('/datasources', body)).as(datasourceSchema.strict());
    assert.deepEqual([created.type, created.status, created.groupId], ['web_site', 'unsynched', null]);
    return new SiteOfTenant(tenant, datastoreId, created.id);
  }

  /** Adds a site and waits until it has come to an end. */
  static async crawled(tenant: Tenant, config: Record<string, unknown>): Promise<SiteOfTenant> {
    const site = await SiteOfTenant.add(tenant, config);
    await site.settled();
    return site;
  }

  async view(): Promise<Datasource> {
    return this.tenant.datasource(this.id);
  }

  async settled(timeoutMs = 60_000): Promise<Datasource> {
    return until(
      async () => {
        const view = await this.view();
        return view.progress === null ? view : null;
      },
      `site ${this.id} to settle`,
      timeoutMs,
    );
  }

  /** Brings it up to date and waits for the end. */
  async sync(): Promise<Datasource> {
    (await this.tenant.api.post(`/datasources/${this.id}/sync`)).assertOk();
    return this.settled();
  }

  async configure(config: Record<string, unknown>): Promise<void> {
    (await this.tenant.api.patch(`/datasources/${this.id}`, { config })).assertOk();
  }

  async cancel(): Promise<Datasource> {
    return (await this.tenant.api.post(`/datasources/${this.id}/cancel`)).as(datasourceSchema.strict());
  }

  async pages(): Promise<Datasource[]> {
    const found: Datasource[] = [];
    for (;;) {
      const last = found.at(-1);
      const cursor = last === undefined ? '' : `&cursor=${last.id}`;
      const path = `/datasources?groupId=${this.id}&datastoreId=${this.datastoreId}&limit=100${cursor}`;
      const page = (await this.tenant.api.get(path)).as(z.array(datasourceSchema.strict()));
      found.push(...page);
      if (page.length < 100) return found;
    }
  }

  async page(path: string): Promise<Datasource> {
    const page = (await this.pages()).find(({ name }) => pathOf(name) === path);
    assert.ok(page, `${path} is no page`);
    return page;
  }

  /** Status of each page by path, or the code of its error. */
  async states(): Promise<PageStates> {
    return Object.fromEntries(
      (await this.pages())
        .map(({ name, status, error }) => [pathOf(name), error?.code ?? status] as const)
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    );
  }

  async paths(): Promise<string[]> {
    return Object.keys(await this.states());
  }

  /** Paths of pages that a query finds, the best first. */
  async find(query: string): Promise<string[]> {
    const hits = await this.tenant.search(this.datastoreId, query);
    return [...new Set(hits.map(({ source }) => pathOf(source)))];
  }

  async runsOf(id: string): Promise<RunItem[]> {
    return (await this.tenant.api.get(`/datasources/${id}/runs`)).as(z.array(runSchema.strict()));
  }

  /** How many runs each page has had. */
  async runCounts(): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const { id, name } of await this.pages()) counts[pathOf(name)] = (await this.runsOf(id)).length;
    return counts;
  }
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
