import { z } from 'zod';
import { idSchema, nameSchema, wholeNumberSchema } from '../fields.js';

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

export const DEFAULT_TOKEN_DAYS = 90;
const MAX_TOKEN_DAYS = 365;

const TOKEN_EXAMPLE = {
  id: '0199c7a3-9f2c-7e7b-8a28-7c0d4e6f1b6a',
  name: 'Laptop',
  prefix: KEY_EXAMPLE.slice(0, 9),
  scopes: ['agents:query', 'read'],
  expiresAt: '2026-05-31T08:15:00.000Z',
  createdAt: '2026-03-02T08:15:00.000Z',
};

export const createTokenSchema = z
  .object({
    name: nameSchema,
    scopes: z
      .array(z.enum(SCOPES))
      .min(1)
      .describe('Scopes of the own role. The token loses those that the role loses later.'),
    expiresInDays: wholeNumberSchema(1, MAX_TOKEN_DAYS).default(DEFAULT_TOKEN_DAYS),
  })
  .meta({ id: 'CreateToken', examples: [{ name: 'Laptop', scopes: ['agents:query', 'read'] }] });
export type CreateToken = z.infer<typeof createTokenSchema>;

export const tokenSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    prefix: z.string().describe('The first characters of the token, to recognize it.'),
    scopes: z.array(z.string()),
    expiresAt: z.string(),
    createdAt: z.string(),
  })
  .meta({
    id: 'Token',
    description:
      'A personal access token. Programs send it as they send an API key, and see what its person sees.',
    examples: [TOKEN_EXAMPLE],
  });
export type Token = z.infer<typeof tokenSchema>;

export const tokenWithSecretSchema = tokenSchema.extend({ token: z.string() }).meta({
  description: 'No other response contains `token`.',
  examples: [{ ...TOKEN_EXAMPLE, token: KEY_EXAMPLE }],
});
export type TokenWithSecret = z.infer<typeof tokenWithSecretSchema>;
