import type { Config } from '@citewell/config';
import type { Models, ModelTest, TestModel } from '@citewell/contracts/schemas';
import { CONFIG, EmbeddingModels } from '@citewell/infrastructure';
import { type EmbeddingModel, isLocalModel, type RerankModel } from '@citewell/models';
import { Inject, Injectable } from '@nestjs/common';
import { ChatModels } from '../answers/chat-models.js';
import { RERANK_MODEL } from '../search/open-rerank-model.js';
import { sampleOf } from './sample.js';
import { testModel } from './test-model.js';

/** Describes and tests the configured models. */
@Injectable()
export class ModelsService {
  constructor(
    @Inject(ChatModels) private readonly chatModels: ChatModels,
    @Inject(EmbeddingModels) private readonly embeddingModels: EmbeddingModels,
    @Inject(RERANK_MODEL) private readonly reranking: RerankModel | null,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  list(): Models {
    const { RERANK_MODEL: reranker } = this.config;
    // A chosen model answers when it is open.
    const name = this.embeddingModels.embedding ? this.embeddingModels.name : 'builtin';
    return {
      chat: this.chatModels.list(),
      embedding: this.embedding && {
        name,
        provider: name === 'builtin' ? 'builtin' : isLocalModel(name) ? 'local' : 'openai',
        dimensions: this.embedding.dimensions,
      },
      rerank: reranker === undefined ? null : { name: reranker },
    };
  }

  /** The model that documents are embedded by now. */
  private get embedding(): EmbeddingModel | null {
    const { embedding, indexing } = this.embeddingModels;
    return (embedding ?? indexing).model;
  }

  /** Sends one short request to a model. It is not counted as a query of the organization. */
  async test({ kind, modelName }: TestModel): Promise<ModelTest> {
    if (kind === 'chat') {
      const model = this.chatModels.get(modelName);
      if (!model)
        return notConfigured(
          'No chat model is configured. The operator can choose one in the settings, or with CHAT_MODEL.',
        );
      return testModel((signal) => sampleOf(model, signal));
    }
    const { embedding, reranking } = this;
    if (kind === 'rerank') {
      if (!reranking)
        return notConfigured('No rerank model is configured. The operator can set RERANK_MODEL.');
      return testModel(async (signal) => {
        await reranking.rerank('test', ['test'], { signal });
      });
    }
    if (!embedding) return notConfigured('No embedding model is configured: EMBEDDING_MODEL is `none`.');
    return testModel(async (signal) => {
      await embedding.embed(['test'], { kind: 'query', signal });
    });
  }
}

function notConfigured(message: string): ModelTest {
  return { ok: false, durationMs: 0, message, sample: null };
}
