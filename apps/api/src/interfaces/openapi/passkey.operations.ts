import { passkeyOptionsSchema, passkeySchema } from '@citewell/contracts/schemas';
import { json, listOf, type Operation } from './operation.js';

const OF_AN_ACCOUNT = 'Only in a session that was begun with the credentials of an account.';

/** Operations of passkeys. */
export const PASSKEY_OPERATIONS: Readonly<Record<string, Operation>> = {
  'post /passkeys/challenge': {
    tag: 'Administration',
    summary: 'Begin to sign in with a passkey',
    description:
      'The response is for `navigator.credentials.get`, and `POST /session` takes what that returns as `passkey`. The challenge works once, within five minutes, in the browser that gets the cookie of this response.',
    responses: json(passkeyOptionsSchema),
    errors: ['FORBIDDEN'],
  },
  'post /passkeys/registration': {
    tag: 'Administration',
    summary: 'Begin to make a passkey',
    description: `The response is for \`navigator.credentials.create\`, and \`POST /passkeys\` takes what that returns. ${OF_AN_ACCOUNT}`,
    responses: json(passkeyOptionsSchema),
  },
  'post /passkeys': {
    tag: 'Administration',
    summary: 'Store a passkey',
    description: `${OF_AN_ACCOUNT} Fails with \`CONFLICT\` for a passkey that is not accepted. An account has 20 at most.`,
    responses: json(passkeySchema),
    errors: ['CONFLICT'],
  },
  'get /passkeys': {
    tag: 'Administration',
    summary: 'List the own passkeys',
    description: OF_AN_ACCOUNT,
    responses: listOf(passkeySchema),
  },
  'delete /passkeys/{id}': {
    tag: 'Administration',
    summary: 'Remove an own passkey',
    description: `${OF_AN_ACCOUNT} Sessions that it has begun do not end.`,
    responses: json(passkeySchema),
  },
};
