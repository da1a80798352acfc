import { freePort } from '@citewell/testing';
import { ApiClient } from '../client/api-client.js';
import { Tenant } from '../client/tenant.js';
import type { RunningProcess } from '@citewell/testing/product';
import { SCALED_APPS, ScaledDeployment } from '../resilience/scaled.deployment.js';
import { waitUntil } from '../resilience/wait-until.js';

/** User agents of the two crawlers. */
export const USER_AGENTS = ['CrawlerOne/1.0', 'CrawlerTwo/1.0'] as const;

/** A scaled deployment with two crawlers, whose processes can be killed. */
export class TwoCrawlers {
  private constructor(
    readonly deployment: ScaledDeployment,
    private readonly secondPort: number,
    private first: RunningProcess,
  ) {}

  static async start(env: Readonly<Record<string, string>>): Promise<TwoCrawlers> {
    const deployment = await ScaledDeployment.start({ ...env, CRAWL_USER_AGENT: USER_AGENTS[0] });
    const crawlers = new TwoCrawlers(deployment, await freePort(), deployment.app('worker-crawler'));
    await crawlers.startSecond();
    return crawlers;
  }

  get tenant(): Tenant {
    const { origin, key } = this.deployment.client;
    return new Tenant(new ApiClient(`${origin}/api`, key), '');
  }

  /** Kills the API and all workers at once, and starts them again. */
  async killAll(): Promise<void> {
    await Promise.all([this.first.kill(), ...SCALED_APPS.map((app) => this.deployment.app(app).kill())]);
    await Promise.all(SCALED_APPS.map((app) => this.deployment.startApp(app)));
    this.first = this.deployment.app('worker-crawler');
    await this.startSecond();
  }

  async stop(): Promise<void> {
    await this.first.terminate();
    await this.deployment.dispose();
  }

  private async startSecond(): Promise<void> {
    const env = { WORKER_PORT: `${this.secondPort}`, CRAWL_USER_AGENT: USER_AGENTS[1] };
    this.deployment.launchApp('worker-crawler', env);
    const url = `http://127.0.0.1:${this.secondPort}/health/ready`;
    await waitUntil('the second crawler', async () => ((await fetch(url)).ok ? true : null));
  }
}
