import { z } from 'zod';
import { idSchema, nameSchema, wholeNumberParameterSchema, wholeNumberSchema } from './fields.js';

/** The permissions of an API key. `admin` manages keys. The first key of an organization has all scopes. */
export const SCOPES = ['agents:query', 'datastores:query', 'read', 'write', 'admin'] as const;
export const scopeSchema = z.enum(SCOPES);
export type Scope = z.infer<typeof scopeSchema>;

/** The scope of a key that web pages contain, for everybody to read. It stands alone, and no route requires it. */
export const PUBLISHABLE = 'publishable';
/** The scope of a key with which an identity provider manages people and groups. It stands alone. */
export const SCIM = 'scim';
export const DEFAULT_DAILY_LIMIT = 1_000;

export const KEY_EXAMPLE = 'cw_ExampleExampleExampleExampleCode';

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

/** An origin (RFC 6454) of web pages. A trailing slash, upper case and a default port are normalised. */
export const originSchema = z
  .string()
  .max(255)
  .refine(
    (text) => originOf(text) !== null,
    'must be an origin such as https://example.com, without a path or *',
  )
  .overwrite((text) => originOf(text) ?? text);

function originOf(text: string): string | null {
  const url = text.includes('*') ? null : URL.parse(text.trim());
  if (!url || !['http:', 'https:'].includes(url.protocol)) return null;
  return url.href === `${url.origin}/` ? url.origin : null;
}

export const createApiKeySchema = z
  .object({
    name: nameSchema,
    scopes: z
      .array(z.enum([...SCOPES, PUBLISHABLE, SCIM]))
      .min(1)
      .describe(
        '`publishable` stands alone: such a key may be part of web pages. So does `scim`, for the identity provider that manages people and groups.',
      ),
    expiresAt: z.iso
      .datetime({ offset: true })
      .refine((instant) => Date.parse(instant) > Date.now(), 'must be in the future')
      .nullish()
      .describe('ISO 8601 with an offset or `Z`.'),
    agentId: idSchema
      .nullish()
      .describe('Only with the scope `publishable`, and required: the public agent that the key may ask.'),
    allowedOrigins: z
      .array(originSchema)
      .min(1)
      .max(100)
      .nullish()
      .describe('Only with the scope `publishable`, and required: the origins of the pages that may use it.'),
    dailyLimit: wholeNumberSchema(1, 1_000_000)
      .nullish()
      .describe(
        `Only with the scope \`publishable\`: messages per day (UTC). ${DEFAULT_DAILY_LIMIT} by default.`,
      ),
  })
  .superRefine(({ scopes, ...key }, { addIssue }) => {
    const issue = (path: string, message: string): void =>
      addIssue({ code: 'custom', path: [path], message });
    const isPublishable = scopes.includes(PUBLISHABLE);
    for (const alone of [PUBLISHABLE, SCIM] as const)
      if (scopes.includes(alone) && scopes.length > 1)
        issue('scopes', `must contain nothing else with ${alone}`);
    for (const field of ['agentId', 'allowedOrigins', 'dailyLimit'] as const) {
      const isGiven = key[field] !== undefined && key[field] !== null;
      if (isGiven && !isPublishable) issue(field, `needs the scope ${PUBLISHABLE}`);
      if (!isGiven && isPublishable && field !== 'dailyLimit')
        issue(field, `is required with the scope ${PUBLISHABLE}`);
    }
  })
  .meta({
    id: 'CreateApiKey',
    examples: [
      { name: 'Reports', scopes: ['datastores:query', 'read'] },
      {
        name: 'Shop',
        scopes: [PUBLISHABLE],
        agentId: '0199c7a1-5b3e-7c20-9d41-8f6e2a7b1c03',
        allowedOrigins: ['https://shop.example.com'],
      },
    ],
  });
export type CreateApiKey = z.infer<typeof createApiKeySchema>;

export const apiKeySchema = z
  .object({
    id: z.string(),
    name: z.string(),
    prefix: z.string().describe('The first characters of the key, to recognize it.'),
    scopes: z.array(z.string()),
    expiresAt: z.string().nullable(),
    agentId: z.string().nullable().describe('Null unless the key is publishable, and so are the next two.'),
    allowedOrigins: z.array(z.string()).nullable(),
    dailyLimit: z.number().int().nullable(),
    person: z
      .object({ id: z.string(), name: z.string().nullable() })
      .nullable()
      .describe('Whose personal access token this is. Null for an API key.'),
    createdAt: z.string(),
  })
  .meta({ id: 'ApiKey' });
export type ApiKey = z.infer<typeof apiKeySchema>;

export const apiKeyWithSecretSchema = apiKeySchema.extend({ key: z.string() }).meta({
  description: 'No other response contains `key`.',
  examples: [
    {
      id: '0199c7a3-9f2c-7e7b-8a28-7c0d4e6f1b6a',
      name: 'Reports',
      prefix: KEY_EXAMPLE.slice(0, 9),
      scopes: ['datastores:query', 'read'],
      expiresAt: null,
      agentId: null,
      allowedOrigins: null,
      dailyLimit: null,
      person: null,
      createdAt: '2026-03-02T08:15:00.000Z',
      key: KEY_EXAMPLE,
    },
  ],
});
export type ApiKeyWithSecret = z.infer<typeof apiKeyWithSecretSchema>;

export const usageReportSchema = z
  .object({
    month: z.string().describe('`YYYY-MM`'),
    agentQueries: z.object({ used: z.number().int(), limit: z.number().int().nullable() }),
    storedCharacters: z.object({ used: z.number().int(), limit: z.number().int().nullable() }),
  })
  .meta({ id: 'UsageReport', description: 'A `limit` of null means no limit.' });
export type UsageReport = z.infer<typeof usageReportSchema>;

export const usageHistoryQuerySchema = z.object({ months: wholeNumberParameterSchema(1, 60).default(12) });
export type UsageHistoryQuery = z.infer<typeof usageHistoryQuerySchema>;

export const monthlyUsageSchema = z
  .object({
    month: z.string().describe('`YYYY-MM` in UTC.'),
    agentQueries: z.number().int(),
    inputTokens: z.number().int().describe('Of answers, as `GET /usage/breakdown` counts them.'),
    outputTokens: z.number().int(),
    storedCharacters: z
      .number()
      .int()
      .nullable()
      .describe('Now, or at the last agent query of a past month. Null if there was none.'),
  })
  .meta({ id: 'MonthlyUsage', description: 'What the organization has used in one month (UTC).' });
export type MonthlyUsage = z.infer<typeof monthlyUsageSchema>;

export const healthReportSchema = z
  .object({
    dependencies: z
      .record(z.string(), z.string())
      .describe(
        '`ok`, or what is wrong, for the database, the queue, the stores and the storage. A chat model is listed if its last request failed.',
      ),
    problems: z
      .array(
        z.object({
          problem: z.string().describe('What the affected items are, in the plural.'),
          count: z.number().int(),
          ids: z.array(z.string()).describe('The first 20.'),
        }),
      )
      .describe('Of the own organization. The operator can repair them with `citewell doctor --repair`.'),
  })
  .meta({ id: 'HealthReport' });
export type HealthReport = z.infer<typeof healthReportSchema>;
