import {
  ownSessionSchema,
  passwordResetRequestedSchema,
  personSchema,
  personWithTokenSchema,
  profileSchema,
  sessionSchema,
  signInOptionsSchema,
  signedOutSchema,
  tokenSchema,
  tokenWithSecretSchema,
} from '@citewell/contracts/schemas';
import { json, listOf, type Operation } from './operation.js';

/** Operations of people, their sessions, profile and tokens. */
export const PEOPLE_OPERATIONS: Readonly<Record<string, Operation>> = {
  'post /people': {
    tag: 'Administration',
    summary: 'Invite a person',
    description:
      'The person is listed at once, and signs in after choosing a password with `token`. With `sendMail`, the link is sent to the e-mail, too, if the server sends mails; an organization sends 100 an hour. Fails with `CONFLICT` if another person of the organization has this e-mail.',
    responses: json(personWithTokenSchema),
    errors: ['CONFLICT'],
  },
  'get /people': {
    tag: 'Administration',
    summary: 'List the people of the organization',
    responses: listOf(personSchema),
  },
  'post /people/{id}/link': {
    tag: 'Administration',
    summary: 'Create a new link for a person',
    description:
      'For an invitation that has expired, or a forgotten password. The link before stops working. The password of before works until the new one is set, which ends all sessions of the person. Fails with `CONFLICT` for an account that is in several organizations.',
    responses: json(personWithTokenSchema),
    errors: ['CONFLICT'],
  },
  'patch /people/{id}': {
    tag: 'Administration',
    summary: 'Change the role of a person',
    description: 'Takes effect within five seconds. Fails with `CONFLICT` for the last owner.',
    responses: json(personSchema),
    errors: ['CONFLICT'],
  },
  'delete /people/{id}': {
    tag: 'Administration',
    summary: 'Remove a person, or an invitation',
    description:
      'The sessions of the person end within five seconds. Fails with `CONFLICT` for the last owner.',
    responses: json(personSchema),
    errors: ['CONFLICT'],
  },
  'post /session': {
    tag: 'Administration',
    summary: 'Sign a browser in',
    description:
      'Exchanges e-mail and password, an API key, the code of a sign-in link, or the token of an invitation, for a cookie that scripts cannot read. A token sets the password, and ends the sessions that the person had before. Somebody who has an account accepts an invitation with its password; another one fails with `CONFLICT`. With e-mail and password, the session begins in the organization that the account used last. The cookie counts only for requests of the same origin with the header Citewell-Csrf. A session that the browser had before ends. The session ends after 30 days, or with its person or key.',
    responses: json(sessionSchema),
    errors: ['UNAUTHORIZED', 'CONFLICT'],
  },
  'get /sign-in-options': {
    tag: 'Administration',
    summary: 'Read what the sign-in page offers',
    responses: json(signInOptionsSchema),
  },
  'post /password-resets': {
    tag: 'Administration',
    summary: 'Send a link to reset a password',
    description:
      'Sends a link to the e-mail, if there is an account with it. The link works once, within an hour; `POST /session` takes its token as `reset`. The response is the same without an account. Fails with `FORBIDDEN` if the server sends no mails (`SMTP_URL`).',
    responses: json(passwordResetRequestedSchema),
    errors: ['FORBIDDEN'],
  },
  'post /session/organization': {
    tag: 'Administration',
    summary: 'Change to another organization of the account',
    description:
      'Ends the session, and begins one in another organization, until the same moment. Only in a session that was begun with the credentials of an account. Organizations that the account is not in are not found.',
    responses: json(sessionSchema),
    errors: ['NOT_FOUND'],
  },
  'get /session': {
    tag: 'Administration',
    summary: 'Read the organization, the scopes and the person of the caller',
    responses: json(sessionSchema),
  },
  'patch /profile': {
    tag: 'Administration',
    summary: 'Change the own profile',
    description:
      'Only in the session of a person. E-mail and password are those of the account, in all its organizations. If the server sends e-mail, a new e-mail waits until the link that is sent to it is opened, and `emailToConfirm` names it. The answer is the same whether or not somebody else has the e-mail. Without a mail server the e-mail changes at once, does not keep others from being invited with it, and fails with `CONFLICT` if another person of one of the organizations has it. A person changes the e-mail ten times an hour at most.',
    responses: json(profileSchema),
    errors: ['CONFLICT'],
  },
  'get /sessions': {
    tag: 'Administration',
    summary: 'List the own sessions',
    description: 'Only in the session of a person. Newest first.',
    responses: listOf(ownSessionSchema),
  },
  'delete /sessions/{id}': {
    tag: 'Administration',
    summary: 'End an own session',
    responses: json(ownSessionSchema),
  },
  'post /tokens': {
    tag: 'Administration',
    summary: 'Create a personal access token',
    description:
      'Only in the session of a person. Programs send the token as `Authorization: Bearer`, and see what the person sees. A token has those of its scopes that the role of the person has at the moment of a request. It ends with its person, when it expires, or when it is revoked.',
    responses: json(tokenWithSecretSchema),
    errors: ['CONFLICT'],
  },
  'get /tokens': {
    tag: 'Administration',
    summary: 'List the own tokens',
    description: 'Only in the session of a person. Those that have not expired, newest first.',
    responses: listOf(tokenSchema),
  },
  'delete /tokens/{id}': {
    tag: 'Administration',
    summary: 'Revoke an own token',
    description: 'Takes effect within five seconds.',
    responses: json(tokenSchema),
  },
  'delete /session': {
    tag: 'Administration',
    summary: 'Sign a browser out',
    responses: json(signedOutSchema),
  },
};
