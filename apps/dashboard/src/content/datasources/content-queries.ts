import type { Datasource, DatasourceStatus, DatastoreProgress, ListedDatastore, Page } from '@citewell/sdk';
import { queryOptions } from '@tanstack/react-query';
import { client, pagesQuery } from '../../client.js';
import { isUnfinished } from './datasource-display.js';

const DATASOURCES_PER_PAGE = 100;
/** Datasources that a select offers. */
export const MAX_CHOICES = 1_000;
const POLL_MS = 1_000;

export interface DatasourceFilter {
  datastoreId: string;
  /** Lists the pages of a site or the files of an archive. */
  groupId?: string | undefined;
  status?: DatasourceStatus | undefined;
  /** A part of the name. */
  name?: string | undefined;
}

/** Whether a run is in progress, or vectors follow. */
const isMoving = (datasource: Datasource): boolean =>
  isUnfinished(datasource) || datasource.semantic !== null;

/** The datasources of a datastore, newest first, page by page; asked for again while a run is in progress. */
export const datasourcesQuery = (filter: DatasourceFilter) => ({
  ...pagesQuery(['datasources', filter], (cursor) =>
    client.datasources.list({ ...filter, limit: DATASOURCES_PER_PAGE, cursor }).first(),
  ),
  // One request a page: the interval grows with the pages, so that the rate of requests does not.
  refetchInterval: ({ state }: { state: { data?: { pages: Page<Datasource>[] } | undefined } }) => {
    const pages = state.data?.pages ?? [];
    const isAnyMoving = pages.some(({ items }) => items.some(isMoving));
    return isAnyMoving ? pages.length * POLL_MS : false;
  },
});

/** The newest datasources of a datastore or of a group, for a select. */
export const choicesQuery = (filter: DatasourceFilter) =>
  queryOptions({
    queryKey: ['datasources', 'choices', filter],
    queryFn: async (): Promise<Datasource[]> => {
      const choices: Datasource[] = [];
      for await (const datasource of client.datasources.list({ ...filter, limit: DATASOURCES_PER_PAGE })) {
        choices.push(datasource);
        if (choices.length === MAX_CHOICES) break;
      }
      return choices;
    },
  });

/** A datasource; asked for again while a run is in progress. */
export const datasourceQuery = (id: string) =>
  queryOptions({
    queryKey: ['datasources', id],
    queryFn: () => client.datasources.get(id),
    refetchInterval: ({ state }) => (state.data && isMoving(state.data) ? POLL_MS : false),
  });

const PAGE = 100;
const PROGRESS_POLL_MS = 2_000;

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
    refetchInterval: ({ state }) => (state.data && inProgress(state.data) > 0 ? PROGRESS_POLL_MS : false),
  });
