import type { RunningProcess } from '@citewell/testing/product';
import { SCALED_APPS, ScaledDeployment } from '../../deployments/scaled.deployment.js';
import { DISTURBED_SCALED } from '../../operations/resilience/disturbed.js';

/** User agents of the two crawlers. */
export const USER_AGENTS = ['CrawlerOne/1.0', 'CrawlerTwo/1.0'] as const;

/** A scaled deployment with two crawlers, whose processes can be killed. */
export class TwoCrawlers {
  private constructor(
    readonly deployment: ScaledDeployment,
    private first: RunningProcess,
  ) {}

  static async start(env: Readonly<Record<string, string>>): Promise<TwoCrawlers> {
    const deployment = await ScaledDeployment.start({
      ...DISTURBED_SCALED,
      ...env,
      CRAWL_USER_AGENT: USER_AGENTS[0],
    });
    const crawlers = new TwoCrawlers(deployment, deployment.app('worker-crawler'));
    await crawlers.startSecond();
    return crawlers;
  }

  /** Kills the API and all workers at once, and starts them again. */
  async killAll(): Promise<void> {
    await Promise.all([this.first.kill(), ...SCALED_APPS.map((app) => this.deployment.app(app).kill())]);
    await Promise.all(SCALED_APPS.map((app) => this.deployment.startApp(app)));
    this.first = this.deployment.app('worker-crawler');
    await this.startSecond();
  }

  async stop(): Promise<void> {
    await this.first.stop();
    await this.deployment.stop();
  }

  private async startSecond(): Promise<void> {
    await this.deployment.startApp('worker-crawler', { CRAWL_USER_AGENT: USER_AGENTS[1] });
  }
}
