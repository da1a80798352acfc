import type { Config } from '@citewell/config';
import { countModelCalls, localModelOptions } from '@citewell/infrastructure';
import { createHttpRerankModel, isLocalModel, openLocalRerankModel } from '@citewell/models';
import type { Metrics } from '@citewell/observability';
import type { ChatModels } from './chat-models.js';
import { chatModelReranker } from './chat-reranker.js';
import { type Reranker, sharedReranker } from './reranker.js';

/** Injection token of a {@link Reranker}, or null. */
export const RERANK_MODEL = Symbol('RerankModel');

/**
 * Opens the rerank model `RERANK_MODEL`.
 *
 * @returns null if none is configured
 * @throws ModelError (`permanent`) if the connection is malformed, or a local model cannot be opened
 */
export async function openRerankModel(
  config: Config,
  chatModels: ChatModels,
  metrics: Metrics,
): Promise<Reranker | null> {
  const { RERANK_MODEL: model, RERANK_BASE_URL: baseUrl, RERANK_API_KEY: apiKey } = config;
  if (model === 'chat') return chatModelReranker(chatModels);
  if (model === undefined) return null;
  const onCall = countModelCalls(metrics);
  if (isLocalModel(model))
    return sharedReranker(await openLocalRerankModel(localModelOptions(config, model, onCall)));
  // The configuration refuses a model of a server without its address.
  if (baseUrl === undefined) return null;
  return sharedReranker(
    createHttpRerankModel({ model, baseUrl, onCall, ...(apiKey === undefined ? {} : { apiKey }) }),
  );
}
