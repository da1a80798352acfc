import {
  identityProviderSchema,
  identityProviderTestSchema,
  signInProvidersSchema,
} from '@citewell/contracts/schemas';
import { json, listOf, type Operation } from './operation.js';

/** Operations of identity providers. Browsers open the addresses of the sign-in itself. */
export const SINGLE_SIGN_ON_OPERATIONS: Readonly<Record<string, Operation>> = {
  'post /identity-providers': {
    tag: 'Administration',
    summary: 'Add an identity provider',
    description:
      'People of the organization sign in there with OpenID Connect. The response has the `redirectUri`, which the provider needs to know. The issuer may be on the Internet, and in the networks of the variable MODEL_NETWORKS for the first organization, or ORGANIZATION_MODEL_NETWORKS for others.',
    responses: json(identityProviderSchema),
    errors: ['CONFLICT'],
  },
  'get /identity-providers': {
    tag: 'Administration',
    summary: 'List the identity providers of the organization',
    responses: listOf(identityProviderSchema),
  },
  'get /identity-providers/{id}': {
    tag: 'Administration',
    summary: 'Read an identity provider',
    responses: json(identityProviderSchema),
  },
  'patch /identity-providers/{id}': {
    tag: 'Administration',
    summary: 'Change an identity provider',
    description:
      'What is left out stays. Fails with `CONFLICT` for another issuer, once the provider has a `clientId`: its people would be others.',
    responses: json(identityProviderSchema),
    errors: ['CONFLICT'],
  },
  'delete /identity-providers/{id}': {
    tag: 'Administration',
    summary: 'Remove an identity provider',
    description:
      'The sessions that began there end within five seconds. Its people stay, without a way to sign in.',
    responses: json(identityProviderSchema),
  },
  'post /identity-providers/{id}/test': {
    tag: 'Administration',
    summary: 'Test an identity provider',
    description:
      'Reads its discovery document. A provider that does not work is not an error of this request: `ok` is false, and `message` says why.',
    responses: json(identityProviderTestSchema),
  },
  'get /session/providers': {
    tag: 'Administration',
    summary: 'List the identity providers of the sign-in page',
    description:
      'A browser signs in at `/api/session/oidc/<id>/start`. With several organizations, the list is empty, and `byEmail` is true.',
    responses: json(signInProvidersSchema),
  },
  'post /session/providers': {
    tag: 'Administration',
    summary: 'Find the identity providers for an e-mail',
    description: 'Only its domain counts, so that the response does not tell whether a person exists.',
    responses: json(signInProvidersSchema),
  },
};
