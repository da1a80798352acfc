import { setTimeout as sleep } from 'node:timers/promises';
import { type Config, modelNetworks } from '@citewell/config';
import type { ModelSettingRepository } from '@citewell/database';
import {
  CHAT_PROVIDERS,
  createEmbeddingModel,
  EMBEDDING_PROVIDERS,
  type EmbeddingModel,
  type EmbeddingModelOptions,
  isEmbeddingProvider,
  isLocalModel,
  isLocalModelStored,
  loadBuiltinEmbeddingModel,
  ModelError,
  ModelNetworks,
  openaiAddressOfOllama,
  type OnModelCall,
  openLocalEmbeddingModel,
  requireUsableConnection,
} from '@citewell/models';
import type { Logger } from '@citewell/observability';
import { EmbeddingModels, type EmbeddingModelsOptions } from './embedding-models.js';
import { localModelOptions, modelDirectory } from './engines.js';
import type { ModelConnection, ModelConnections } from './model-connections.js';
import type { SettingsPoll } from './settings-poll.js';

/** Time in ms in which a model that is stored on this machine should be loaded, or a server should answer. */
const LOAD_MS = 20_000;
const OLLAMA_URL = 'http://127.0.0.1:11434';

/** What {@link openEmbeddingModels} needs of the process. */
export interface EmbeddingModelsContext {
  readonly onCall: OnModelCall;
  readonly settings: ModelSettingRepository;
  readonly poll: SettingsPoll;
  readonly connections: ModelConnections;
  readonly logger: Logger;
}

/**
 * Opens the model `EMBEDDING_MODEL`, or the one that was chosen in the settings. A model of a server, and a chosen one, is
 * prepared in the background: neither stops the start. The start waits for an answer, and for a model on this machine.
 *
 * @throws ModelError if the local model `EMBEDDING_MODEL` cannot be opened, or if the connection of a server is malformed
 */
export async function openEmbeddingModels(
  config: Config,
  { onCall, settings, poll, connections, logger }: EmbeddingModelsContext,
): Promise<EmbeddingModels> {
  const { EMBEDDING_MODEL: fixed } = config;
  // Only addresses of settings are limited to networks.
  const { fetch: fetcher } = new ModelNetworks(modelNetworks(config));
  const options: EmbeddingModelsOptions = {
    builtin: await loadBuiltinEmbeddingModel(),
    settings,
    poll,
    openModel: async (choice, { onCall: onOwnCall, ...preparation }) => {
      const { name } = choice;
      const onEachCall: OnModelCall = (call) => {
        onCall(call);
        onOwnCall(call);
      };
      const { signal } = preparation;
      if (fixed !== undefined && !isLocalModel(name))
        return createEmbeddingModel({ ...serverOptions(config, name), signal, onCall: onEachCall });
      if (!isLocalModel(name)) {
        const connection = await connections.read('embedding', choice);
        if (connection.problem !== null) throw new ModelError('permanent', connection.problem);
        return openEmbeddingServer(connections, connection, { signal, onCall: onEachCall });
      }
      return openLocalEmbeddingModel({
        ...localModelOptions(config, name, onEachCall),
        ...preparation,
        fetcher,
      });
    },
    logger,
  };
  if (fixed !== undefined) return openFixed(config, options, fixed, onCall);
  const models = new EmbeddingModels(options);
  await models.start();
  if (models.isPreparing && (await isAtHand(models.name, modelDirectory(config))))
    await Promise.race([models.attempted(), sleep(LOAD_MS, undefined, { ref: false })]);
  return models;
}

/**
 * Opens an embedding model of a server of the settings, with one request.
 *
 * @throws ModelError if the request fails, or if the connection is malformed
 */
export function openEmbeddingServer(
  connections: ModelConnections,
  connection: ModelConnection,
  options: Pick<EmbeddingModelOptions, 'signal' | 'onCall'>,
): Promise<EmbeddingModel> {
  return createEmbeddingModel({ ...options, ...settingOptions(connections, connection) });
}

/** @throws ModelError (`permanent`) if the connection is malformed */
export function requireEmbeddingServer(connections: ModelConnections, connection: ModelConnection): void {
  const options = settingOptions(connections, connection);
  requireUsableConnection(options, options.names ?? CHAT_PROVIDERS.openai);
}

function settingOptions(
  connections: ModelConnections,
  { provider, model, ...address }: ModelConnection,
): EmbeddingModelOptions {
  if (!isEmbeddingProvider(provider))
    throw new ModelError('permanent', `There are no embedding models of the provider ${provider}.`);
  const connection = connections.resolve(EMBEDDING_PROVIDERS[provider], address);
  if (provider === 'openai') return { model, ...connection };
  return { model, ...connection, baseUrl: openaiAddressOfOllama(connection.baseUrl ?? OLLAMA_URL) };
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

/** Whether a model of the settings should be open soon. A malformed name is reported by the preparation. */
async function isAtHand(name: string, directory: string): Promise<boolean> {
  return !isLocalModel(name) || isLocalModelStored(name, directory).catch(() => false);
}
