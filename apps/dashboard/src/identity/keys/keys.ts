import type { ApiKey, Scope } from '@citewell/sdk';
import { queryOptions } from '@tanstack/react-query';
import { client } from '../../client.js';

const PAGE = 100;

/** All API keys, newest first. */
export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: (): Promise<ApiKey[]> => Array.fromAsync(client.apiKeys.list({ limit: PAGE })),
});

/** What a key can be allowed to do. */
export const SCOPES = [
  'agents:query',
  'datastores:query',
  'read',
  'write',
  'admin',
] as const satisfies Scope[];
