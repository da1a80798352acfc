import type {
  CreateIdentityProvider,
  IdentityProvider,
  IdentityProviderTest,
  UpdateIdentityProvider,
} from '@citewell/sdk';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../client.js';

const PATH = '/identity-providers';

/** All identity providers of the organization. */
export const identityProvidersQuery = queryOptions({
  queryKey: ['identity-providers'],
  queryFn: () => request<IdentityProvider[]>('GET', PATH),
});

export const identityProviders = {
  create: (body: CreateIdentityProvider) => request<IdentityProvider>('POST', PATH, body),
  update: (id: string, body: UpdateIdentityProvider) =>
    request<IdentityProvider>('PATCH', `${PATH}/${id}`, body),
  remove: (id: string) => request<IdentityProvider>('DELETE', `${PATH}/${id}`),
  test: (id: string) => request<IdentityProviderTest>('POST', `${PATH}/${id}/test`),
};

/** The domains in a text with commas or spaces between them. */
export function domainsIn(text: string): string[] {
  return text.split(/[\s,;]+/).filter((domain) => domain !== '');
}
