import { type ChatModel, ModelError, readText, type RerankModel } from '@citewell/models';
import { parseRerankReply, rerankPrompt } from '@citewell/retrieval';
import { type ChatModels, MODEL_OF_NEW_AGENTS } from './chat-models.js';
import { readingModel } from './chosen-chat-models.js';
import type { Reranker } from './reranker.js';

/** A line per passage needs some six tokens. Models that reason need more before. */
const MAX_TOKENS = 2_000;

/** Asks the chat model that answers the organization's questions at that moment. It may be chosen later, or change. */
export function chatModelReranker(models: Pick<ChatModels, 'of'>): Reranker {
  return {
    async modelOf(tenant) {
      const chat = await models.of(tenant, MODEL_OF_NEW_AGENTS);
      return chat && chatReranker(chat);
    },
  };
}

/** A rerank model that asks a chat model to score all texts in one answer. */
export function chatReranker(model: ChatModel): RerankModel {
  return {
    rerank: (question, texts, { signal }) =>
      readingModel(model, async () => {
        const { system, user } = rerankPrompt(question, texts);
        const messages = [
          { role: 'system' as const, content: system },
          { role: 'user' as const, content: user },
        ];
        const reply = await readText(model, { messages, temperature: 0, maxTokens: MAX_TOKENS }, signal);
        const scores = parseRerankReply(reply, texts.length);
        if (!scores)
          throw new ModelError('transient', 'The chat model did not answer in the form of scores.');
        return scores;
      }),
  };
}
