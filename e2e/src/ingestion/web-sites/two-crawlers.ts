import type { RunningProcess } from '@citewell/testing/product';
import { DISTURBED_SCALED } from '../../deployments/disturbed.js';
import { SCALED_APPS, ScaledDeployment } from '../../deployments/scaled.deployment.js';

/** User agents of the two crawlers. */
export const USER_AGENTS = ['CrawlerOne/1.0', 'CrawlerTwo/1.0'] as const;

/** A scaled deployment with two crawlers, whose processes can be killed. */
export class TwoCrawlers {
  private constructor(
    readonly deployment: ScaledDeployment,
    private second: RunningProcess,
  ) {}

  static async start(env: Readonly<Record<string, string>>): Promise<TwoCrawlers> {
    const settings = { ...DISTURBED_SCALED, ...env, CRAWL_USER_AGENT: USER_AGENTS[0] };
    const deployment = await ScaledDeployment.start(settings);
    return new TwoCrawlers(deployment, await startSecond(deployment));
  }

  /** Kills the API and all workers at once, and starts them again. */
  async killAll(): Promise<void> {
    await Promise.all([this.second.kill(), ...SCALED_APPS.map((app) => this.deployment.app(app).kill())]);
    await Promise.all(SCALED_APPS.map((app) => this.deployment.startApp(app)));
    this.second = await startSecond(this.deployment);
  }

  async stop(): Promise<void> {
    await this.deployment.stop();
  }
}

function startSecond(deployment: ScaledDeployment): Promise<RunningProcess> {
  return deployment.startAnother('worker-crawler', { CRAWL_USER_AGENT: USER_AGENTS[1] });
}
