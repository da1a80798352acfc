import { describe } from '@jest/globals';
import type { StartDeployment } from './deployment.js';
import { startEmbedded } from './embedded.deployment.js';
import { startScaled } from './scaled.deployment.js';

/**
 * Declares a suite for the embedded deployment, or for the scaled one if `TEST_DEPLOYMENT` is `scaled`, as in
 * `scaled.soak.ts`. Both deployments run the same code, and every adapter passes its conformance suite.
 */
export function describeDeployment(name: string, declare: (start: StartDeployment) => void): void {
  const isScaled = process.env['TEST_DEPLOYMENT'] === 'scaled';
  describe(`${name}, ${isScaled ? 'scaled' : 'embedded'}`, () =>
    declare(isScaled ? startScaled : startEmbedded));
}
