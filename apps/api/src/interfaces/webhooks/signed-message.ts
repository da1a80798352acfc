import type { WebhookPayload } from '@citewell/contracts/schemas';
import type { ClaimedDelivery } from '@citewell/database';
import { Webhook } from 'standardwebhooks';

/** A message as it is sent: the signature is that of exactly this body. */
export interface SignedMessage {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * A message in the format of Standard Webhooks.
 *
 * @param secrets with `whsec_`. Each signs, so that a receiver with any of them accepts the message
 * @param sentAt of this attempt. Receivers refuse messages that are older than a few minutes
 */
export function signedMessage(
  { id, type, data, createdAt }: Pick<ClaimedDelivery, 'id' | 'type' | 'data' | 'createdAt'>,
  secrets: readonly string[],
  sentAt: Date,
): SignedMessage {
  const payload: WebhookPayload = { type, timestamp: createdAt.toISOString(), data };
  const body = JSON.stringify(payload);
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Citewell-Webhooks',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
      'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, sentAt, body)).join(' '),
    },
  };
}
