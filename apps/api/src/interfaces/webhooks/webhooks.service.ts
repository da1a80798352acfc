import type {
  CreateWebhook,
  ListWebhookDeliveries,
  ReplayedWebhook,
  ReplayWebhook,
  UpdateWebhook,
  Webhook,
  WebhookDelivery,
  WebhookWithSecret,
} from '@citewell/contracts/schemas';
import {
  newId,
  type TenantScope,
  type WebhookDeliveryEntity,
  WebhookDeliveryRepository,
  type WebhookEntity,
  WebhookRepository,
} from '@citewell/database';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError, found, unwrap } from '../../http/api-error.js';
import { WebhookClient } from './webhook-client.service.js';
import { WebhookSecrets } from './webhook-secrets.service.js';
import { WebhookSender } from './webhook-sender.service.js';

const MAX_WEBHOOKS = 20;
/** Time after a rotation in which the earlier secret signs messages, too. */
const ROTATION_OVERLAP_SECONDS = 24 * 60 * 60;
const TEST_EVENT = 'webhook.test';

/** The endpoints of an organization, and the log of their deliveries. */
@Injectable()
export class WebhooksService {
  constructor(
    @Inject(WebhookRepository) private readonly webhooks: WebhookRepository,
    @Inject(WebhookDeliveryRepository) private readonly log: WebhookDeliveryRepository,
    @Inject(WebhookSecrets) private readonly secrets: WebhookSecrets,
    @Inject(WebhookClient) private readonly client: WebhookClient,
    @Inject(WebhookSender) private readonly sender: WebhookSender,
  ) {}

  /** @throws {@link ApiError} `INVALID_REQUEST` for an address that is not permitted, `CONFLICT` for too many endpoints */
  async create(tenant: TenantScope, { url, events }: CreateWebhook): Promise<WebhookWithSecret> {
    await this.client.requirePermitted(tenant, url);
    const id = newId();
    const { secret, sealed } = await this.secrets.create(tenant.organizationId, id);
    const created = await this.webhooks.create(
      tenant,
      { id, url, events, sealedSecret: sealed },
      MAX_WEBHOOKS,
    );
    const webhook = unwrap(created, {
      'too-many': () =>
        new ApiError('CONFLICT', `An organization has at most ${MAX_WEBHOOKS} webhooks. Delete one first.`),
    });
    return { ...toWebhook(webhook), secret };
  }

  async list(tenant: TenantScope): Promise<Webhook[]> {
    return (await this.webhooks.list(tenant)).map(toWebhook);
  }

  async get(tenant: TenantScope, id: string): Promise<Webhook> {
    return toWebhook(await this.find(tenant, id));
  }

  /** @throws {@link ApiError} as {@link create} */
  async update(tenant: TenantScope, id: string, change: UpdateWebhook): Promise<Webhook> {
    await this.find(tenant, id);
    if (change.url !== undefined) await this.client.requirePermitted(tenant, change.url);
    const webhook = found(await this.webhooks.update(tenant, id, change), 'webhook');
    this.sender.wake();
    return toWebhook(webhook);
  }

  async rotateSecret(tenant: TenantScope, id: string): Promise<WebhookWithSecret> {
    await this.find(tenant, id);
    const { secret, sealed } = await this.secrets.create(tenant.organizationId, id);
    const webhook = await this.webhooks.rotate(tenant, id, sealed, ROTATION_OVERLAP_SECONDS);
    return { ...toWebhook(found(webhook, 'webhook')), secret };
  }

  async remove(tenant: TenantScope, id: string): Promise<Webhook> {
    const webhook = await this.find(tenant, id);
    await this.webhooks.remove(tenant, id);
    return toWebhook(webhook);
  }

  async deliveries(
    tenant: TenantScope,
    id: string,
    { state, ...page }: ListWebhookDeliveries,
  ): Promise<WebhookDelivery[]> {
    await this.find(tenant, id);
    return (await this.log.list(tenant, id, page, state)).map(toDelivery);
  }

  /** Sends a message without an event. @throws {@link ApiError} `CONFLICT` for a disabled endpoint */
  async test(tenant: TenantScope, id: string): Promise<WebhookDelivery> {
    await this.findEnabled(tenant, id);
    const deliveryId = await this.log.add(tenant, id, { type: TEST_EVENT, data: {} });
    return this.sent(tenant, id, deliveryId);
  }

  /** @throws {@link ApiError} `CONFLICT` for a disabled endpoint, or while an attempt is in progress */
  async replayOne(tenant: TenantScope, id: string, deliveryId: string): Promise<WebhookDelivery> {
    await this.findEnabled(tenant, id);
    found(await this.log.find(tenant, id, deliveryId), 'delivery');
    unwrap(await this.log.replay(tenant, id, deliveryId), {
      'in-progress': () =>
        new ApiError('CONFLICT', 'The message is being sent. Wait until the attempt has ended.'),
    });
    return this.sent(tenant, id, deliveryId);
  }

  /** @throws {@link ApiError} `CONFLICT` for a disabled endpoint */
  async replayFailed(tenant: TenantScope, id: string, { since }: ReplayWebhook): Promise<ReplayedWebhook> {
    await this.findEnabled(tenant, id);
    const replayed = await this.log.replayFailed(tenant, id, new Date(since));
    this.sender.wake();
    return { replayed };
  }

  private async sent(tenant: TenantScope, id: string, deliveryId: string): Promise<WebhookDelivery> {
    const delivery = found(await this.log.find(tenant, id, deliveryId), 'delivery');
    this.sender.wake();
    return toDelivery(delivery);
  }

  private async find(tenant: TenantScope, id: string): Promise<WebhookEntity> {
    return found(await this.webhooks.find(tenant, id), 'webhook');
  }

  private async findEnabled(tenant: TenantScope, id: string): Promise<void> {
    const { disabledReason } = await this.find(tenant, id);
    if (disabledReason !== null)
      throw new ApiError('CONFLICT', 'The webhook is disabled. Enable it first, so that messages are sent.');
  }
}

function toWebhook(webhook: WebhookEntity): Webhook {
  const { id, url, events, disabledReason, failingSince, createdAt } = webhook;
  return {
    id,
    url,
    events,
    enabled: disabledReason === null,
    disabledReason,
    failingSince: failingSince?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}

function toDelivery(delivery: WebhookDeliveryEntity): WebhookDelivery {
  const { id, type, data, state, attempts, dueAt, lastAttemptAt, responseStatus, error, createdAt } =
    delivery;
  return {
    id,
    type,
    data,
    state,
    attempts,
    nextAttemptAt: state === 'pending' ? dueAt.toISOString() : null,
    lastAttemptAt: lastAttemptAt?.toISOString() ?? null,
    responseStatus,
    error,
    createdAt: createdAt.toISOString(),
  };
}
