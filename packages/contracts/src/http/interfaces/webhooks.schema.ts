import { z } from 'zod';
import { pageQuerySchema } from '../fields.js';

/** The events that an endpoint can ask for. Those of datasources end with a status. */
export const WEBHOOK_EVENTS = [
  'datasource.synched',
  'datasource.error',
  'datasource.usage_limit_reached',
  'usage.limit_reached',
  'gap.answered',
  'gap.unanswered',
] as const;
export const webhookEventSchema = z.enum(WEBHOOK_EVENTS);
export type WebhookEvent = z.infer<typeof webhookEventSchema>;

const DELIVERY_EXAMPLE = '0199c7b1-77aa-7c0e-8f21-0c9d4b7e6a12';
const URL_EXAMPLE = 'https://example.com/hooks/citewell';
const WEBHOOK_EXAMPLE = {
  id: '0199c7b0-3d52-7a41-9c33-5f0e8d1b2a67',
  url: URL_EXAMPLE,
  events: ['datasource.synched', 'datasource.error'],
  enabled: true,
  disabledReason: null,
  failingSince: null,
  createdAt: '2026-03-02T08:15:00.000Z',
};

const urlSchema = z
  .string()
  .trim()
  .min(1)
  .max(2_000)
  .describe('An `https` or `http` address. Redirects are not followed.');
const eventsSchema = z
  .array(webhookEventSchema)
  .min(1)
  .max(50)
  .describe('Pages of web sites and files of archives have no events of their own: that of the site counts.');

export const createWebhookSchema = z.object({ url: urlSchema, events: eventsSchema }).meta({
  id: 'CreateWebhook',
  examples: [{ url: URL_EXAMPLE, events: ['datasource.synched', 'datasource.error'] }],
});
export type CreateWebhook = z.infer<typeof createWebhookSchema>;

export const updateWebhookSchema = z
  .object({
    url: urlSchema.optional(),
    events: eventsSchema.optional(),
    enabled: z
      .boolean()
      .optional()
      .describe('A disabled endpoint gets no events. Those that wait are sent when it is enabled again.'),
  })
  .meta({ id: 'UpdateWebhook', examples: [{ enabled: false }] });
export type UpdateWebhook = z.infer<typeof updateWebhookSchema>;

export const webhookDisabledReasonSchema = z
  .enum(['request', 'gone', 'failing'])
  .describe(
    '`gone`: the endpoint answered 410. `failing`: a delivery has failed, and nothing was delivered for five days.',
  );

export const webhookSchema = z
  .object({
    id: z.string(),
    url: z.string(),
    events: z.array(webhookEventSchema),
    enabled: z.boolean(),
    disabledReason: webhookDisabledReasonSchema.nullable(),
    failingSince: z.string().nullable().describe('The first failed attempt since the last delivery.'),
    createdAt: z.string(),
  })
  .meta({
    id: 'Webhook',
    description: 'An endpoint that is told about events.',
    examples: [WEBHOOK_EXAMPLE],
  });
export type Webhook = z.infer<typeof webhookSchema>;

export const webhookWithSecretSchema = webhookSchema.extend({ secret: z.string() }).meta({
  description: '`secret` signs the messages. No other response contains it.',
  examples: [{ ...WEBHOOK_EXAMPLE, secret: 'whsec_RXhhbXBsZUV4YW1wbGVFeGFtcGxlRXhhbXBsZUV4YW0=' }],
});
export type WebhookWithSecret = z.infer<typeof webhookWithSecretSchema>;

export const webhookDeliveryStateSchema = z.enum(['pending', 'delivered', 'failed']);
export type WebhookDeliveryState = z.infer<typeof webhookDeliveryStateSchema>;

export const webhookDeliveryErrorSchema = z.enum([
  'HTTP_STATUS',
  'TIMEOUT',
  'CONNECTION_FAILED',
  'DNS_FAILED',
  'TLS_FAILED',
  'PROXY_FAILED',
  'BAD_RESPONSE',
  'ADDRESS_BLOCKED',
  'OFFLINE',
  'SECRET_UNREADABLE',
]);
export type WebhookDeliveryError = z.infer<typeof webhookDeliveryErrorSchema>;

export const webhookDeliverySchema = z
  .object({
    id: z.string().describe('The header `webhook-id` of every attempt.'),
    type: z.string(),
    data: z.record(z.string(), z.unknown()),
    state: webhookDeliveryStateSchema,
    attempts: z.number().int(),
    nextAttemptAt: z.string().nullable().describe('Null unless the state is `pending`.'),
    lastAttemptAt: z.string().nullable(),
    responseStatus: z.number().int().nullable().describe('Of the last attempt.'),
    error: webhookDeliveryErrorSchema.nullable().describe('Why the last attempt failed.'),
    createdAt: z.string(),
  })
  .meta({
    id: 'WebhookDelivery',
    description: 'A message to an endpoint.',
    examples: [
      {
        id: DELIVERY_EXAMPLE,
        type: 'datasource.synched',
        data: { datasourceId: '0199c7a2-8c6f-7e35-a074-6d1b9f3e5a24', status: 'synched' },
        state: 'delivered',
        attempts: 1,
        nextAttemptAt: null,
        lastAttemptAt: '2026-03-02T08:20:01.000Z',
        responseStatus: 204,
        error: null,
        createdAt: '2026-03-02T08:20:00.000Z',
      },
    ],
  });
export type WebhookDelivery = z.infer<typeof webhookDeliverySchema>;

export const listWebhookDeliveriesSchema = pageQuerySchema.extend({
  state: webhookDeliveryStateSchema.optional(),
});
export type ListWebhookDeliveries = z.infer<typeof listWebhookDeliveriesSchema>;

export const replayWebhookSchema = z
  .object({
    since: z.iso
      .datetime({ offset: true })
      .describe(
        'Sends all failed deliveries again whose event is not older. ISO 8601 with an offset or `Z`.',
      ),
  })
  .meta({ id: 'ReplayWebhook', examples: [{ since: '2026-03-02T00:00:00Z' }] });
export type ReplayWebhook = z.infer<typeof replayWebhookSchema>;

export const replayedWebhookSchema = z
  .object({ replayed: z.number().int().describe('Deliveries that are sent again.') })
  .meta({ id: 'ReplayedWebhook', examples: [{ replayed: 12 }] });
export type ReplayedWebhook = z.infer<typeof replayedWebhookSchema>;

/** The body of a message. */
export const webhookPayloadSchema = z
  .object({
    type: z.string(),
    timestamp: z.string().describe('When the event happened.'),
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'WebhookPayload' });
export type WebhookPayload = z.infer<typeof webhookPayloadSchema>;
