import { type ModelServer, startModelServer } from '@citewell/testing';
import { afterAll, beforeAll } from '@jest/globals';
import { Tenant } from '../client/tenant.js';
import type { Deployment, Environment, StartDeployment } from './deployment.js';

/** A deployment whose model providers are a scripted server. */
export interface DeploymentWithModel {
  readonly deployment: Deployment;
  readonly model: ModelServer;
  /** Stops the deployment and the model server. */
  stop(): Promise<void>;
}

/** @param env must name the models, such as `CHAT_MODEL`; the addresses and keys of the providers are added */
export async function startWithModel(start: StartDeployment, env: Environment): Promise<DeploymentWithModel> {
  const model = await startModelServer();
  try {
    const deployment = await start({
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_API_KEY: 'scripted',
      ANTHROPIC_BASE_URL: model.baseUrls.anthropic,
      ANTHROPIC_API_KEY: 'scripted',
      GOOGLE_BASE_URL: model.baseUrls['google-genai'],
      MISTRAL_BASE_URL: model.baseUrls.mistralai,
      OLLAMA_BASE_URL: model.baseUrls.ollama,
      RERANK_BASE_URL: model.baseUrl,
      RERANK_API_KEY: 'scripted',
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

/** A deployment with a scripted model, and one organization. */
export interface ModelFixture extends DeploymentWithModel {
  readonly tenant: Tenant;
}

/**
 * Registers hooks that start a deployment as {@link startWithModel} does before the suite and stop it
 * afterwards.
 *
 * @returns a function that tests call to get the fixture; it throws outside a test
 */
export function modelFixture(start: StartDeployment, env: Environment): () => ModelFixture {
  let started: DeploymentWithModel | undefined;
  let fixture: ModelFixture | undefined;
  beforeAll(async () => {
    started = await startWithModel(start, env);
    fixture = { ...started, tenant: await Tenant.create(started.deployment) };
  });
  afterAll(() => started?.stop());
  return () => {
    if (!fixture) throw new Error('The deployment has not started');
    return fixture;
  };
}
