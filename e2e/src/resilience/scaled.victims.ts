import { SCALED_APPS, type ScaledDeployment } from './scaled.deployment.js';
import type { Victim } from './storm.js';

/** Whom a kill may hit in the scaled deployment: each app, and Redis, which comes back with its data. */
export function scaledVictims(deployment: ScaledDeployment): Victim[] {
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
