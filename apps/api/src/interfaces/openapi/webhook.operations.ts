import {
  replayedWebhookSchema,
  webhookDeliverySchema,
  webhookSchema,
  webhookWithSecretSchema,
} from '@citewell/contracts/schemas';
import { json, listOf, type Operation } from './operation.js';

const tag = 'Webhooks';

/** The operations of webhooks, by method and path. */
export const WEBHOOK_OPERATIONS: Readonly<Record<string, Operation>> = {
  'post /webhooks': {
    tag,
    summary: 'Create a webhook',
    description:
      'Events are sent to its address as `POST` requests, signed as Standard Webhooks describes. The address may lead to the Internet and to the networks of the variable ORGANIZATION_MODEL_NETWORKS. An organization has at most 20 webhooks.',
    responses: json(webhookWithSecretSchema),
    errors: ['CONFLICT'],
  },
  'get /webhooks': { tag, summary: 'List webhooks', responses: listOf(webhookSchema) },
  'get /webhooks/{id}': { tag, summary: 'Read a webhook', responses: json(webhookSchema) },
  'patch /webhooks/{id}': {
    tag,
    summary: 'Change a webhook',
    description:
      'With `enabled: true`, an endpoint that was disabled gets messages again, also those that wait.',
    responses: json(webhookSchema),
  },
  'delete /webhooks/{id}': {
    tag,
    summary: 'Delete a webhook',
    description: 'Its deliveries are deleted, too.',
    responses: json(webhookSchema),
  },
  'post /webhooks/{id}/secret': {
    tag,
    summary: 'Rotate the secret of a webhook',
    description:
      'Messages are signed with the new and the earlier secret for 24 hours, then with the new one alone.',
    responses: json(webhookWithSecretSchema),
    errors: ['CONFLICT'],
  },
  'post /webhooks/{id}/test': {
    tag,
    summary: 'Send a test message',
    description: 'A message of the type `webhook.test`.',
    responses: json(webhookDeliverySchema),
    errors: ['CONFLICT'],
  },
  'post /webhooks/{id}/replay': {
    tag,
    summary: 'Send failed messages again',
    responses: json(replayedWebhookSchema),
    errors: ['CONFLICT'],
  },
  'get /webhooks/{id}/deliveries': {
    tag,
    summary: 'List the deliveries of a webhook',
    description: 'Newest first. They are kept for 30 days.',
    responses: listOf(webhookDeliverySchema),
  },
  'post /webhooks/{id}/deliveries/{delivery}/replay': {
    tag,
    summary: 'Send a message again',
    description: 'Under the same id, whatever its state.',
    responses: json(webhookDeliverySchema),
    errors: ['CONFLICT'],
  },
};
