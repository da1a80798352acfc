import { it } from '@jest/globals';
import { SCALED_APPS } from '../../deployments/scaled.deployment.js';
import { compareWithKills } from './compare-with-kills.js';
import { makeCorpus } from './corpus.js';
import { disturbScaled } from '../../deployments/disturbed.js';
import { SeededRandom } from './seeded-random.js';

it('ten kills while 200 documents are ingested lose no acknowledged upload and leave nothing else, scaled', async () => {
  await disturbScaled(async (deployment) => {
    const apps = SCALED_APPS.map((app) => ({
      name: app,
      kill: () =>
        deployment
          .app(app)
          .kill()
          .then(() => true),
      restart: () => deployment.startApp(app),
    }));
    // Redis is restarted with its data.
    const redis = {
      name: 'redis',
      kill: () => deployment.redis.kill().then(() => true),
      restart: () => deployment.redis.restart(),
    };
    await compareWithKills({
      deployment,
      files: makeCorpus(200, 3),
      targets: [...apps, redis],
      kills: 10,
      random: new SeededRandom(3),
      pauseMs: [200, 1_500],
    });
  });
}, 900_000);
