import { CONFIG } from '@citewell/infrastructure';
import { Metrics } from '@citewell/observability';
import { Module } from '@nestjs/common';
import { ChatModels } from './chat-models.js';
import { ChatSetting, OwnChatModels } from './chosen-chat-models.js';
import { ChatSettingsService } from './chat-settings.service.js';
import { ConnectionSettings } from './connection-settings.js';
import { EmbeddingServersService } from './embedding-servers.service.js';
import { EmbeddingSettingsService } from './embedding-settings.service.js';
import { ModelSettingsController } from './model-settings.controller.js';
import { ModelTests } from './model-tests.service.js';
import { ModelUsage } from './model-usage.service.js';
import { ModelsService } from './models.service.js';
import { OwnChatSettingsService } from './own-chat-settings.service.js';
import { openRerankModel, RERANK_MODEL, RerankModels, RerankSetting } from './rerank-models.js';
import { RerankSettingsService } from './rerank-settings.service.js';

/** The models that answer, embed and rerank, and their settings. */
@Module({
  controllers: [ModelSettingsController],
  providers: [
    ChatModels,
    ChatSetting,
    ChatSettingsService,
    ConnectionSettings,
    EmbeddingServersService,
    EmbeddingSettingsService,
    ModelTests,
    ModelUsage,
    ModelsService,
    OwnChatModels,
    OwnChatSettingsService,
    RerankModels,
    RerankSetting,
    RerankSettingsService,
    { provide: RERANK_MODEL, useFactory: openRerankModel, inject: [CONFIG, ChatModels, Metrics] },
  ],
  exports: [ChatModels, ChatSetting, ModelUsage, RerankModels, RerankSetting],
})
export class ModelsModule {}
