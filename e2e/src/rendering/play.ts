import { after, before } from 'node:test';
import { type Datasource, datasourceSchema } from '@citewell/contracts/http';
import { Tenant } from '../client/tenant.js';
import type { Deployment, Environment } from '../deployments/deployment.js';
import { startEmbedded } from '../deployments/embedded.deployment.js';
import { HarbourSite } from './harbour-site.js';

const SETTINGS: Environment = {
  ALLOW_PRIVATE_NETWORKS: '127.0.0.1/32',
  CRAWL_DELAY_MS: '0',
  RATE_LIMIT_PER_MINUTE: '0',
  RENDER_TIMEOUT_MS: '6000',
  RENDER_MEMORY_BYTES: String(700 * 1024 * 1024),
  ...(process.env['CHROMIUM_PATH'] ? { CHROMIUM_PATH: process.env['CHROMIUM_PATH'] } : {}),
};

/** An embedded deployment that opens pages as soon as it can, one organization, and a site with pages to open. */
export class HarbourPlay {
  private constructor(
    readonly site: HarbourSite,
    readonly deployment: Deployment,
    readonly tenant: Tenant,
  ) {}

  /** @param settings of the deployment, which may be about the site */
  static async start(settings: (site: HarbourSite) => Environment): Promise<HarbourPlay> {
    const site = new HarbourSite();
    await site.start();
    try {
      const deployment = await startEmbedded({ ...SETTINGS, ...settings(site) });
      return new HarbourPlay(site, deployment, await Tenant.create(deployment));
    } catch (error) {
      site.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    await this.deployment.stop();
    this.site.stop();
  }

  /** Adds a page or a site. @param address a path of the site, or any address */
  async add(datastoreId: string, type: string, address: string, config: object = {}): Promise<Datasource> {
    const { href } = new URL(address, this.site.origin);
    const body = { type, datastoreId, config: { source_url: href, ...config } };
    return (await this.tenant.api.post('/datasources', body)).as(datasourceSchema);
  }

  /** Adds a page and waits until it has come to an end. */
  async page(datastoreId: string, address: string, config: object = {}): Promise<Datasource> {
    return this.tenant.waitUntilFinished((await this.add(datastoreId, 'web_page', address, config)).id);
  }
}

/** Starts a {@link HarbourPlay} for a suite, and stops it afterwards. It is there when the tests run. */
export function playInHarbour(settings: (site: HarbourSite) => Environment = () => ({})): () => HarbourPlay {
  let play: HarbourPlay | undefined;
  before(async () => {
    play = await HarbourPlay.start(settings);
  });
  after(() => play?.stop());
  return () => {
    if (!play) throw new Error('The deployment has not started');
    return play;
  };
}
