import { queryOptions } from '@tanstack/react-query';
import { client, pagesQuery } from '../client.js';

const PAGE = 50;
const POLL_MS = 1_000;

const isUnfinished = ({ state }: { state: string }): boolean => state === 'waiting' || state === 'running';

/** Evaluations, the newest first, page by page; asked for again while one is in progress. */
export const evaluationsQuery = {
  ...pagesQuery(['evaluations'], (cursor) => client.evaluations.list({ limit: PAGE, cursor }).first()),
  refetchInterval: ({
    state,
  }: {
    state: { data?: { pages: { items: { state: string }[] }[] } | undefined };
  }) => (state.data?.pages.some(({ items }) => items.some(isUnfinished)) ? POLL_MS : false),
};

/** An evaluation with its result; asked for again until it is done. */
export const evaluationQuery = (id: string) =>
  queryOptions({
    queryKey: ['evaluations', id],
    queryFn: () => client.evaluations.get(id),
    refetchInterval: ({ state }) => (state.data && isUnfinished(state.data) ? POLL_MS : false),
  });
