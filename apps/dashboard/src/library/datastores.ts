import type { ListedDatastore } from '@citewell/sdk';
import { queryOptions } from '@tanstack/react-query';
import { client } from '../client.js';

const PAGE = 100;

/** All datastores, newest first. The pages call them libraries. */
export const datastoresQuery = queryOptions({
  queryKey: ['datastores'],
  queryFn: (): Promise<ListedDatastore[]> => Array.fromAsync(client.datastores.list({ limit: PAGE })),
});

export const datastoreQuery = (id: string) =>
  queryOptions({ queryKey: ['datastores', id], queryFn: () => client.datastores.get(id) });
