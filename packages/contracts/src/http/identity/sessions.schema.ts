import { z } from 'zod';
import { LANGUAGES } from '../../languages.js';
import { KEY_EXAMPLE } from './api-keys.schema.js';
import { nameSchema } from '../fields.js';
import {
  emailSchema,
  MAX_PASSWORD_LENGTH,
  newPasswordSchema,
  profileSchema,
  roleSchema,
} from './people.schema.js';

const encoded = z.string().max(20_000);

/** What the browser returns, in the JSON format of WebAuthn (level 3). Other fields of that format are allowed. */
export const passkeyAssertionSchema = z
  .looseObject({
    id: encoded,
    rawId: encoded,
    type: z.literal('public-key'),
    response: z.looseObject({
      clientDataJSON: encoded,
      authenticatorData: encoded,
      signature: encoded,
      userHandle: encoded.optional(),
    }),
  })
  .describe('An `AuthenticationResponseJSON` of WebAuthn, for the challenge of `POST /passkeys/challenge`.');

export const passkeyAttestationSchema = z
  .looseObject({
    id: encoded,
    rawId: encoded,
    type: z.literal('public-key'),
    response: z.looseObject({
      clientDataJSON: encoded,
      attestationObject: encoded,
      transports: z.array(z.string().max(50)).max(20).optional(),
    }),
  })
  .describe('A `RegistrationResponseJSON` of WebAuthn, for the options of `POST /passkeys/registration`.');

export const passkeyOptionsSchema = z.record(z.string(), z.unknown()).meta({
  id: 'PasskeyOptions',
  description: 'Options for the browser, in the JSON format of WebAuthn.',
  examples: [{ challenge: 'AAECAw', rpId: 'answers.example.com', userVerification: 'required' }],
});
export type PasskeyOptions = z.infer<typeof passkeyOptionsSchema>;

export const registerPasskeySchema = z
  .object({ currentPassword: z.string().max(MAX_PASSWORD_LENGTH) })
  .meta({ id: 'RegisterPasskey', examples: [{ currentPassword: 'a long enough phrase' }] });
export type RegisterPasskey = z.infer<typeof registerPasskeySchema>;

export const createPasskeySchema = z.object({ name: nameSchema, credential: passkeyAttestationSchema }).meta({
  id: 'CreatePasskey',
  examples: [
    {
      name: 'Laptop',
      credential: {
        id: 'AQIDBA',
        rawId: 'AQIDBA',
        type: 'public-key',
        response: { clientDataJSON: 'e30', attestationObject: 'oA' },
      },
    },
  ],
});
export type CreatePasskey = z.infer<typeof createPasskeySchema>;

export const passkeySchema = z
  .object({
    id: z.string(),
    name: z.string(),
    createdAt: z.string(),
    lastUsedAt: z.string().nullable(),
  })
  .meta({
    id: 'Passkey',
    examples: [
      {
        id: '0199c7a4-1b0c-7d2e-8f3a-5c6d7e8f9a0b',
        name: 'Laptop',
        createdAt: '2026-03-02T08:15:00.000Z',
        lastUsedAt: null,
      },
    ],
  });
export type Passkey = z.infer<typeof passkeySchema>;

const secretSchema = z.string().min(1).max(512);

const WAYS = ['key', 'code', 'email', 'token', 'reset', 'passkey'] as const;

export const signInSchema = z
  .object({
    key: secretSchema.optional().describe('The API key whose scopes the session gets.'),
    code: secretSchema.optional().describe('The code of the link that the server prints, which works once.'),
    email: emailSchema.optional().describe('Of a person, with `password`.'),
    token: secretSchema
      .optional()
      .describe(
        'Of an invitation, or of a link that an owner has created. It works once, and sets `password`. Somebody who has an account with this e-mail already accepts an invitation with its password.',
      ),
    reset: secretSchema
      .optional()
      .describe(
        'The token of a link that `POST /password-resets` sends. It works once, and sets `password`.',
      ),
    passkey: passkeyAssertionSchema.optional(),
    password: z.string().min(1).max(MAX_PASSWORD_LENGTH).optional(),
    name: nameSchema.optional().describe('Of the person, with `token`.'),
  })
  .superRefine(({ password, name, ...ways }, { addIssue }) => {
    const issue = (path: string, message: string): void =>
      addIssue({ code: 'custom', path: [path], message });
    if (WAYS.filter((way) => ways[way] !== undefined).length !== 1)
      issue('key', 'or code, email, token, reset or passkey is required, and only one of them');
    const setsPassword = ways.token !== undefined || ways.reset !== undefined;
    if ((setsPassword || ways.email !== undefined) !== (password !== undefined))
      issue('password', 'is required with email, token or reset, and only with them');
    if (name !== undefined && ways.token === undefined) issue('name', 'is allowed with token only');
    if (!setsPassword || password === undefined) return;
    for (const { message } of newPasswordSchema.safeParse(password).error?.issues ?? [])
      issue('password', message);
  })
  .meta({
    id: 'SignIn',
    description: 'A key, a code, e-mail and password, a passkey, or a token or reset and the new password.',
    examples: [
      { key: KEY_EXAMPLE },
      { email: 'grace@example.com', password: 'a long enough phrase' },
      { token: KEY_EXAMPLE, password: 'a long enough phrase', name: 'Grace' },
    ],
  });
