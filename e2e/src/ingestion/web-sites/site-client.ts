import assert from 'node:assert/strict';
import {
  type Datasource,
  datasourceSchema,
  type RunItem,
  runSchema,
  type SiteUrl,
  siteUrlSchema,
} from '@citewell/contracts/schemas';
import { expect } from '@jest/globals';
import { z } from 'zod';
import type { ApiResponse } from '../../client/api-response.js';
import type { Tenant } from '../../client/tenant.js';

/** `synched`, or the code of the error, by path. */
export type PageStates = Record<string, string>;

/** A web site of a tenant, in a datastore of its own. */
export class SiteClient {
  private constructor(
    private readonly tenant: Tenant,
    readonly datastoreId: string,
    readonly id: string,
  ) {}

  /** Adds a site and does not wait. */
  static async add(tenant: Tenant, config: Record<string, unknown>): Promise<SiteClient> {
    const { id: datastoreId } = await tenant.datastore();
    const body = { type: 'web_site', datastoreId, config };
    const created = (await tenant.api.post('/datasources', body)).as(datasourceSchema.strict());
    expect([created.type, created.status, created.groupId]).toEqual(['web_site', 'unsynched', null]);
    return new SiteClient(tenant, datastoreId, created.id);
  }

  /** Adds a site and waits until it is finished. */
  static async crawl(tenant: Tenant, config: Record<string, unknown>): Promise<SiteClient> {
    const site = await SiteClient.add(tenant, config);
    await site.finished();
    return site;
  }

  view(): Promise<Datasource> {
    return this.tenant.datasource(this.id);
  }

  /** The sentence that the user reads about the last sync; empty when there is none. */
  async message(): Promise<string> {
    return (await this.view()).error?.message ?? '';
  }

  finished(): Promise<Datasource> {
    return this.tenant.waitUntilFinished(this.id, 60_000);
  }

  async requestSync(body?: object): Promise<void> {
    (await this.tenant.api.post(`/datasources/${this.id}/sync`, body)).assertOk();
  }

  /** Syncs the site and waits until it is finished. */
  async sync(body?: object): Promise<Datasource> {
    await this.requestSync(body);
    return this.finished();
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
    assert.ok(page, `${path} is not a page`);
    return page;
  }

  async states(): Promise<PageStates> {
    return Object.fromEntries(
      (await this.pages())
        .map(({ name, status, error }) => [pathOf(name), error?.code ?? status] as const)
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    );
  }

  /** The outcome and the reason of each URL of the latest crawl, by path. Reads in pages of five. */
  async outcomes(outcome?: string): Promise<Record<string, string>> {
    const found: SiteUrl[] = [];
    let next: string | null = `/datasources/${this.id}/urls?limit=5${outcome ? `&outcome=${outcome}` : ''}`;
    while (next !== null) {
      const response: ApiResponse = await this.tenant.api.get(next);
      found.push(...response.as(z.array(siteUrlSchema.strict())));
      next = /<\/api(.+)>/.exec(response.header('link') ?? '')?.[1] ?? null;
    }
    expect(found.filter(({ reason, message }) => (reason === null) !== (message === null))).toEqual([]);
    return Object.fromEntries(
      found.map(({ url, outcome: is, reason }) => [pathOf(url), reason === null ? is : `${is} ${reason}`]),
    );
  }

  async paths(): Promise<string[]> {
    return Object.keys(await this.states());
  }

  /** Paths of the pages that a query finds, the best first. */
  async find(query: string): Promise<string[]> {
    const hits = await this.tenant.search(this.datastoreId, query);
    return [...new Set(hits.map(({ source }) => pathOf(source)))];
  }

  /** What articles answer: their name by path. */
  async articles(): Promise<Record<string, string>> {
    const hits = await this.tenant.search(this.datastoreId, 'This page tells of', { topK: 100 });
    return Object.fromEntries(
      hits
        .map(({ source, text }) => [pathOf(source), /tells of (.+?)[,.]/.exec(text)?.[1] ?? text] as const)
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    );
  }

  async runsOf(id: string): Promise<RunItem[]> {
    return (await this.tenant.api.get(`/datasources/${id}/runs`)).as(z.array(runSchema.strict()));
  }

  /** The number of runs of each page. */
  async runCounts(): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const { id, name } of await this.pages()) {
      const runs = (await this.runsOf(id)).filter(({ trigger }) => trigger !== 'reindex');
      counts[pathOf(name)] = runs.length;
    }
    return counts;
  }
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
