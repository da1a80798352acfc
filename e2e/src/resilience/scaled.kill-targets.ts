import { SCALED_APPS, type ScaledDeployment } from './scaled.deployment.js';
import type { KillTarget } from './compare-with-kills.js';

/** The processes to kill in a scaled deployment: each app, and Redis, which is restarted with its data. */
export function scaledKillTargets(deployment: ScaledDeployment): KillTarget[] {
  const apps = SCALED_APPS.map((app) => ({
    name: app,
    async kill() {
      await deployment.app(app).kill();
      return true;
    },
    restart: () => deployment.startApp(app),
  }));
  const redis = {
    name: 'redis',
    async kill() {
      await deployment.redis.kill();
      return true;
    },
    restart: () => deployment.redis.restart(),
  };
  return [...apps, redis];
}
