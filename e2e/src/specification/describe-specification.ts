import type { ModelServer } from '@citewell/testing';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { ApiClient } from '../client/api-client.js';
import { Tenant } from '../client/tenant.js';
import type { Deployment, Environment, StartDeployment } from '../deployments/deployment.js';
import { type DeploymentWithModel, startWithModel } from '../deployments/model.deployment.js';

/** What the parts of the specification share: one deployment, two organizations and a scripted model. */
export interface SpecificationFixture {
  readonly deployment: Deployment;
  /** Client of the organization that exists from the start, the only one with {@link LIMITS}. */
  readonly first: ApiClient;
  readonly admin: ApiClient;
  readonly alice: Tenant;
  readonly bob: Tenant;
  readonly model: ModelServer;
}

/**
 * Declares the tests of one part. Tests call `fixture` when they run: the deployment starts after the
 * declaration.
 */
export type SpecificationPart = (fixture: () => SpecificationFixture) => void;

export const MAX_UPLOAD_BYTES = 1_000_000;

/** Usage limits of the organization that exists from the start. Other organizations have none. */
export const LIMITS = { agentQueries: 3, storedCharacters: 5_000 };

/** The only model name with a model behind it, the scripted one. Agents with other names quote passages. */
export const WITH_MODEL = 'gpt_4';

/** Declares a suite that runs all parts against one deployment. */
export function describeSpecification(
  name: string,
  start: StartDeployment,
  parts: readonly SpecificationPart[],
  env: Environment,
): void {
  describe(name, () => {
    let fixture: SpecificationFixture | undefined;
    let started: DeploymentWithModel | undefined;

    beforeAll(async () => {
      started = await startWithModel(start, {
        MODEL_GPT_4: 'test-chat',
        MAX_UPLOAD_BYTES: String(MAX_UPLOAD_BYTES),
        LEASE_SECONDS: '3',
        RATE_LIMIT_PER_MINUTE: '0',
        VISITOR_RATE_LIMIT_PER_MINUTE: '0',
        LIMIT_AGENT_QUERIES_PER_MONTH: String(LIMITS.agentQueries),
        LIMIT_STORED_CHARACTERS: String(LIMITS.storedCharacters),
        ...env,
      });
      const { deployment, model } = started;
      const first = new ApiClient(deployment.baseUrl, deployment.apiKey);
      fixture = {
        deployment,
        first,
        admin: first.with(deployment.adminKey),
        alice: await Tenant.create(deployment, 'Alice'),
        bob: await Tenant.create(deployment, 'Bob'),
        model,
      };
    });

    afterAll(async () => {
      // Set by scripts/jest/environment.mjs.
      if ('hasFailedTests' in globalThis && fixture) printWarnings(fixture.deployment);
      await started?.stop();
    });

    const startedFixture = (): SpecificationFixture => {
      if (!fixture) throw new Error('The deployment has not started');
      return fixture;
    };
    for (const part of parts) part(startedFixture);
  });
}

/** Prints the warnings and errors that the processes logged, to explain a failed test. */
function printWarnings({ processes }: Deployment): void {
  for (const { name, output } of Object.values(processes)) {
    const lines = output.split('\n').filter((line) => !/"level":"?(info|debug|30|20)/.test(line));
    process.stderr.write(`--- ${name}\n${lines.slice(-40).join('\n')}\n`);
  }
}
