import {
  countModelCalls,
  type ModelConnection,
  ModelConnections,
  SettingsPoll,
} from '@citewell/infrastructure';
import {
  createHttpRerankModel,
  isRerankProvider,
  ModelError,
  type OnModelCall,
  RERANK_PROVIDERS,
  type RerankModel,
} from '@citewell/models';
import { Metrics } from '@citewell/observability';
import { Inject, Injectable } from '@nestjs/common';
import { ChatModels } from './chat-models.js';
import { chatReranker } from './chat-reranker.js';
import { FollowedModel } from './followed-model.js';

const COHERE_URL = 'https://api.cohere.com/v2';

/** The rerank model of the settings. */
@Injectable()
export class RerankSetting extends FollowedModel<RerankModel> {
  constructor(
    @Inject(ModelConnections) connections: ModelConnections,
    @Inject(SettingsPoll) poll: SettingsPoll,
    @Inject(ChatModels) private readonly chatModels: ChatModels,
    @Inject(Metrics) private readonly metrics: Metrics,
  ) {
    super('rerank', connections, poll);
  }

  open({ provider, model, ...address }: ModelConnection, onCall?: OnModelCall): RerankModel {
    if (provider === 'chat') return this.ofChatModel();
    if (!isRerankProvider(provider))
      throw new ModelError('permanent', `There are no rerank models of the provider ${provider}.`);
    const connection = this.connections.resolve(RERANK_PROVIDERS[provider], address);
    const baseUrl = connection.baseUrl ?? (provider === 'cohere' ? COHERE_URL : undefined);
    if (baseUrl === undefined)
      throw new ModelError('permanent', 'The address of the rerank server is missing.');
    return createHttpRerankModel({
      ...connection,
      baseUrl,
      model: provider === 'tei' ? 'tei' : model,
      onCall: countModelCalls(this.metrics, onCall),
    });
  }

  /** That of new agents. It may be chosen later, or change. */
  private ofChatModel(): RerankModel {
    return {
      rerank: async (question, texts, options) => {
        const chat = this.chatModels.get('gpt_3_5_turbo');
        if (!chat) throw new ModelError('permanent', 'No chat model is configured.');
        return chatReranker(chat).rerank(question, texts, options);
      },
    };
  }

  protected unusable(_choice: ModelConnection, failure: ModelError): RerankModel {
    return { rerank: () => Promise.reject(failure) };
  }
}
