import type { Models, ModelTest, TestModel } from '@citewell/contracts/schemas';
import { OrganizationRepository, type TenantScope } from '@citewell/database';
import { EmbeddingModels } from '@citewell/infrastructure';
import { type EmbeddingModel, isLocalModel } from '@citewell/models';
import { Inject, Injectable } from '@nestjs/common';
import { ChatModels } from './chat-models.js';
import { assertOperator } from './model-settings.service.js';
import { dimensionsOf, ModelTests, scoresOf, type TestOutcome, untested } from './model-tests.service.js';
import { RerankModels } from './rerank-models.js';

/** Describes and tests the configured models. */
@Injectable()
export class ModelsService {
  constructor(
    @Inject(ChatModels) private readonly chatModels: ChatModels,
    @Inject(EmbeddingModels) private readonly embeddingModels: EmbeddingModels,
    @Inject(RerankModels) private readonly rerankModels: RerankModels,
    @Inject(ModelTests) private readonly tests: ModelTests,
    @Inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
  ) {}

  async list(tenant: TenantScope): Promise<Models> {
    const { chosenBy } = this.embeddingModels;
    return {
      chat: await this.chatModels.list(tenant),
      embedding: this.embedding && {
        ...describeEmbedding(this.embeddingName, chosenBy === 'environment'),
        dimensions: this.embedding.dimensions,
      },
      rerank: this.rerankModels.name === null ? null : { name: this.rerankModels.name },
    };
  }

  private get embeddingName(): string {
    // A chosen model answers when it is open.
    return this.embeddingModels.embedding ? this.embeddingModels.name : 'builtin';
  }

  /** The model that documents are embedded by now. */
  private get embedding(): EmbeddingModel | null {
    const { embedding, indexing } = this.embeddingModels;
    return (embedding ?? indexing).model;
  }

  /**
   * Tests a model that the caller's organization may choose.
   *
   * @throws {@link ApiError} `FORBIDDEN` for a model of the server, unless the organization is the first one
   */
  async test(tenant: TenantScope, model: TestModel): Promise<ModelTest> {
    return (await this.outcomeOf(tenant, model)).shown;
  }

  private async outcomeOf(tenant: TenantScope, { kind, modelName }: TestModel): Promise<TestOutcome> {
    const own = kind === 'chat' ? await this.chatModels.ownOf(tenant, modelName) : null;
    if (own) return this.tests.chat(tenant, own);
    await assertOperator(this.organizations, tenant);
    if (kind === 'chat') {
      const model = this.chatModels.get(modelName);
      if (model) return this.tests.chat(tenant, model);
      return untested(
        'No chat model is configured. The operator can choose one in the settings, or with CHAT_MODEL.',
      );
    }
    if (kind === 'rerank') {
      const model = await this.rerankModels.of(tenant);
      if (!model)
        return untested(
          this.rerankModels.problem ??
            'No rerank model is configured. The operator can choose one in the settings, or with RERANK_MODEL.',
        );
      return this.tests.run(tenant, this.rerankModels.name ?? '', (signal) => scoresOf(model, signal));
    }
    const { embedding } = this;
    if (!embedding) return untested('No embedding model is configured: EMBEDDING_MODEL is `none`.');
    return this.tests.run(tenant, this.embeddingName, (signal) => dimensionsOf(embedding, signal));
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
