import type { Config } from '@citewell/config';
import { countModelCalls } from '@citewell/infrastructure';
import { createHttpRerankModel, type RerankModel } from '@citewell/models';
import type { Metrics } from '@citewell/observability';
import type { ChatModels } from '../answers/chat-models.js';
import { chatReranker } from './chat-reranker.js';

/** Injection token of a {@link RerankModel}, or null. */
export const RERANK_MODEL = Symbol('RerankModel');

/**
 * Opens the rerank model `RERANK_MODEL`.
 *
 * @returns null if none is configured
 * @throws ModelError (`permanent`) if the connection is malformed
 */
export function openRerankModel(
  { RERANK_MODEL: model, RERANK_BASE_URL: baseUrl, RERANK_API_KEY: apiKey }: Config,
  chatModels: ChatModels,
  metrics: Metrics,
): RerankModel | null {
  if (model === 'chat') {
    // That of new agents.
    const chat = chatModels.get('gpt_3_5_turbo');
    return chat && chatReranker(chat);
  }
  // The configuration refuses a model without an address.
  if (model === undefined || baseUrl === undefined) return null;
  const onCall = countModelCalls(metrics);
  return createHttpRerankModel({ model, baseUrl, onCall, ...(apiKey === undefined ? {} : { apiKey }) });
}
