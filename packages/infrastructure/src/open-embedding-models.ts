import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '@citewell/config';
import type { ModelSettingRepository } from '@citewell/database';
import {
  CHAT_PROVIDERS,
  createEmbeddingModel,
  type EmbeddingModelOptions,
  isLocalModel,
  isLocalModelStored,
  loadBuiltinEmbeddingModel,
  ModelNetworks,
  type OnModelCall,
  openLocalEmbeddingModel,
  requireUsableConnection,
} from '@citewell/models';
import type { Logger } from '@citewell/observability';
import { EmbeddingModels, type EmbeddingModelsOptions } from './embedding-models.js';
import { localModelOptions, modelDirectory } from './engines.js';

/** Time in ms in which a model that is stored on this machine should be loaded, or a server should answer. */
const LOAD_MS = 20_000;

/**
 * Opens the model `EMBEDDING_MODEL`, or the one that was chosen in the settings. A model of a server, and a chosen one, is
 * prepared in the background: neither stops the start. The start waits for an answer, and for a model on this machine.
 *
 * @throws ModelError if the local model `EMBEDDING_MODEL` cannot be opened, or if the connection of a server is malformed
 */
export async function openEmbeddingModels(
  config: Config,
  onCall: OnModelCall,
  settings: ModelSettingRepository,
  logger: Logger,
): Promise<EmbeddingModels> {
  // Only addresses of settings are limited to networks.
  const { fetch: fetcher } = new ModelNetworks(config.MODEL_NETWORKS);
  const options: EmbeddingModelsOptions = {
    builtin: await loadBuiltinEmbeddingModel(),
    settings,
    openModel: (name, { onCall: onOwnCall, ...preparation }) => {
      const onEachCall: OnModelCall = (call) => {
        onCall(call);
        onOwnCall(call);
      };
      if (!isLocalModel(name))
        return createEmbeddingModel({ ...serverOptions(config, name), ...preparation, onCall: onEachCall });
      return openLocalEmbeddingModel({
        ...localModelOptions(config, name, onEachCall),
        ...preparation,
        fetcher,
      });
    },
    logger,
  };
  const { EMBEDDING_MODEL: name } = config;
  if (name !== undefined) return openFixed(config, options, name, onCall);
  const models = new EmbeddingModels(options);
  await models.start();
  if (models.isPreparing && (await isStored(models.name, modelDirectory(config))))
    await Promise.race([models.attempted(), sleep(LOAD_MS, undefined, { ref: false })]);
  return models;
}

async function openFixed(
  config: Config,
  options: EmbeddingModelsOptions,
  name: string,
  onCall: OnModelCall,
): Promise<EmbeddingModels> {
  if (name === 'none') return EmbeddingModels.fixed(options, name, null);
  if (isLocalModel(name)) {
    const opened = await openLocalEmbeddingModel(localModelOptions(config, name, onCall));
    return EmbeddingModels.fixed(options, name, opened);
  }
  if (name !== 'builtin') requireUsableConnection(serverOptions(config, name), CHAT_PROVIDERS.openai);
  const models = EmbeddingModels.fixed(options, name);
  await Promise.race([models.attempted(), sleep(LOAD_MS, undefined, { ref: false })]);
  return models;
}

/** A model of the OpenAI-compatible server that the environment names. */
function serverOptions(config: Config, model: string): EmbeddingModelOptions {
  const { OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: apiKey, EMBEDDING_DIMENSIONS: dimensions } = config;
  return {
    model,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(dimensions === undefined ? {} : { dimensions }),
  };
}

/** A malformed name is reported by the preparation. */
function isStored(name: string, directory: string): Promise<boolean> {
  return isLocalModelStored(name, directory).catch(() => false);
}
