import { z } from 'zod';
import { LANGUAGES } from '../../languages.js';
import { KEY_EXAMPLE, type Scope, SCOPES } from './api-keys.schema.js';
import { lineSchema, nameSchema, storedTextSchema, wholeNumberSchema } from '../fields.js';

export const ROLES = ['owner', 'editor', 'member'] as const;
export const roleSchema = z
  .enum(ROLES)
  .describe(
    'An `owner` has all scopes. An `editor` has them without `admin`: libraries and agents. A `member` asks, searches and reads.',
  );
export type Role = z.infer<typeof roleSchema>;

const MEMBER_SCOPES = ['agents:query', 'datastores:query', 'read'] as const satisfies Scope[];

/** What the people of an organization may do. */
export const ROLE_SCOPES: Readonly<Record<Role, readonly Scope[]>> = {
  owner: SCOPES,
  editor: [...MEMBER_SCOPES, 'write'],
  member: MEMBER_SCOPES,
};

/** RFC 5321, section 4.5.3.1.3: a path of 256 characters with its angle brackets. */
const MAX_EMAIL_LENGTH = 254;
const DEFAULT_LINK_DAYS = 7;
const MAX_LINK_DAYS = 30;

/** In lower case: two addresses that differ in their case alone are one person. */
export const emailSchema = lineSchema
  .max(MAX_EMAIL_LENGTH)
  .regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address')
  .overwrite((email) => email.toLowerCase());

const MAX_EMAIL_TOKEN_LENGTH = 100;

export const MAX_PASSWORD_LENGTH = 1_000;

/**
 * A new password: 10 to 1,000 UTF-16 code units, of any characters. It is hashed as it is sent, without Unicode
 * normalisation. No kinds of characters are required (NIST SP 800-63B, section 3.1.1.2).
 */
export const newPasswordSchema = z
  .string()
  .min(10, 'must have at least 10 characters')
  .max(MAX_PASSWORD_LENGTH)
  .refine((text) => text.isWellFormed(), 'must not contain lone surrogates');

const PERSON_EXAMPLE = {
  id: '0199c7a4-1b0c-7d2e-8f3a-5c6d7e8f9a0b',
  name: null,
  email: 'grace@example.com',
  role: 'member',
  lastSignInAt: null,
  linkExpiresAt: '2026-03-09T08:15:00.000Z',
  disabled: false,
  createdAt: '2026-03-02T08:15:00.000Z',
};

export const personSchema = z
  .object({
    id: z.string(),
    name: z.string().nullable().describe('Null until the person has chosen one.'),
    email: z.string().nullable().describe('Null for an owner who signs in with the link of the server only.'),
    role: roleSchema,
    lastSignInAt: z.string().nullable().describe('Null until the person has accepted the invitation.'),
    linkExpiresAt: z
      .string()
      .nullable()
      .describe('When the link that was created last expires or has expired. Null without an unused link.'),
    disabled: z
      .boolean()
      .describe('Whether the identity provider has deactivated the person, who cannot sign in then.'),
    createdAt: z.string(),
  })
  .meta({
    id: 'Person',
    description:
      'Somebody who signs in. A person belongs to one organization; an account may have people in several.',
    examples: [PERSON_EXAMPLE],
  });
export type Person = z.infer<typeof personSchema>;

export const personWithTokenSchema = personSchema
  .extend({
    token: z
      .string()
      .describe('With it, the person chooses a password at `<address of the server>/#invite=<token>`, once.'),
  })
  .meta({
    description: 'No other response contains `token`.',
    examples: [{ ...PERSON_EXAMPLE, token: KEY_EXAMPLE }],
  });
export type PersonWithToken = z.infer<typeof personWithTokenSchema>;

const expiresInDaysSchema = wholeNumberSchema(1, MAX_LINK_DAYS)
  .default(DEFAULT_LINK_DAYS)
  .describe('Days for which the token can be used.');

export const invitePersonSchema = z
  .object({
    email: emailSchema,
    role: roleSchema,
    expiresInDays: expiresInDaysSchema,
    sendMail: z
      .boolean()
      .default(false)
      .describe(
        'Whether the link is sent to the e-mail, too. Fails with `CONFLICT` if the server sends no mails.',
      ),
    language: z.enum(LANGUAGES).optional().describe('Of the mail. Default: `en`.'),
  })
  .meta({ id: 'InvitePerson', examples: [{ email: 'grace@example.com', role: 'member' }] });
