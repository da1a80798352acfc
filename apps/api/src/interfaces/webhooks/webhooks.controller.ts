import {
  type CreateWebhook,
  createWebhookSchema,
  type ListWebhookDeliveries,
  listWebhookDeliveriesSchema,
  type ReplayedWebhook,
  replayedWebhookSchema,
  type ReplayWebhook,
  replayWebhookSchema,
  type UpdateWebhook,
  updateWebhookSchema,
  type Webhook,
  type WebhookDelivery,
  webhookDeliverySchema,
  webhookSchema,
  type WebhookWithSecret,
  webhookWithSecretSchema,
} from '@citewell/contracts/schemas';
import type { TenantScope } from '@citewell/database';
import { Controller, Delete, Get, HttpCode, Inject, Param, Patch, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequireScope, Tenant } from '../../http/caller.js';
import { listOf, Operation } from '../../http/operation.js';
import { linkNextPage } from '../../http/page-link.js';
import { JsonBody, QueryString } from '../../http/request-input.js';
import { WebhooksService } from './webhooks.service.js';

@Controller('webhooks')
export class WebhooksController {
  constructor(@Inject(WebhooksService) private readonly webhooks: WebhooksService) {}

  @Operation('Create a webhook', webhookWithSecretSchema, {
    description:
      'Events are sent to its address as `POST` requests, signed as Standard Webhooks describes. The address may lead to the Internet and to the networks of the variable MODEL_NETWORKS for the first organization, or ORGANIZATION_MODEL_NETWORKS for others. An organization has at most 20 webhooks.',
    errors: ['CONFLICT'],
  })
  @Post()
  @HttpCode(200)
  @RequireScope('admin')
  create(
    @Tenant() tenant: TenantScope,
    @JsonBody(createWebhookSchema) body: CreateWebhook,
  ): Promise<WebhookWithSecret> {
    return this.webhooks.create(tenant, body);
  }

  /** All of them: an organization has few. */
  @Operation('List webhooks', listOf(webhookSchema))
  @Get()
  @RequireScope('admin')
  list(@Tenant() tenant: TenantScope): Promise<Webhook[]> {
    return this.webhooks.list(tenant);
  }

  @Operation('Read a webhook', webhookSchema)
  @Get(':id')
  @RequireScope('admin')
  get(@Tenant() tenant: TenantScope, @Param('id') id: string): Promise<Webhook> {
    return this.webhooks.get(tenant, id);
  }

  @Operation('Change a webhook', webhookSchema, {
    description:
      'With `enabled: true`, an endpoint that was disabled gets messages again, also those that wait.',
  })
  @Patch(':id')
  @RequireScope('admin')
  update(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @JsonBody(updateWebhookSchema) body: UpdateWebhook,
  ): Promise<Webhook> {
    return this.webhooks.update(tenant, id, body);
  }

  @Operation('Delete a webhook', webhookSchema, { description: 'Its deliveries are deleted, too.' })
  @Delete(':id')
  @RequireScope('admin')
  remove(@Tenant() tenant: TenantScope, @Param('id') id: string): Promise<Webhook> {
    return this.webhooks.remove(tenant, id);
  }

  @Operation('Rotate the secret of a webhook', webhookWithSecretSchema, {
    description:
      'Messages are signed with the new and the earlier secret for 24 hours, then with the new one alone.',
    errors: ['CONFLICT'],
  })
  @Post(':id/secret')
  @HttpCode(200)
  @RequireScope('admin')
  rotateSecret(@Tenant() tenant: TenantScope, @Param('id') id: string): Promise<WebhookWithSecret> {
    return this.webhooks.rotateSecret(tenant, id);
  }

  @Operation('Send a test message', webhookDeliverySchema, {
    description: 'A message of the type `webhook.test`.',
    errors: ['CONFLICT'],
  })
  @Post(':id/test')
  @HttpCode(200)
  @RequireScope('admin')
  test(@Tenant() tenant: TenantScope, @Param('id') id: string): Promise<WebhookDelivery> {
    return this.webhooks.test(tenant, id);
  }

  @Operation('Send failed messages again', replayedWebhookSchema, { errors: ['CONFLICT'] })
  @Post(':id/replay')
  @HttpCode(200)
  @RequireScope('admin')
  replayFailed(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @JsonBody(replayWebhookSchema) body: ReplayWebhook,
  ): Promise<ReplayedWebhook> {
    return this.webhooks.replayFailed(tenant, id, body);
  }

  @Operation('List the deliveries of a webhook', listOf(webhookDeliverySchema), {
    description: 'Newest first. They are kept for 30 days.',
  })
  @Get(':id/deliveries')
  @RequireScope('admin')
  async deliveries(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @QueryString(listWebhookDeliveriesSchema) query: ListWebhookDeliveries,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<WebhookDelivery[]> {
    const deliveries = await this.webhooks.deliveries(tenant, id, query);
    linkNextPage(request, reply, deliveries, query.limit);
    return deliveries;
  }

  @Operation('Send a message again', webhookDeliverySchema, {
    description: 'Under the same id, whatever its state.',
    errors: ['CONFLICT'],
  })
  @Post(':id/deliveries/:delivery/replay')
  @HttpCode(200)
  @RequireScope('admin')
  replayOne(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @Param('delivery') delivery: string,
  ): Promise<WebhookDelivery> {
    return this.webhooks.replayOne(tenant, id, delivery);
  }
}
