import type { Config } from '@citewell/config';
import type { Models, ModelTest, TestModel } from '@citewell/contracts/schemas';
import type { TenantScope } from '@citewell/database';
import { CONFIG, EmbeddingModels } from '@citewell/infrastructure';
import { type EmbeddingModel, isLocalModel } from '@citewell/models';
import { Inject, Injectable } from '@nestjs/common';
import { ChatModels } from './chat-models.js';
import { RerankModels } from './rerank-models.js';
import { RerankSetting } from './rerank-setting.js';
import { dimensionsOf, sampleOf, scoresOf } from './sample.js';
import { testModel, untested } from './test-model.js';

/** Describes and tests the configured models. */
@Injectable()
export class ModelsService {
  constructor(
    @Inject(ChatModels) private readonly chatModels: ChatModels,
    @Inject(EmbeddingModels) private readonly embeddingModels: EmbeddingModels,
    @Inject(RerankModels) private readonly rerankModels: RerankModels,
    @Inject(RerankSetting) private readonly rerankSetting: RerankSetting,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async list(tenant: TenantScope): Promise<Models> {
    // A chosen model answers when it is open.
    const name = this.embeddingModels.embedding ? this.embeddingModels.name : 'builtin';
    const { chosenBy } = this.embeddingModels;
    return {
      chat: await this.chatModels.list(tenant),
      embedding: this.embedding && {
        ...describeEmbedding(name, chosenBy === 'environment'),
        dimensions: this.embedding.dimensions,
      },
      rerank: this.reranker === null ? null : { name: this.reranker },
    };
  }

  /** Name of the rerank model, as in `RERANK_MODEL`. */
  private get reranker(): string | null {
    const { current } = this.rerankSetting;
    return this.config.RERANK_MODEL ?? (current && (current.model || current.provider));
  }

  /** The model that documents are embedded by now. */
  private get embedding(): EmbeddingModel | null {
    const { embedding, indexing } = this.embeddingModels;
    return (embedding ?? indexing).model;
  }

  /** Sends one short request to a model. It is not counted as a query of the organization. */
  async test(tenant: TenantScope, { kind, modelName }: TestModel): Promise<ModelTest> {
    if (kind === 'chat') {
      const model = await this.chatModels.of(tenant, modelName);
      if (!model)
        return untested(
          'No chat model is configured. The operator can choose one in the settings, or with CHAT_MODEL.',
        );
      return testModel(async (signal) => ({ sample: await sampleOf(model, signal) }));
    }
    const { embedding } = this;
    if (kind === 'rerank') {
      const model = await this.rerankModels.of(tenant);
      if (!model)
        return untested(
          this.rerankSetting.problem ??
            'No rerank model is configured. The operator can choose one in the settings, or with RERANK_MODEL.',
        );
      return testModel(async (signal) => ({ scores: await scoresOf(model, signal) }));
    }
    if (!embedding) return untested('No embedding model is configured: EMBEDDING_MODEL is `none`.');
    return testModel(async (signal) => ({ dimensions: await dimensionsOf(embedding, signal) }));
  }
}

/** @param isFixed whether the name is that of `EMBEDDING_MODEL`, which has no provider */
function describeEmbedding(name: string, isFixed: boolean): { name: string; provider: string } {
  if (name === 'builtin') return { name, provider: 'builtin' };
  if (isLocalModel(name)) return { name, provider: 'local' };
  if (isFixed) return { name, provider: 'openai' };
  const colon = name.indexOf(':');
  return { name: name.slice(colon + 1), provider: name.slice(0, colon) };
}
