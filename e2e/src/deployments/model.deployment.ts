import { after, before } from 'node:test';
import { type ModelServer, startModelServer } from '@citewell/testing';
import { Tenant } from '../client/tenant.js';
import type { Deployment, Environment, StartDeployment } from './deployment.js';

/** A deployment whose provider of models is scripted. */
export interface DeploymentWithModel {
  readonly deployment: Deployment;
  readonly model: ModelServer;
  /** Stops both. */
  stop(): Promise<void>;
}

/** @param env says which models there are, under which names; where they are is added */
export async function startWithModel(start: StartDeployment, env: Environment): Promise<DeploymentWithModel> {
  const model = await startModelServer();
  try {
    const deployment = await start({
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_API_KEY: 'scripted',
      ...env,
    });
    return {
      deployment,
      model,
      async stop() {
        await deployment.stop();
        await model.close();
      },
    };
  } catch (error) {
    await model.close();
    throw error;
  }
}

/** What a suite about answers plays with. */
export interface AnswerPlay extends DeploymentWithModel {
  readonly tenant: Tenant;
}

/** Starts a deployment for a suite as {@link startWithModel}, and stops it afterwards. It is there when the tests run. */
export function playWithModel(start: StartDeployment, env: Environment): () => AnswerPlay {
  let started: DeploymentWithModel | undefined;
  let play: AnswerPlay | undefined;
  before(async () => {
    started = await startWithModel(start, env);
    play = { ...started, tenant: await Tenant.create(started.deployment) };
  });
  after(() => started?.stop());
  return () => {
    if (!play) throw new Error('The deployment has not started');
    return play;
  };
}
