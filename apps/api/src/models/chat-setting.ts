import type { Config } from '@citewell/config';
import { CONFIG, type ModelConnection, ModelConnections, SettingsPoll } from '@citewell/infrastructure';
import type { ChatModel, ModelError, OnModelCall } from '@citewell/models';
import { Metrics } from '@citewell/observability';
import { Inject, Injectable } from '@nestjs/common';
import { failingChat, openChosenChat } from './chat-connection.js';
import { FollowedModel } from './chosen-model.js';

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

  open(choice: ModelConnection, onCall?: OnModelCall): ChatModel {
    const { connections, config, metrics } = this;
    return openChosenChat({ connections, config, metrics }, choice, onCall);
  }

  protected unusable(choice: ModelConnection, failure: ModelError): ChatModel {
    return failingChat(choice, failure);
  }
}
