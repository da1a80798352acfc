import { Module } from '@nestjs/common';
import { AnsweringModule } from '../answering/answering.module.js';
import { ContentModule } from '../content/content.module.js';
import { McpTools } from './mcp/mcp-tools.service.js';
import { McpController } from './mcp/mcp.controller.js';
import { ChatCompletionsController } from './openai/chat-completions.controller.js';
import { ModelsController } from './openai/models.controller.js';
import { VectorStoresController } from './openai/vector-stores.controller.js';
import { OpenApiController } from './openapi/openapi.controller.js';
import { WebhookClient } from './webhooks/webhook-client.service.js';
import { WebhookSecrets } from './webhooks/webhook-secrets.service.js';
import { WebhookSender } from './webhooks/webhook-sender.service.js';
import { WebhooksController } from './webhooks/webhooks.controller.js';
import { WebhooksService } from './webhooks/webhooks.service.js';
import { PublicAgents } from './widget/public-agents.service.js';
import { WidgetController } from './widget/widget.controller.js';

/** What other programs speak: the API of OpenAI, MCP, webhooks, the widget, OpenAPI. */
@Module({
  imports: [AnsweringModule, ContentModule],
  controllers: [
    McpController,
    ChatCompletionsController,
    ModelsController,
    VectorStoresController,
    OpenApiController,
    WebhooksController,
    WidgetController,
  ],
  providers: [McpTools, WebhookClient, WebhookSecrets, WebhookSender, WebhooksService, PublicAgents],
})
export class InterfacesModule {}
