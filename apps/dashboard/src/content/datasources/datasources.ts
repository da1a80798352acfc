import type { Datasource, DatasourceStatus, Page } from '@citewell/sdk';
import { queryOptions } from '@tanstack/react-query';
import { client } from '../../client.js';
import { pagesQuery } from '../../components/pages-query.js';

const ARCHIVE_TYPE = 'application/zip';

const PAGE = 100;
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
    client.datasources.list({ ...filter, limit: PAGE, cursor }).first(),
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
      for await (const datasource of client.datasources.list({ ...filter, limit: PAGE })) {
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

/** A run is in progress, or the first one has not started. */
export function isUnfinished({
  status,
  progress,
  error,
}: Pick<Datasource, 'status' | 'progress' | 'error'>): boolean {
  return progress !== null || status === 'running' || (status === 'unsynched' && error === null);
}

/** The place of a datasource in a list by status: failed ones first, complete ones last. */
export function urgencyOf(datasource: Pick<Datasource, 'status' | 'progress' | 'error'>): number {
  if (isUnfinished(datasource)) return 1;
  if (datasource.error === null) return 3;
  return datasource.status === 'synched' ? 2 : 0;
}

/** A web site or a ZIP archive, which consists of other datasources. */
export function isGroup({ type, mimeType }: Pick<Datasource, 'type' | 'mimeType'>): boolean {
  return type === 'web_site' || mimeType === ARCHIVE_TYPE;
}

type Named = Pick<Datasource, 'type' | 'name' | 'title' | 'config'>;

/** The address of a web page; null for other datasources. */
export function addressOf({ type, name, config }: Named): string | null {
  if (type !== 'web_page') return null;
  const address = config['source_url'];
  return typeof address === 'string' ? address : name;
}

/** What a datasource is called in lists: a web page that is named by its address has the title of the page. */
export function displayName(datasource: Named): string {
  const { name, title } = datasource;
  const address = addressOf(datasource);
  return address !== null && title !== null && (name === address || URL.canParse(name)) ? title : name;
}
