import { after, afterEach, before } from 'node:test';
import type { Datasource } from '@citewell/contracts/http';
import pg from 'pg';
import { Tenant } from '../client/tenant.js';
import type { Deployment } from '../deployments/deployment.js';
import { startEmbedded } from '../deployments/embedded.deployment.js';
import { type DeploymentWithModel, startWithModel } from '../deployments/model.deployment.js';
import { SiteOfTenant } from './site-tenant.js';
import { article, TestSite } from './test-site.js';

/** An embedded deployment that crawls as fast as it can, with an embedding model that counts, and sites to crawl. */
export class SitePlay {
  private readonly sites: TestSite[] = [];

  private constructor(
    private readonly started: DeploymentWithModel,
    readonly tenant: Tenant,
  ) {}

  static async start(): Promise<SitePlay> {
    const started = await startWithModel(startEmbedded, {
      ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8',
      CRAWL_DELAY_MS: '0',
      CRAWL_CONCURRENCY_PER_HOST: '4',
      RATE_LIMIT_PER_MINUTE: '0',
      LEASE_SECONDS: '3',
      EMBEDDING_MODEL: 'test-embedding',
    });
    return new SitePlay(started, await Tenant.create(started.deployment));
  }

  get deployment(): Deployment {
    return this.started.deployment;
  }

  async stop(): Promise<void> {
    await this.stopSites();
    await this.started.stop();
  }

  async stopSites(): Promise<void> {
    for (const site of this.sites.splice(0)) await site.stop();
  }

  /** A site with these pages, each with a text of its own, and no sitemap. */
  async siteOf(names: readonly string[]): Promise<TestSite> {
    const site = await TestSite.start();
    this.sites.push(site);
    for (const name of names) site.set(`/${name}`, { body: article(name) });
    return site;
  }

  /** Adds a site and waits until it has come to an end. */
  crawl(config: Record<string, unknown>): Promise<SiteOfTenant> {
    return SiteOfTenant.crawled(this.tenant, config);
  }

  /** Adds a site, and says what there is to say of it when it has come to an end. */
  async described(
    config: Record<string, unknown>,
  ): Promise<{ site: SiteOfTenant; view: Datasource; paths: string[] }> {
    const site = await this.crawl(config);
    return { site, view: await site.view(), paths: await site.paths() };
  }

  /** Texts that were embedded since the last time this was asked. */
  embedded(): string[] {
    return this.started.model.requests
      .splice(0)
      .filter(({ path }) => path === '/v1/embeddings')
      .flatMap(({ body }) => body['input'])
      .map(String);
  }

  /** Looks into the database. */
  async query<Row extends pg.QueryResultRow>(sql: string, values: readonly unknown[]): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.deployment.databaseUrl });
    await client.connect();
    try {
      return (await client.query<Row>(sql, [...values])).rows;
    } finally {
      await client.end();
    }
  }
}

/** Starts a {@link SitePlay} for a suite, and stops it afterwards. It is there when the tests run. */
export function playWithSites(): () => SitePlay {
  let play: SitePlay | undefined;
  before(async () => {
    play = await SitePlay.start();
  });
  afterEach(() => play?.stopSites());
  after(() => play?.stop());
  return () => {
    if (!play) throw new Error('The deployment has not started');
    return play;
  };
}
