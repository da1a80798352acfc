import type { SignInOptions } from '@citewell/sdk';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../client.js';

/** What the server offers to people who are not signed in. */
export const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: () => request<SignInOptions>('GET', '/sign-in-options'),
  staleTime: Infinity,
});
