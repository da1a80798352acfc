import { Button, type ButtonProps, Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslator } from '../messages/messages.js';
import { ErrorNotice } from './error-notice.js';

/** A placeholder while a query is loading, and its error. Nothing when it has data. */
export function QueryState({
  of: query,
  height,
}: {
  of: { isError: boolean; isPending: boolean; error: unknown; refetch: () => unknown };
  /** Of the placeholder. */
  height: number;
}): ReactNode {
  if (query.isError) return <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />;
  return query.isPending && <Skeleton h={height} />;
}

/** Loads the next page of a list. Nothing when all are loaded. */
export function MoreButton({
  of: list,
  ...button
}: ButtonProps & {
  of: { hasNextPage: boolean; isFetching: boolean; fetchNextPage: () => unknown };
}): ReactNode {
  const { text } = useTranslator();
  if (!list.hasNextPage) return null;
  return (
    <Button variant="default" {...button} loading={list.isFetching} onClick={() => void list.fetchNextPage()}>
      {text('action.more')}
    </Button>
  );
}
