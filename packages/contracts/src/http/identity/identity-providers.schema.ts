import { z } from 'zod';
import { lineSchema, nameSchema } from '../fields.js';
import { emailSchema, roleSchema } from './people.schema.js';

const MAX_DOMAINS = 100;
const MAX_GROUP_ROLES = 200;
const DEFAULT_SCOPES = 'openid email profile';

/** OpenID Connect Discovery 1.0, section 4. People copy this address, too. */
const WELL_KNOWN = /\/\.well-known\/openid-configuration\/?$/;
/** Names that no public server has, loopback addresses and private networks. */
const PRIVATE_HOST =
  /^(?:[^.:]+|.+\.(?:localhost|local|internal|lan)|\[.+\]|(?:127|10|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.[\d.]+)$/;

/** The issuer is compared letter by letter with what the provider says, so a final slash stays. */
const issuerSchema = lineSchema
  .max(1_000)
  .overwrite((issuer) => issuer.replace(WELL_KNOWN, ''))
  .superRefine((issuer, { addIssue }) => {
    const message = problemOfIssuer(issuer);
    if (message !== null) addIssue({ code: 'custom', message });
  });

function problemOfIssuer(issuer: string): string | null {
  const url = URL.parse(issuer);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return 'must be an address with https://';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  if (url.search !== '' || url.hash !== '') return 'must not contain ? or #';
  if (url.protocol === 'http:' && !PRIVATE_HOST.test(url.hostname))
    return 'must begin with https://, except on a private network';
  return null;
}

const domainSchema = lineSchema
  .max(253)
  .overwrite((domain) => domain.toLowerCase().replace(/^@/, ''))
  .regex(/^[^\s@.]+(?:\.[^\s@.]+)+$/, 'must be a domain such as example.com');

const groupRoleSchema = z.object({ group: lineSchema.min(1).max(1_000), role: roleSchema });
export type GroupRole = z.infer<typeof groupRoleSchema>;

/** Ownership comes from a mapped group or from an owner, never by default. */
const defaultRoleSchema = z.enum(['editor', 'member']).nullable();

const scopesSchema = lineSchema
  .max(1_000)
  .regex(
    /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/,
    'must be names with one space between them',
  )
  .refine((scopes) => scopes.split(' ').includes('openid'), 'must contain openid');

const fields = {
  name: nameSchema.describe('Shown on the button of the sign-in page.'),
  issuer: issuerSchema.describe(
    'Address of the provider, exactly as its discovery document has it. The address of the document is accepted, too.',
  ),
  clientId: lineSchema
    .min(1)
    .max(1_000)
    .nullable()
    .describe('Null until the application is registered at the provider. Nobody can sign in until then.'),
  clientSecret: lineSchema
    .min(1)
    .max(5_000)
    .nullable()
    .describe('Stored encrypted, and never returned. Null for a public client.'),
  scopes: scopesSchema.describe(
    'With `offline_access`, sessions end soon after a person is removed at the provider.',
  ),
  emailDomains: z
    .array(domainSchema)
    .max(MAX_DOMAINS)
    .describe('If there are any, people with other e-mail addresses are refused.'),
  defaultRole: defaultRoleSchema.describe(
    'Role of people without a mapped group at their first sign-in. Null: only people who are invited or have a mapped group get in.',
  ),
  groupsClaim: lineSchema
    .min(1)
    .max(255)
    .describe('Claim with the groups. A path such as `realm_access.roles` leads to a claim in another one.'),
  groupRoles: z
    .array(groupRoleSchema)
    .max(MAX_GROUP_ROLES)
    .describe('Roles by group. The highest one wins, at every sign-in.'),
};

export const createIdentityProviderSchema = z
  .object({
    ...fields,
    clientId: fields.clientId.default(null),
    clientSecret: fields.clientSecret.default(null),
    scopes: fields.scopes.default(DEFAULT_SCOPES),
    emailDomains: fields.emailDomains.default([]),
    defaultRole: fields.defaultRole.default(null),
    groupsClaim: fields.groupsClaim.default('groups'),
    groupRoles: fields.groupRoles.default([]),
  })
  .meta({
    id: 'CreateIdentityProvider',
    examples: [{ name: 'Example Ltd', issuer: 'https://login.example.com/realms/example' }],
  });
export type CreateIdentityProvider = z.infer<typeof createIdentityProviderSchema>;

export const updateIdentityProviderSchema = z
  .object(fields)
  .partial()
  .meta({
    id: 'UpdateIdentityProvider',
    examples: [
      { clientId: 'citewell', clientSecret: 'a secret of the provider', emailDomains: ['example.com'] },
    ],
  });
export type UpdateIdentityProvider = z.infer<typeof updateIdentityProviderSchema>;

export const identityProviderSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    issuer: z.string(),
    clientId: z.string().nullable(),
    hasClientSecret: z.boolean(),
    scopes: z.string(),
    emailDomains: z.array(z.string()),
    defaultRole: defaultRoleSchema,
    groupsClaim: z.string(),
    groupRoles: z.array(groupRoleSchema),
    redirectUri: z.string().describe('To be registered at the provider.'),
    createdAt: z.string(),
  })
  .meta({
    id: 'IdentityProvider',
    description: 'A provider of OpenID Connect at which people of the organization sign in.',
    examples: [
      {
        id: '0199c7a4-1b0c-7d2e-8f3a-5c6d7e8f9a0b',
        name: 'Example Ltd',
        issuer: 'https://login.example.com/realms/example',
        clientId: 'citewell',
        hasClientSecret: true,
        scopes: DEFAULT_SCOPES,
        emailDomains: ['example.com'],
        defaultRole: 'member',
        groupsClaim: 'groups',
        groupRoles: [{ group: 'documentation', role: 'editor' }],
        redirectUri:
          'https://answers.example.com/api/session/oidc/0199c7a4-1b0c-7d2e-8f3a-5c6d7e8f9a0b/callback',
        createdAt: '2026-03-02T08:15:00.000Z',
      },
    ],
  });
