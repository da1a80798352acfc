import { afterAll, afterEach, beforeAll } from '@jest/globals';
import pg from 'pg';
import { Tenant, until } from '../../client/tenant.js';
import type { Deployment } from '../../deployments/deployment.js';
import { startEmbedded } from '../../deployments/embedded.deployment.js';
import { type DeploymentWithModel, startWithModel } from '../../deployments/model.deployment.js';
import { SiteClient } from './site-client.js';
import { article, TestSite } from './test-site.js';

/** Only 127.0.0.1 is allowed, so that 127.0.0.2 stands for a private network. */
const ENVIRONMENT = {
  ALLOW_PRIVATE_NETWORKS: '127.0.0.1/32',
  CRAWL_DELAY_MS: '0',
  CRAWL_CONCURRENCY_PER_HOST: '4',
  RATE_LIMIT_PER_MINUTE: '0',
  LEASE_SECONDS: '3',
  EMBEDDING_MODEL: 'test-embedding',
};

/** An embedded deployment that crawls without pauses, with an embedding model that records its inputs. */
export class SiteFixture {
  private readonly sites: TestSite[] = [];

  private constructor(
    private readonly started: DeploymentWithModel,
    readonly tenant: Tenant,
  ) {}

  static async start(): Promise<SiteFixture> {
    const started = await startWithModel(startEmbedded, ENVIRONMENT);
    return new SiteFixture(started, await Tenant.create(started.deployment));
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

  /** Starts a site with an article at `/NAME` for each name, and no sitemap. It stops after the test. */
  async siteOf(names: readonly string[] = [], host?: string): Promise<TestSite> {
    const site = await TestSite.start(host);
    this.sites.push(site);
    for (const name of names) site.set(`/${name}`, { body: article(name) });
    return site;
  }

  /** Adds a web site and waits until it is finished. */
  crawl(config: Record<string, unknown>): Promise<SiteClient> {
    return SiteClient.crawl(this.tenant, config);
  }

  /** Texts that were embedded since the last call. Waits until nothing is outstanding. */
  async embedded(): Promise<string[]> {
    const unfinished = `SELECT 1 FROM runs WHERE trigger = 'reindex' AND state IN ('pending', 'queued', 'active', 'waiting')`;
    await until(async () => (await this.query(unfinished, [])).length === 0, 'all pages to be embedded');
    return this.started.model.requests
      .splice(0)
      .filter(({ path }) => path === '/v1/embeddings')
      .flatMap(({ body }) => body['input'])
      .map(String);
  }

  /** Runs a statement in the database of the deployment. */
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

/** Registers hooks that start a {@link SiteFixture} for a suite and stop it. The result is called inside tests. */
export function siteFixture(): () => SiteFixture {
  let fixture: SiteFixture | undefined;
  beforeAll(async () => {
    fixture = await SiteFixture.start();
  });
  afterEach(() => fixture?.stopSites());
  afterAll(() => fixture?.stop());
  return () => {
    if (!fixture) throw new Error('The deployment has not started');
    return fixture;
  };
}
