import type { DatastoreProgress, ListedDatastore } from '@citewell/sdk';
import { queryOptions } from '@tanstack/react-query';
import { client } from '../../client.js';

const PAGE = 100;
const POLL_MS = 2_000;

/** All datastores, newest first. The pages call them libraries. */
export const datastoresQuery = queryOptions({
  queryKey: ['datastores'],
  queryFn: (): Promise<ListedDatastore[]> => Array.fromAsync(client.datastores.list({ limit: PAGE })),
});

export const datastoreQuery = (id: string) =>
  queryOptions({ queryKey: ['datastores', id], queryFn: () => client.datastores.get(id) });

/** How many datasources are waiting or in progress. */
export const inProgress = ({ statuses }: DatastoreProgress): number => statuses.unsynched + statuses.running;

/** The progress of a datastore; asked for again while something is in progress, and after each change of datasources. */
export const datastoreProgressQuery = (id: string) =>
  queryOptions({
    queryKey: ['datasources', 'progress', id],
    queryFn: () => client.datastores.progress(id),
    refetchInterval: ({ state }) => (state.data && inProgress(state.data) > 0 ? POLL_MS : false),
  });
