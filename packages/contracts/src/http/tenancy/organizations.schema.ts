import { z } from 'zod';
import { nameSchema } from '../fields.js';
import { KEY_EXAMPLE } from '../identity/api-keys.schema.js';

export const createOrganizationSchema = z
  .object({ name: nameSchema })
  .meta({ id: 'CreateOrganization', examples: [{ name: 'Pumps Ltd' }] });
export type CreateOrganization = z.infer<typeof createOrganizationSchema>;

export const organizationSchema = z
  .object({ id: z.string(), name: z.string(), createdAt: z.string() })
  .meta({ id: 'Organization' });
export type Organization = z.infer<typeof organizationSchema>;

export const organizationWithKeySchema = organizationSchema.extend({ key: z.string() }).meta({
  description: '`key` is the first API key of the organization. No other response contains it.',
  examples: [
    {
      id: '0199c79f-6a1b-7d6a-9f17-5b8e2c4d0f59',
      name: 'Pumps Ltd',
      createdAt: '2026-03-02T08:00:00.000Z',
      key: KEY_EXAMPLE,
    },
  ],
});
export type OrganizationWithKey = z.infer<typeof organizationWithKeySchema>;

const ownedSchema = z.object({
  datastores: z.number().int(),
  datasources: z.number().int(),
  chunks: z.number().int().describe('In the vector store.'),
  blobs: z.number().int().describe('Files: originals, fetched pages, and what was made of them.'),
  agents: z.number().int(),
  conversations: z.number().int(),
  messages: z.number().int(),
  evaluations: z.number().int(),
  people: z.number().int(),
  apiKeys: z.number().int(),
  webhooks: z.number().int(),
});
const OWNED_EXAMPLE = {
  datastores: 1,
  datasources: 12,
  chunks: 340,
  blobs: 48,
  agents: 1,
  conversations: 7,
  messages: 32,
  evaluations: 0,
  people: 3,
  apiKeys: 2,
  webhooks: 0,
};

export const erasureReportSchema = z
  .object({
    id: z.string().describe('Of the organization.'),
    requestedAt: z.string(),
    completedAt: z.string().nullable(),
    complete: z
      .boolean()
      .describe(
        'True when nothing is left: neither rows nor vectors nor files. Postgres and the disk overwrite the bytes of deleted rows later; backups keep them.',
      ),
    found: ownedSchema.describe('When the deletion was requested.'),
    left: ownedSchema.describe('Still to be deleted.'),
  })
  .meta({
    id: 'ErasureReport',
    description: 'What was deleted with an organization.',
    examples: [
      {
        id: '0199c79f-6a1b-7d6a-9f17-5b8e2c4d0f59',
        requestedAt: '2026-03-02T08:15:00.000Z',
        completedAt: null,
        complete: false,
        found: OWNED_EXAMPLE,
        left: { ...OWNED_EXAMPLE, agents: 0, conversations: 0, messages: 0, people: 0, apiKeys: 0 },
      },
    ],
  });
export type ErasureReport = z.infer<typeof erasureReportSchema>;

export const erasedVisitorSchema = z
  .object({
    id: z.string(),
    conversations: z.number().int(),
    messages: z.number().int(),
  })
  .meta({
    id: 'ErasedVisitor',
    description: 'What was deleted with a visitor. Nothing is left when the response arrives.',
  });
export type ErasedVisitor = z.infer<typeof erasedVisitorSchema>;

export const organizationSettingsSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    ownersReadConversations: z
      .boolean()
      .describe(
        'Whether owners, and keys with the scope `admin`, read the conversations of people. People are told of it.',
      ),
    ownersReadConversationsSince: z
      .string()
      .nullable()
      .describe('Only conversations that began at this moment or later are read. Null: none are.'),
    weeklyGapMail: z
      .boolean()
      .describe(
        'Whether owners get a mail once a week with the questions that the documents did not answer.',
      ),
  })
  .meta({
    id: 'OrganizationSettings',
    description: 'The settings of the own organization.',
    examples: [
      {
        id: '0199c79f-6a1b-7d6a-9f17-5b8e2c4d0f59',
        name: 'Pumps Ltd',
        ownersReadConversations: true,
        ownersReadConversationsSince: '2026-03-02T08:00:00.000Z',
        weeklyGapMail: false,
      },
    ],
  });
export type OrganizationSettings = z.infer<typeof organizationSettingsSchema>;

export const updateOrganizationSchema = z
  .object({ name: nameSchema, ownersReadConversations: z.boolean(), weeklyGapMail: z.boolean() })
  .partial()
  .meta({ id: 'UpdateOrganization', examples: [{ name: 'Pumps Ltd', ownersReadConversations: true }] });
export type UpdateOrganization = z.infer<typeof updateOrganizationSchema>;
