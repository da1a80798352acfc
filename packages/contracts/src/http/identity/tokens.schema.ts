import { z } from 'zod';
import { KEY_EXAMPLE, SCOPES } from './api-keys.schema.js';
import { nameSchema, wholeNumberSchema } from '../fields.js';

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
