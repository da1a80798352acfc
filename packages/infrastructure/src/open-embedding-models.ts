import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '@citewell/config';
import type { ModelSettingRepository } from '@citewell/database';
import {
  isLocalModelStored,
  loadBuiltinEmbeddingModel,
  ModelNetworks,
  type OnModelCall,
  openLocalEmbeddingModel,
} from '@citewell/models';
import type { Logger } from '@citewell/observability';
import { EmbeddingModels, type EmbeddingModelsOptions } from './embedding-models.js';
import { localModelOptions, modelDirectory, openEmbeddingModel } from './engines.js';

/** Time in ms in which a model that is stored on this machine should be loaded. */
const LOAD_MS = 20_000;

/**
 * Opens the model `EMBEDDING_MODEL`, or the one that was chosen in the settings. A chosen model is prepared in the background.
 * If it is on this machine already, the start waits for it.
 *
 * @throws ModelError if the model `EMBEDDING_MODEL` cannot be opened
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
    openModel: (name, preparation) =>
      openLocalEmbeddingModel({ ...localModelOptions(config, name, onCall), ...preparation, fetcher }),
    logger,
  };
  const { EMBEDDING_MODEL: name } = config;
  if (name !== undefined)
    return EmbeddingModels.fixed(options, name, await openEmbeddingModel(config, name, onCall));
  const models = new EmbeddingModels(options);
  await models.start();
  if (models.isPreparing && (await isStored(models.name, modelDirectory(config))))
    await Promise.race([models.prepared(), sleep(LOAD_MS, undefined, { ref: false })]);
  return models;
}

/** A malformed name is reported by the preparation. */
function isStored(name: string, directory: string): Promise<boolean> {
  return isLocalModelStored(name, directory).catch(() => false);
}