export type InvitePerson = z.infer<typeof invitePersonSchema>;

export const createPersonLinkSchema = z
  .object({ expiresInDays: expiresInDaysSchema })
  .meta({ id: 'CreatePersonLink', examples: [{ expiresInDays: 1 }] });
export type CreatePersonLink = z.infer<typeof createPersonLinkSchema>;

export const changePersonSchema = z
  .object({ role: roleSchema })
  .meta({ id: 'ChangePerson', examples: [{ role: 'editor' }] });
export type ChangePerson = z.infer<typeof changePersonSchema>;

export const profileSchema = z
  .object({
    id: z.string(),
    name: z.string().nullable(),
    email: z.string().nullable(),
    role: roleSchema,
    language: z.enum(LANGUAGES).nullable().describe('Of the dashboard. Null: the one of the browser.'),
    hasPassword: z.boolean().describe('Whether the person has an account.'),
    emailToConfirm: z
      .string()
      .optional()
      .describe(
        'Only after a change of `email` on a server that sends e-mail: a link was sent to this address, and `email` changes when it is opened.',
      ),
  })
  .meta({
    id: 'Profile',
    description: 'The person who is signed in.',
    examples: [
      {
        id: '0199c7a4-1b0c-7d2e-8f3a-5c6d7e8f9a0b',
        name: 'Grace',
        email: 'grace@example.com',
        role: 'member',
        language: 'fr',
        hasPassword: true,
      },
    ],
  });
export type Profile = z.infer<typeof profileSchema>;

export const changeProfileSchema = z
  .object({
    name: nameSchema.optional(),
    email: emailSchema
      .optional()
      .describe(
        'If the server sends e-mail, the e-mail changes when the link is opened that is sent to it. Otherwise it changes at once, and nobody has verified it.',
      ),
    emailToken: z
      .string()
      .max(MAX_EMAIL_TOKEN_LENGTH)
      .optional()
      .describe(
        'From the link that was sent to a new e-mail, which becomes that of the account. It works once.',
      ),
    language: z.enum(LANGUAGES).nullish(),
    password: newPasswordSchema.optional().describe('A new one. It ends the other sessions of the account.'),
    currentPassword: z
      .string()
      .max(MAX_PASSWORD_LENGTH)
      .optional()
      .describe('Required to change `email` or `password`, if the person has a password.'),
  })
  .meta({ id: 'ChangeProfile', examples: [{ name: 'Grace', language: 'fr' }] });
export type ChangeProfile = z.infer<typeof changeProfileSchema>;

const GROUP_EXAMPLE = {
  id: '0199c7a4-5d10-7b3c-9e21-8a7b6c5d4e3f',
  name: 'Engineering',
  externalId: null,
  memberCount: 12,
  createdAt: '2026-03-02T08:15:00.000Z',
};

export const groupSchema = z
  .object({
    id: z.string(),
    name: z.string().describe('Unique in the organization, without regard to case.'),
    externalId: z
      .string()
      .nullable()
      .describe('The id at the identity provider that manages the group. Null: the group is managed here.'),
    memberCount: z.number().int(),
    createdAt: z.string(),
  })
  .meta({
    id: 'Group',
    description: 'People of an organization who may read the same libraries.',
    examples: [GROUP_EXAMPLE],
  });
export type Group = z.infer<typeof groupSchema>;

const externalIdSchema = storedTextSchema.min(1).max(255).nullish();

export const createGroupSchema = z
  .object({ name: nameSchema, externalId: externalIdSchema })
  .meta({ id: 'CreateGroup', examples: [{ name: 'Engineering' }] });
export type CreateGroup = z.infer<typeof createGroupSchema>;

export const updateGroupSchema = z
  .object({ name: nameSchema.optional(), externalId: externalIdSchema })
  .meta({ id: 'UpdateGroup', examples: [{ name: 'Engineering and research' }] });
export type UpdateGroup = z.infer<typeof updateGroupSchema>;

export const groupMemberSchema = personSchema.pick({ id: true, name: true, email: true, role: true }).meta({
  id: 'GroupMember',
  description: 'A person in a group.',
  examples: [
    { id: '0199c7a4-1b0c-7d2e-8f3a-5c6d7e8f9a0b', name: 'Grace', email: 'grace@example.com', role: 'member' },
  ],
});
export type GroupMember = z.infer<typeof groupMemberSchema>;
