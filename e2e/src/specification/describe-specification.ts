import { after, afterEach, before, describe } from 'node:test';
import type { ModelServer } from '@citewell/testing';
import { ApiClient } from '../client/api-client.js';
import { Tenant } from '../client/tenant.js';
import type { Deployment, Environment, StartDeployment } from '../deployments/deployment.js';
import { type DeploymentWithModel, startWithModel } from '../deployments/model.deployment.js';

/** What the parts of the specification share: one deployment, two organizations, a scripted model. */
export interface Play {
  readonly deployment: Deployment;
  /** The first organization's key; its limits are {@link LIMITS}. */
  readonly first: ApiClient;
  readonly admin: ApiClient;
  readonly alice: Tenant;
  readonly bob: Tenant;
  readonly model: ModelServer;
}

/** A part gets the play when its tests run, not when they are declared. */
export type Part = (play: () => Play) => void;

export const MAX_UPLOAD_BYTES = 1_000_000;

/** Of the first organization. The others have none. */
export const LIMITS = { agentQueries: 3, storedCharacters: 5_000 };

/** The agent's model name that leads to the scripted model; the others have no model and quote passages. */
export const WITH_MODEL = 'gpt_4';

/** Declares the parts for a deployment that is started once for all of them. */
export function playOn(name: string, start: StartDeployment, parts: readonly Part[], env: Environment): void {
  describe(name, () => {
    let play: Play | undefined;
    let started: DeploymentWithModel | undefined;
    let hasFailed = false;

    before(async () => {
      started = await startWithModel(start, {
        MODEL_GPT_4: 'test-chat',
        MAX_UPLOAD_BYTES: String(MAX_UPLOAD_BYTES),
        LEASE_SECONDS: '3',
        RATE_LIMIT_PER_MINUTE: '0',
        LIMIT_AGENT_QUERIES_PER_MONTH: String(LIMITS.agentQueries),
        LIMIT_STORED_CHARACTERS: String(LIMITS.storedCharacters),
        ...env,
      });
      const { deployment, model } = started;
      const first = new ApiClient(deployment.baseUrl, deployment.apiKey);
      play = {
        deployment,
        first,
        admin: first.with(deployment.adminKey),
        alice: await Tenant.create(deployment, 'Alice'),
        bob: await Tenant.create(deployment, 'Bob'),
        model,
      };
    });

    afterEach((context) => {
      hasFailed ||= 'passed' in context && context.passed === false;
    });

    after(async () => {
      if (hasFailed && play) reportProcesses(play.deployment);
      await started?.stop();
    });

    const current = (): Play => {
      if (!play) throw new Error('The deployment has not started');
      return play;
    };
    for (const part of parts) part(current);
  });
}

/** What the processes warned of, for whoever reads a failed run. */
function reportProcesses({ processes }: Deployment): void {
  for (const { name, output } of Object.values(processes)) {
    const lines = output.split('\n').filter((line) => !/"level":"?(info|debug|30|20)/.test(line));
    process.stderr.write(`--- ${name}\n${lines.slice(-40).join('\n')}\n`);
  }
}
