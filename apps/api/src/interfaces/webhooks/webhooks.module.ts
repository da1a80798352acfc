import { Module } from '@nestjs/common';
import { WebhookClient } from './webhook-client.service.js';
import { WebhookSecrets } from './webhook-secrets.service.js';
import { WebhookSender } from './webhook-sender.service.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './webhooks.service.js';

/** Tells endpoints of organizations about events. */
@Module({
  controllers: [WebhooksController],
  providers: [WebhookClient, WebhookSecrets, WebhookSender, WebhooksService],
})
export class WebhooksModule {}
