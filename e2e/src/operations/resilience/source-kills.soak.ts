import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RCLONE } from '@citewell/testing/source-servers';
import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { disturbEmbedded, disturbScaled } from '../../deployments/disturbed.js';
import type { EmbeddedDeployment } from '../../deployments/embedded.deployment.js';
import { descendantsOf } from '../../deployments/processes.js';
import {
  feedPartner,
  folderPartner,
  mailboxPartner,
  type Partner,
  programPartner,
  programsOf,
  repositoryPartner,
  storagePartner,
} from '../../ingestion/sources/partners.js';
import { compareSourcesWithKills } from './compare-source-with-kills.js';
import { SeededRandom } from './seeded-random.js';

const SIZE = { documents: 250, changes: 16, kills: 50 };

describe('50 kills while sources of each kind are synched', () => {
  let root: string;
  let partners: Record<string, Partner>;
  beforeAll(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'source-kills-')));
    partners = {
      folder: await folderPartner(root),
      webdav: await storagePartner('webdav'),
      sftp: await storagePartner('sftp'),
      repository: await repositoryPartner(),
      mailbox: await mailboxPartner(),
      feed: await feedPartner(),
      program: await programPartner(root),
    };
  });
  afterAll(async () => {
    await Promise.all(Object.values(partners).map((partner) => partner.stop()));
    await rm(root, { recursive: true });
  });
  const environment = () => ({
    ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8',
    FOLDERS: root,
    SOURCE_PROGRAMS: programsOf(root),
    RCLONE_PATH: RCLONE,
    EMBEDDING_MODEL: 'none',
    CITEWELL_SECRET: 'a-secret-of-the-operator',
  });

  it('embedded: the service or its crawler', async () => {
    await disturbEmbedded(async (deployment) => {
      const random = new SeededRandom(1);
      await compareSourcesWithKills({
        ...SIZE,
        deployment,
        partners,
        random,
        killAndRestart: async () => {
          if (random.next() < 0.3 && (await killCrawler(deployment))) return;
          await deployment.kill();
          await deployment.start();
        },
      });
    }, environment());
  });

  it('scaled: the crawler, or the API with the dispatcher', async () => {
    await disturbScaled(async (deployment) => {
      const random = new SeededRandom(2);
      await compareSourcesWithKills({
        ...SIZE,
        deployment,
        partners,
        random,
        killAndRestart: async () => {
          const app = random.pick(['worker-crawler', 'worker-crawler', 'worker-crawler', 'api'] as const);
          await deployment.app(app).kill();
          await deployment.startApp(app);
        },
      });
    }, environment());
  });
});

/** The service starts it again. @returns false when it was not running */
async function killCrawler(deployment: EmbeddedDeployment): Promise<boolean> {
  for (const pid of await descendantsOf(deployment.process.pid)) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (command.includes('crawler.main')) return process.kill(pid, 'SIGKILL');
  }
  return false;
}
