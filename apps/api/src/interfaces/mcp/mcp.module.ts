import { Module } from '@nestjs/common';
import { AgentsModule } from '../../answering/agents/agents.module.js';
import { AnswersModule } from '../../answering/answers/answers.module.js';
import { DatasourcesModule } from '../../content/datasources/datasources.module.js';
import { DatastoresModule } from '../../content/datastores/datastores.module.js';
import { McpTools } from './mcp-tools.service.js';
import { McpController } from './mcp.controller.js';

@Module({
  imports: [AgentsModule, AnswersModule, DatasourcesModule, DatastoresModule],
  controllers: [McpController],
  providers: [McpTools],
})
export class McpModule {}
