import type { Datasource, DatasourceStatus, Page } from '@citewell/sdk';
import { queryOptions } from '@tanstack/react-query';
import { client } from '../../client.js';
import { pagesQuery } from '../../components/pages-query.js';
import { isUnfinished } from './datasource-state.js';
import {} from './display-name.js';

const DATASOURCES_PER_PAGE = 100;
/** Datasources that a select offers. */
export const MAX_CHOICES = 1_000;
const POLL_MS = 1_000;

export interface DatasourceFilter {
  datastoreId: string;
  /** Lists the pages of a site or the files of an archive. */
  groupId?: string | undefined;
  status?: DatasourceStatus | undefined;
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
