import { CONFIG } from '@citewell/infrastructure';
import { Metrics } from '@citewell/observability';
import { Module } from '@nestjs/common';
import { ChatModels } from './chat-models.js';
import { ChatSetting, OwnChatModels } from './chosen-chat-models.js';
import { EmbeddingSetting } from './embedding-setting.js';
import { ModelSettingsController } from './model-settings.controller.js';
import { ModelSettingsService, ServerModels } from './model-settings.service.js';
import { ModelTests } from './model-tests.service.js';
import { ModelUsage } from './model-usage.service.js';
import { ModelsService } from './models.service.js';
import { RecognitionLanguagesController } from './recognition-languages.controller.js';
import { RecognitionLanguages } from './recognition-languages.service.js';
import { openRerankModel, RERANK_MODEL, RerankModels, RerankSetting } from './rerank-models.js';

/** The models that answer, embed and rerank, and their settings. */
@Module({
  controllers: [ModelSettingsController, RecognitionLanguagesController],
  providers: [
    ChatModels,
    ChatSetting,
    EmbeddingSetting,
    ModelSettingsService,
    ModelTests,
    ModelUsage,
    ModelsService,
    RecognitionLanguages,
    OwnChatModels,
    RerankModels,
    RerankSetting,
    ServerModels,
    { provide: RERANK_MODEL, useFactory: openRerankModel, inject: [CONFIG, ChatModels, Metrics] },
  ],
  exports: [ChatModels, ChatSetting, ModelUsage, RerankModels, RerankSetting],
})
export class ModelsModule {}
