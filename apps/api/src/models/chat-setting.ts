import type { Config } from '@citewell/config';
import {
  CONFIG,
  countModelCalls,
  type ModelConnection,
  ModelConnections,
  SettingsPoll,
} from '@citewell/infrastructure';
import {
  CHAT_PROVIDERS,
  type ChatModel,
  createChatModel,
  ModelError,
  type OnModelCall,
} from '@citewell/models';
import { Metrics } from '@citewell/observability';
import { Inject, Injectable } from '@nestjs/common';
import { chatOptionsOf, isChatProvider } from './chat-connection.js';
import { FollowedModel } from './followed-model.js';

/** The chat model of the settings. */
@Injectable()
export class ChatSetting extends FollowedModel<ChatModel> {
  constructor(
    @Inject(ModelConnections) connections: ModelConnections,
    @Inject(SettingsPoll) poll: SettingsPoll,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(Metrics) private readonly metrics: Metrics,
  ) {
    super('chat', connections, poll);
  }

  open({ provider, model, ...address }: ModelConnection, onCall?: OnModelCall): ChatModel {
    if (!isChatProvider(provider))
      throw new ModelError('permanent', `There are no chat models of the provider ${provider}.`);
    return createChatModel({
      provider,
      model,
      onCall: countModelCalls(this.metrics, onCall),
      ...chatOptionsOf(this.config),
      ...this.connections.resolve(CHAT_PROVIDERS[provider], address),
    });
  }

  /** It fails, so that nobody takes quotes for its answers. */
  protected unusable({ model }: ModelConnection, failure: ModelError): ChatModel {
    return {
      name: model,
      // oxlint-disable-next-line require-yield
      async *stream() {
        throw failure;
      },
    };
  }
}
