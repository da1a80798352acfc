import { describe } from '@jest/globals';
import type { StartDeployment } from './deployment.js';
import { startEmbedded } from './embedded.deployment.js';
import { startScaled } from './scaled.deployment.js';

const STARTS: Readonly<Record<string, StartDeployment>> = { embedded: startEmbedded, scaled: startScaled };

/**
 * Declares a suite twice, for what differs between the embedded and the scaled deployment.
 *
 * @param declare called once per deployment; the suite starts and stops the deployment itself
 */
export function describeOnBothDeployments(name: string, declare: (start: StartDeployment) => void): void {
  describe(name, () => {
    for (const [kind, start] of Object.entries(STARTS)) describe(`${name}, ${kind}`, () => declare(start));
  });
}
