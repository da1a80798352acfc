import { z } from 'zod';
import { MAX_NAME_LENGTH, pageQuerySchema, storedTextSchema, wholeNumberSchema } from '../fields.js';

/** Who did something: `operator` has the admin key or the server itself, `system` is the product. */
export const AUDIT_ACTORS = ['person', 'key', 'operator', 'system'] as const;

/** `refused`: for lack of rights, or a sign-in that failed. */
export const AUDIT_OUTCOMES = ['ok', 'refused'] as const;

/** What the audit log records, by the kind of its target. The action of a target is `library.created`. */
export const AUDIT_ACTIONS = {
  library: ['created', 'changed', 'deleted', 'readers_changed'],
  document: ['added', 'changed', 'replaced', 'deleted', 'synchronized', 'cancelled'],
  agent: ['created', 'changed', 'deleted'],
  conversation: ['shared', 'unshared', 'deleted', 'exported'],
  gap: ['changed'],
  visitor: ['erased'],
  person: ['invited', 'link_created', 'added', 'changed', 'activated', 'deactivated', 'removed'],
  group: ['created', 'changed', 'deleted', 'member_added', 'member_removed'],
  profile: ['changed'],
  session: ['started', 'ended'],
  key: ['created', 'deleted'],
  token: ['created', 'deleted'],
  passkey: ['created', 'deleted'],
  identity_provider: ['created', 'changed', 'deleted', 'tested'],
  model: [
    'embedding_chosen',
    'embedding_tested',
    'pictures_chosen',
    'pictures_removed',
    'pictures_tested',
    'rerank_chosen',
    'rerank_removed',
    'rerank_tested',
    'chat_chosen',
    'chat_removed',
    'chat_tested',
    'own_chat_chosen',
    'own_chat_removed',
    'own_chat_tested',
    'language_added',
    'language_removed',
    'tested',
  ],
  webhook: ['created', 'changed', 'deleted', 'secret_rotated', 'replayed', 'tested'],
  evaluation: ['created', 'deleted'],
  usage: ['prices_changed', 'budgets_changed'],
  organization: ['created', 'changed', 'deleted'],
  audit: ['exported', 'retention_changed'],
  request: ['refused'],
} as const;
export type AuditTargetKind = keyof typeof AUDIT_ACTIONS;
export type AuditAction = {
  [Kind in AuditTargetKind]: `${Kind}.${(typeof AUDIT_ACTIONS)[Kind][number]}`;
}[AuditTargetKind];

export const MIN_AUDIT_RETENTION_DAYS = 30;
export const DEFAULT_AUDIT_RETENTION_DAYS = 365;

export const auditEventSchema = z
  .object({
    id: z.string(),
    at: z.string().describe('By the clock of the database.'),
    actor: z.object({
      kind: z.enum(AUDIT_ACTORS),
      id: z.string().nullable().describe('Of the person or the API key. Null if a sign-in has failed.'),
      name: z.string().nullable().describe('As it was then.'),
    }),
    action: z.string().describe('A stable word, such as `library.deleted`. The manual lists them.'),
    target: z
      .object({ kind: z.string(), id: z.string().nullable(), name: z.string().nullable() })
      .nullable()
      .describe('What the action was about.'),
    address: z.string().nullable().describe('Of the client.'),
    userAgent: z.string().nullable(),
    outcome: z.enum(AUDIT_OUTCOMES),
    details: z
      .record(z.string(), z.unknown())
      .describe(
        '`fields`: names of the fields whose value has changed. `previous`: earlier values of some of them. `names`: what the ids in the details were called then. Others are values such as a role. Never a secret, and no text of a document.',
      ),
  })
  .meta({
    id: 'AuditEvent',
    examples: [
      {
        id: '0199c7a3-9f2c-7e7b-8a28-7c0d4e6f1b6a',
        at: '2026-03-02T08:15:00.000Z',
        actor: { kind: 'person', id: '0199c7a1-5b3e-7c20-9d41-8f6e2a7b1c03', name: 'Ada' },
        action: 'library.changed',
        target: { kind: 'library', id: '0199c79f-6a1b-7d6a-9f17-5b8e2c4d0f59', name: 'Manuals' },
        address: '192.0.2.7',
        userAgent: 'Mozilla/5.0',
        outcome: 'ok',
        details: { fields: ['name', 'description'], previous: { name: 'Handbooks' } },
      },
    ],
  });
export type AuditEvent = z.infer<typeof auditEventSchema>;

const filterTextSchema = storedTextSchema.min(1).max(MAX_NAME_LENGTH);
const instantSchema = z.iso.datetime({
  offset: true,
  error: 'must be an instant of ISO 8601 with Z or an offset',
});

export const auditFilterSchema = z.object({
  actor: filterTextSchema.optional().describe('The id, or a part of the name.'),
  action: filterTextSchema.optional().describe('The action, or its first word, such as `library`.'),
  target: filterTextSchema.optional().describe('The id, or a part of the name.'),
  outcome: z.enum(AUDIT_OUTCOMES).optional(),
  from: instantSchema.optional().describe('The first instant.'),
  to: instantSchema.optional().describe('The instant after the last one.'),
});
export type AuditFilter = z.infer<typeof auditFilterSchema>;

export const listAuditEventsSchema = pageQuerySchema.extend(auditFilterSchema.shape);
export type ListAuditEvents = z.infer<typeof listAuditEventsSchema>;

export const auditRetentionSchema = z
  .object({
    retentionDays: wholeNumberSchema(MIN_AUDIT_RETENTION_DAYS, 3_650).describe(
      'Older events are removed. They cannot be brought back.',
    ),
  })
  .meta({ id: 'AuditRetention', examples: [{ retentionDays: DEFAULT_AUDIT_RETENTION_DAYS }] });
export type AuditRetention = z.infer<typeof auditRetentionSchema>;
