import type { Datasource, DatasourceStatus } from '@citewell/sdk';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { client } from '../client.js';

const PAGE = 100;
const POLL_MS = 1_000;

export interface DatasourceFilter {
  datastoreId: string;
  /** Lists the pages of a site or the files of an archive. */
  groupId?: string | undefined;
  status?: DatasourceStatus | undefined;
}

/** The datasources of a datastore, newest first, page by page; asked for again while a run is in progress. */
export const datasourcesQuery = (filter: DatasourceFilter) =>
  infiniteQueryOptions({
    queryKey: ['datasources', filter],
    queryFn: ({ pageParam }) =>
      client.datasources.list({ ...filter, limit: PAGE, cursor: pageParam }).first(),
    // `undefined` is the first page.
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    // One request a page: the interval grows with the pages, so that the rate of requests does not.
    refetchInterval: ({ state }) => {
      const pages = state.data?.pages ?? [];
      const isMoving = pages.some(({ items }) => items.some(isUnfinished));
      return isMoving ? pages.length * POLL_MS : false;
    },
  });

/** A datasource; asked for again while a run is in progress. */
export const datasourceQuery = (id: string) =>
  queryOptions({
    queryKey: ['datasource', id],
    queryFn: () => client.datasources.get(id),
    refetchInterval: ({ state }) => (state.data && isUnfinished(state.data) ? POLL_MS : false),
  });

/** A run is in progress, or the first one has not started. */
export function isUnfinished({ status, progress, error }: Datasource): boolean {
  return progress !== null || status === 'running' || (status === 'unsynched' && error === null);
}

/** A web site or an archive, which consists of other datasources. */
export function isGroup({ type, config }: Datasource): boolean {
  return type === 'web_site' || config['mime_type'] === 'application/zip';
}
