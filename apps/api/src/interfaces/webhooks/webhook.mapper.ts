import type { Webhook, WebhookDelivery } from '@citewell/contracts/schemas';
import type { WebhookDeliveryEntity, WebhookEntity } from '@citewell/database';

export function toWebhook(webhook: WebhookEntity): Webhook {
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

export function toDelivery(delivery: WebhookDeliveryEntity): WebhookDelivery {
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
