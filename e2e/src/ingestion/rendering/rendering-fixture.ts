import { type Datasource, datasourceSchema } from '@citewell/contracts/schemas';
import { afterAll, beforeAll } from '@jest/globals';
import { Tenant } from '../../client/tenant.js';
import type { Deployment, Environment } from '../../deployments/deployment.js';
import { startEmbedded } from '../../deployments/embedded.deployment.js';
import { HarbourSite } from './harbour-site.js';

const SETTINGS: Environment = {
  ALLOW_PRIVATE_NETWORKS: '127.0.0.1/32',
  CRAWL_DELAY_MS: '0',
  RATE_LIMIT_PER_MINUTE: '0',
  RENDER_TIMEOUT_MS: '6000',
  RENDER_MEMORY_BYTES: String(700 * 1024 * 1024),
  ...(process.env['CHROMIUM_PATH'] ? { CHROMIUM_PATH: process.env['CHROMIUM_PATH'] } : {}),
};

/** An embedded deployment that crawls without pauses, with one organization and a site. */
export class RenderingFixture {
  private constructor(
    readonly site: HarbourSite,
    readonly deployment: Deployment,
    readonly tenant: Tenant,
  ) {}

  /** @param settings environment of the deployment */
  static async start(settings: (site: HarbourSite) => Environment): Promise<RenderingFixture> {
    const site = new HarbourSite();
    await site.start();
    try {
      const deployment = await startEmbedded({ ...SETTINGS, ...settings(site) });
      return new RenderingFixture(site, deployment, await Tenant.create(deployment));
    } catch (error) {
      site.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    await this.deployment.stop();
    this.site.stop();
  }

  /** Adds a web page or a web site. @param address a path of the site, or a URL */
  async add(datastoreId: string, type: string, address: string, config: object = {}): Promise<Datasource> {
    const { href } = new URL(address, this.site.origin);
    const body = { type, datastoreId, config: { source_url: href, ...config } };
    return (await this.tenant.api.post('/datasources', body)).as(datasourceSchema);
  }

  /** Adds a web page and waits until it is finished. */
  async page(datastoreId: string, address: string, config: object = {}): Promise<Datasource> {
    return this.tenant.waitUntilFinished((await this.add(datastoreId, 'web_page', address, config)).id);
  }
}

/** Registers hooks that start a {@link RenderingFixture} for a suite and stop it. The result is called inside tests. */
export function renderingFixture(
  settings: (site: HarbourSite) => Environment = () => ({}),
): () => RenderingFixture {
  let fixture: RenderingFixture | undefined;
  beforeAll(async () => {
    fixture = await RenderingFixture.start(settings);
  });
  afterAll(() => fixture?.stop());
  return () => {
    if (!fixture) throw new Error('The deployment has not started');
    return fixture;
  };
}
