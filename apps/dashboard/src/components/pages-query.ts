import type { Page } from '@citewell/sdk';
import { infiniteQueryOptions, type QueryKey } from '@tanstack/react-query';

/** A list of the server, page by page. @param load one page; without a cursor, the first */
export function pagesQuery<Item>(
  queryKey: QueryKey,
  load: (cursor: string | undefined) => Promise<Page<Item>>,
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam }) => load(pageParam),
    // `undefined` is the first page.
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
}
