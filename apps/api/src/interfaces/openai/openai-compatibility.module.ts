import { Module } from '@nestjs/common';
import { AgentsModule } from '../../answering/agents/agents.module.js';
import { AnswersModule } from '../../answering/answers/answers.module.js';
import { DatastoresModule } from '../../content/datastores/datastores.module.js';
import { ChatCompletionsController } from './chat-completions.controller.js';
import { ModelsController } from './models.controller.js';
import { VectorStoresController } from './vector-stores.controller.js';

@Module({
  imports: [AgentsModule, AnswersModule, DatastoresModule],
  controllers: [ChatCompletionsController, ModelsController, VectorStoresController],
})
export class OpenAiCompatibilityModule {}
