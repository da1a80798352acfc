import { z } from 'zod';
import { nameSchema, wholeNumberParameterSchema } from './fields.js';

/** The permissions of an API key. `admin` manages keys. The first key of an organization has all scopes. */
export const SCOPES = ['agents:query', 'datastores:query', 'read', 'write', 'admin'] as const;
export const scopeSchema = z.enum(SCOPES);
export type Scope = z.infer<typeof scopeSchema>;

export const createOrganizationSchema = z.object({ name: nameSchema }).meta({ id: 'CreateOrganization' });
export type CreateOrganization = z.infer<typeof createOrganizationSchema>;

export const organizationSchema = z
  .object({ id: z.string(), name: z.string(), createdAt: z.string() })
  .meta({ id: 'Organization' });
export type Organization = z.infer<typeof organizationSchema>;

/** No other response contains `key`. */
export const organizationWithKeySchema = organizationSchema.extend({ key: z.string() });
export type OrganizationWithKey = z.infer<typeof organizationWithKeySchema>;

export const createApiKeySchema = z
  .object({
    name: nameSchema,
    scopes: z.array(scopeSchema).min(1),
    expiresAt: z.iso
      .datetime({ offset: true })
      .refine((instant) => Date.parse(instant) > Date.now(), 'must be in the future')
      .nullish(),
  })
  .meta({ id: 'CreateApiKey' });
export type CreateApiKey = z.infer<typeof createApiKeySchema>;

export const apiKeySchema = z
  .object({
    id: z.string(),
    name: z.string(),
    prefix: z.string(),
    scopes: z.array(z.string()),
    expiresAt: z.string().nullable(),
    createdAt: z.string(),
  })
  .meta({ id: 'ApiKey' });
export type ApiKey = z.infer<typeof apiKeySchema>;

export const apiKeyWithSecretSchema = apiKeySchema.extend({ key: z.string() });
export type ApiKeyWithSecret = z.infer<typeof apiKeyWithSecretSchema>;

/** An API key, or the code of a sign-in link, which works once. */
export const signInSchema = z
  .object({ key: z.string().min(1).max(512).optional(), code: z.string().min(1).max(512).optional() })
  .refine(({ key, code }) => (key === undefined) !== (code === undefined), {
    path: ['key'],
    message: 'or code is required, and not both',
  })
  .meta({ id: 'SignIn' });
export type SignIn = z.infer<typeof signInSchema>;

/** Who is signed in. */
export const sessionSchema = z
  .object({
    organization: z.object({ id: z.string(), name: z.string() }),
    scopes: z.array(z.string()),
  })
  .meta({ id: 'Session' });
export type Session = z.infer<typeof sessionSchema>;

export const signedOutSchema = z.object({ signedOut: z.literal(true) }).meta({ id: 'SignedOut' });
export type SignedOut = z.infer<typeof signedOutSchema>;

export const usageReportSchema = z
  .object({
    month: z.string(),
    agentQueries: z.object({ used: z.number().int(), limit: z.number().int().nullable() }),
    storedCharacters: z.object({ used: z.number().int(), limit: z.number().int().nullable() }),
  })
  .meta({ id: 'UsageReport' });
export type UsageReport = z.infer<typeof usageReportSchema>;

export const usageHistoryQuerySchema = z.object({ months: wholeNumberParameterSchema(1, 60).default(12) });
export type UsageHistoryQuery = z.infer<typeof usageHistoryQuerySchema>;

export const monthlyUsageSchema = z
  .object({
    month: z.string().describe('`YYYY-MM` in UTC.'),
    agentQueries: z.number().int(),
    inputTokens: z.number().int().describe('Of complete answers, as the provider of the model counts them.'),
    outputTokens: z.number().int(),
    storedCharacters: z
      .number()
      .int()
      .nullable()
      .describe('Now, or at the last agent query of a past month. Null if there was none.'),
  })
  .meta({ id: 'MonthlyUsage' });
export type MonthlyUsage = z.infer<typeof monthlyUsageSchema>;

export const healthReportSchema = z
  .object({
    dependencies: z
      .record(z.string(), z.string())
      .describe('`ok`, or what is wrong, for the database, the queue, the stores and the storage.'),
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

export const errorEnvelopeSchema = z
  .object({
    error: z.string(),
    message: z.string(),
    details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    requestId: z.string(),
  })
  .meta({ id: 'Error' });
export type ErrorEnvelope = z.infer<typeof errorEnvelopeSchema>;