export type IdentityProvider = z.infer<typeof identityProviderSchema>;

export const identityProviderTestSchema = z
  .object({
    ok: z.boolean(),
    message: z.string().nullable().describe('What is wrong, and what to do. Null if nothing is.'),
  })
  .meta({ id: 'IdentityProviderTest', examples: [{ ok: true, message: null }] });
export type IdentityProviderTest = z.infer<typeof identityProviderTestSchema>;

export const findSignInProvidersSchema = z
  .object({ email: emailSchema })
  .meta({ id: 'FindSignInProviders', examples: [{ email: 'grace@example.com' }] });
export type FindSignInProviders = z.infer<typeof findSignInProvidersSchema>;

export const signInProvidersSchema = z
  .object({
    providers: z.array(z.object({ id: z.string(), name: z.string() })),
    byEmail: z
      .boolean()
      .describe('Whether the providers depend on the e-mail, because the server has several organizations.'),
  })
  .meta({
    id: 'SignInProviders',
    examples: [
      { providers: [{ id: '0199c7a4-1b0c-7d2e-8f3a-5c6d7e8f9a0b', name: 'Example Ltd' }], byEmail: false },
    ],
  });
export type SignInProviders = z.infer<typeof signInProvidersSchema>;

/** Why a sign-in at a provider failed. The sign-in page has a sentence for each. */
export const SIGN_IN_FAILURES = [
  'cancelled',
  'expired',
  'not-begun-here',
  'provider-unavailable',
  'provider-refused',
  'invalid-response',
  'email-missing',
  'email-taken',
  'other-domain',
  'not-invited',
  'owner-exists',
  'groups-unknown',
] as const;
export type SignInFailureReason = (typeof SIGN_IN_FAILURES)[number];
