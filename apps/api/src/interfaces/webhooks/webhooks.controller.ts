import {
  type CreateWebhook,
  createWebhookSchema,
  type ListWebhookDeliveries,
  listWebhookDeliveriesSchema,
  type ReplayedWebhook,
  type ReplayWebhook,
  replayWebhookSchema,
  type UpdateWebhook,
  updateWebhookSchema,
  type Webhook,
  type WebhookDelivery,
  type WebhookWithSecret,
} from '@citewell/contracts/schemas';
import type { TenantScope } from '@citewell/database';
import { Controller, Delete, Get, HttpCode, Inject, Param, Patch, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequireScope, Tenant } from '../../http/caller.js';
import { linkNextPage } from '../../http/page-link.js';
import { JsonBody, QueryString } from '../../http/request-input.js';
import { WebhooksService } from './webhooks.service.js';

@Controller('webhooks')
export class WebhooksController {
  constructor(@Inject(WebhooksService) private readonly webhooks: WebhooksService) {}

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
  @Get()
  @RequireScope('admin')
  list(@Tenant() tenant: TenantScope): Promise<Webhook[]> {
    return this.webhooks.list(tenant);
  }

  @Get(':id')
  @RequireScope('admin')
  get(@Tenant() tenant: TenantScope, @Param('id') id: string): Promise<Webhook> {
    return this.webhooks.get(tenant, id);
  }

  @Patch(':id')
  @RequireScope('admin')
  update(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @JsonBody(updateWebhookSchema) body: UpdateWebhook,
  ): Promise<Webhook> {
    return this.webhooks.update(tenant, id, body);
  }

  @Delete(':id')
  @RequireScope('admin')
  remove(@Tenant() tenant: TenantScope, @Param('id') id: string): Promise<Webhook> {
    return this.webhooks.remove(tenant, id);
  }

  @Post(':id/secret')
  @HttpCode(200)
  @RequireScope('admin')
  rotateSecret(@Tenant() tenant: TenantScope, @Param('id') id: string): Promise<WebhookWithSecret> {
    return this.webhooks.rotateSecret(tenant, id);
  }

  @Post(':id/test')
  @HttpCode(200)
  @RequireScope('admin')
  test(@Tenant() tenant: TenantScope, @Param('id') id: string): Promise<WebhookDelivery> {
    return this.webhooks.test(tenant, id);
  }

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
