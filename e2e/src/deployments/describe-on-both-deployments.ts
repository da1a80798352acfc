import { describe } from 'node:test';
import type { StartDeployment } from './deployment.js';
import { startEmbedded } from './embedded.deployment.js';
import { startScaled } from './scaled.deployment.js';

const STARTS: Readonly<Record<string, StartDeployment>> = { embedded: startEmbedded, scaled: startScaled };

/**
 * Declares tests for the embedded and for the scaled deployment, which run side by side: for what mostly waits. Within
 * each, one test runs at a time.
 *
 * @param declare is called once for each; the suite starts and stops the deployment itself
 */
export function describeOnBoth(name: string, declare: (start: StartDeployment) => void): void {
  describe(name, { concurrency: 2 }, () => {
    for (const [kind, start] of Object.entries(STARTS))
      describe(`${name}, ${kind}`, { concurrency: 1 }, () => declare(start));
  });
}