export type SignIn = z.infer<typeof signInSchema>;

export const ownOrganizationSchema = z
  .object({ id: z.string(), name: z.string(), role: roleSchema })
  .meta({ id: 'OwnOrganization' });
export type OwnOrganization = z.infer<typeof ownOrganizationSchema>;

export const sessionSchema = z
  .object({
    organization: z.object({
      id: z.string(),
      name: z.string(),
      ownersReadConversationsSince: z
        .string()
        .nullable()
        .describe('Owners read the conversations of people that began at this moment or later. Null: none.'),
    }),
    organizations: z
      .array(ownOrganizationSchema)
      .describe(
        'All organizations of the account, the one used last first. Empty unless the session was begun with the credentials of an account.',
      ),
    scopes: z.array(z.string()),
    person: profileSchema.nullable().describe('Null for API keys, and for sessions that a key began.'),
    identityProvider: z
      .string()
      .nullable()
      .describe('Name of the identity provider at which the session began. Null: the session began here.'),
  })
  .meta({
    id: 'Session',
    description: 'Who is signed in.',
    examples: [
      {
        organization: {
          id: '0199c79f-6a1b-7d6a-9f17-5b8e2c4d0f59',
          name: 'Pumps Ltd',
          ownersReadConversationsSince: null,
        },
        organizations: [],
        scopes: ['datastores:query', 'read'],
        person: null,
        identityProvider: null,
      },
    ],
  });
export type Session = z.infer<typeof sessionSchema>;

export const chooseOrganizationSchema = z.object({ organizationId: z.string() }).meta({
  id: 'ChooseOrganization',
  examples: [{ organizationId: '0199c79f-6a1b-7d6a-9f17-5b8e2c4d0f59' }],
});
export type ChooseOrganization = z.infer<typeof chooseOrganizationSchema>;

export const signedOutSchema = z
  .object({
    signedOut: z.literal(true),
    endSessionUrl: z
      .string()
      .optional()
      .describe('Where the browser signs out at the identity provider, if the session began there.'),
  })
  .meta({ id: 'SignedOut' });
export type SignedOut = z.infer<typeof signedOutSchema>;

export const ownSessionSchema = z
  .object({
    id: z.string(),
    userAgent: z.string().nullable().describe('Of the browser that signed in; truncated.'),
    createdAt: z.string(),
    expiresAt: z.string(),
    isCurrent: z.boolean().describe('Whether the request belongs to this session.'),
  })
  .meta({ id: 'OwnSession' });
export type OwnSession = z.infer<typeof ownSessionSchema>;

export const signInOptionsSchema = z
  .object({
    passwordReset: z.boolean().describe('Whether the server sends links to reset a password.'),
    passkeyOrigin: z
      .string()
      .nullable()
      .describe('Where passkeys can be used. Null: on every page of the server that has a name.'),
  })
  .meta({
    id: 'SignInOptions',
    examples: [{ passwordReset: true, passkeyOrigin: 'https://answers.example.com' }],
  });
export type SignInOptions = z.infer<typeof signInOptionsSchema>;

export const requestPasswordResetSchema = z
  .object({
    email: emailSchema,
    language: z
      .enum(LANGUAGES)
      .optional()
      .describe('Of the mail, unless the person has chosen one. Default: `en`.'),
  })
  .meta({ id: 'RequestPasswordReset', examples: [{ email: 'grace@example.com', language: 'fr' }] });
export type RequestPasswordReset = z.infer<typeof requestPasswordResetSchema>;

export const passwordResetRequestedSchema = z.object({ requested: z.literal(true) }).meta({
  id: 'PasswordResetRequested',
  description: 'The same whether or not there is an account.',
  examples: [{ requested: true }],
});
export type PasswordResetRequested = z.infer<typeof passwordResetRequestedSchema>;
