import type { Deployment, Environment } from './deployment.js';
import { EmbeddedDeployment } from './embedded.deployment.js';
import { ScaledDeployment } from './scaled.deployment.js';

/** Short leases, so that runs interrupted by a kill are resumed within seconds. */
export const DISTURBED = { LEASE_SECONDS: '3', RATE_LIMIT_PER_MINUTE: '0' };
/** Blobs are in a directory: two concurrent writes of one key mix their bytes in the S3 server for tests. */
export const DISTURBED_SCALED = { ...DISTURBED, S3_ENDPOINT: '' };

/** Runs `work` on a new embedded deployment with {@link DISTURBED}. Its files are kept if `work` fails. */
export async function disturbEmbedded(
  work: (deployment: EmbeddedDeployment) => Promise<void>,
  env: Environment = {},
): Promise<void> {
  const deployment = await EmbeddedDeployment.create({ ...DISTURBED, ...env });
  await keepFilesOnFailure(deployment, async () => {
    await deployment.start();
    await work(deployment);
  });
}

/** Runs `work` on a new scaled deployment with {@link DISTURBED_SCALED}. Its files are kept if `work` fails. */
export async function disturbScaled(
  work: (deployment: ScaledDeployment) => Promise<void>,
  env: Environment = {},
): Promise<void> {
  const deployment = await ScaledDeployment.start({ ...DISTURBED_SCALED, ...env });
  await keepFilesOnFailure(deployment, () => work(deployment));
}

async function keepFilesOnFailure(deployment: Deployment, work: () => Promise<void>): Promise<void> {
  let keepFiles = true;
  try {
    await work();
    keepFiles = false;
  } finally {
    await deployment.stop({ keepFiles });
  }
}
