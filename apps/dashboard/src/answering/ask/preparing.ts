import { queryOptions, useQuery } from '@tanstack/react-query';
import { client } from '../../client.js';
import { isUnfinished } from '../../content/datasource-state.js';
import { useUploads } from '../../content/uploads/uploads.js';

const POLL_MS = 1_000;
/** Newest documents of each library that are asked for. */
const NEWEST = 20;

interface Preparing {
  /** Documents that are being uploaded or ingested. */
  readonly count: number;
  /** A document can be asked about, or none will be: a question need not wait. */
  readonly canAnswer: boolean;
  /** Files that were not added, and failed documents while none is ready. */
  readonly failed: number;
}

const newestQuery = (datastoreIds: readonly string[], isUploading: boolean) =>
  queryOptions({
    queryKey: ['datasources', 'newest', datastoreIds],
    queryFn: async () => {
      const pages = await Promise.all(
        datastoreIds.map((datastoreId) => client.datasources.list({ datastoreId, limit: NEWEST }).first()),
      );
      const newest = pages.flatMap(({ items }) => items);
      return {
        unfinished: newest.filter(isUnfinished).length,
        hasReady: newest.some(({ revision }) => revision > 0),
        failed: newest.filter(({ status }) => status === 'error').length,
      };
    },
    refetchInterval: ({ state }) => (isUploading || (state.data?.unfinished ?? 1) > 0 ? POLL_MS : false),
  });

/** How many documents of these libraries are not ready yet. */
export function usePreparing(datastoreIds: readonly string[]): Preparing {
  const { uploads } = useUploads();
  const own = uploads.filter(({ datastoreId }) => datastoreIds.includes(datastoreId));
  const uploading = own.filter(({ error }) => error === null).length;
  const { data, isError } = useQuery(newestQuery(datastoreIds, uploading > 0));
  const count = Math.max(data?.unfinished ?? 0, uploading);
  const failed = own.length - uploading + (data?.hasReady === false ? data.failed : 0);
  return { count, canAnswer: isError || (data !== undefined && (data.hasReady || count === 0)), failed };
}
