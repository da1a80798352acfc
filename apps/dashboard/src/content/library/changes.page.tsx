import { Anchor, Group, Paper, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import type { DocumentChange } from '@citewell/sdk';
import { infiniteQueryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { request } from '../../client.js';
import { EmptyState } from '../../components/empty-state.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Page } from '../../components/page.js';
import { MoreButton } from '../../components/query.js';
import { useTexts, useTranslator } from '../../messages/messages.js';
import { datastoreQuery } from '../datasources/content-queries.js';

const PAGE_SIZE = 50;
const WEEK = 7;
const PERIODS = [1, WEEK, 30, 90] as const;
const DAY_MS = 86_400_000;

const route = getRouteApi('/library/$datastoreId/changes');

const changesQuery = (datastoreId: string, days: number) =>
  infiniteQueryOptions({
    queryKey: ['changes', datastoreId, days],
    queryFn: ({ pageParam }) => {
      const since = new Date(Date.now() - days * DAY_MS).toISOString();
      const parameters = new URLSearchParams({ limit: String(PAGE_SIZE), since });
      if (pageParam !== '') parameters.set('cursor', pageParam);
      return request<DocumentChange[]>('GET', `/datastores/${datastoreId}/changes?${parameters}`);
    },
    initialPageParam: '',
    getNextPageParam: (last) => (last.length < PAGE_SIZE ? undefined : last.at(-1)?.id),
  });

/** What was added, changed and removed in a library, newest first. */
export function ChangesPage(): ReactNode {
  const { text } = useTranslator();
  const { text: change } = useTexts('changes');
  const { datastoreId } = route.useParams();
  const { days = WEEK } = route.useSearch();
  const navigate = route.useNavigate();
  const datastore = useQuery(datastoreQuery(datastoreId));
  const changes = useInfiniteQuery(changesQuery(datastoreId, days));
  const rows = changes.data?.pages.flat();
  if (datastore.isError)
    return <ErrorNotice error={datastore.error} onRetry={() => void datastore.refetch()} />;
  return (
    <Page
      title={text('library.changes')}
      text={change('text')}
      above={
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link to="/library/$datastoreId" params={{ datastoreId }} search={{}} {...props} />
          )}
        >
          {datastore.data?.name ?? text('library.documents')}
        </Anchor>
      }
    >
      <Group>
        <SegmentedControl
          size="xs"
          maw="100%"
          style={{ flexWrap: 'wrap' }}
          aria-label={change('period')}
          value={String(days)}
          onChange={(value) => void navigate({ search: { days: Number(value) }, replace: true })}
          data={PERIODS.map((value) => ({
            value: String(value),
            label: value === 1 ? change('day') : change('days', { days: value }),
          }))}
        />
      </Group>
      {changes.isError && <ErrorNotice error={changes.error} onRetry={() => void changes.refetch()} />}
      {changes.isPending && [1, 2, 3].map((key) => <Skeleton key={key} h={72} />)}
      {rows?.length === 0 && (
        <EmptyState icon="library" title={change('none')}>
          {change('noneText')}
        </EmptyState>
      )}
      {rows?.map((row) => (
        <ChangeCard key={row.id} change={row} />
      ))}
      <MoreButton of={changes} />
    </Page>
  );
}

function ChangeCard({
  change: { kind, datasourceId, name, at, sentences },
}: {
  change: DocumentChange;
}): ReactNode {
  const { ago } = useTranslator();
  const { text } = useTexts('changes');
  return (
    <Paper withBorder p="md" component="article" aria-label={name}>
      <Stack gap="xs">
        <Group justify="space-between" align="flex-start" gap="xs">
          {kind === 'removed' ? (
            <Text fw={500} dir="auto" style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Text>
          ) : (
            <Anchor
              fw={500}
              dir="auto"
              style={{ overflowWrap: 'anywhere' }}
              renderRoot={(props) => (
                <Link to="/documents/$datasourceId" params={{ datasourceId }} search={{}} {...props} />
              )}
            >
              {name}
            </Anchor>
          )}
          <Text size="xs" c="dimmed">
            {text(kind)} · {ago(at)}
          </Text>
        </Group>
        {kind === 'changed' && sentences === null && (
          <Text size="sm" c="dimmed">
            {text('unknown')}
          </Text>
        )}
        {sentences && (
          <>
            <Sentences kind="del" sentences={sentences.removed} count={sentences.removedCount} />
            <Sentences kind="ins" sentences={sentences.added} count={sentences.addedCount} />
          </>
        )}
      </Stack>
    </Paper>
  );
}

function Sentences({
  kind,
  sentences,
  count,
}: {
  kind: 'del' | 'ins';
  sentences: readonly string[];
  count: number;
}): ReactNode {
  const { text } = useTexts('changes');
  if (count === 0) return null;
  const isNew = kind === 'ins';
  const more = count - sentences.length;
  return (
    <Stack
      gap={4}
      ps="xs"
      style={{ borderInlineStart: `3px solid var(--mantine-color-${isNew ? 'green' : 'red'}-6)` }}
    >
      <Text size="xs" c="dimmed">
        {text(isNew ? 'newSentences' : 'formerSentences')}
      </Text>
      {sentences.map((sentence, index) => (
        // The same sentence may be there more often.
        <Text key={index} size="sm" component={kind} dir="auto" style={{ overflowWrap: 'anywhere' }}>
          {sentence}
        </Text>
      ))}
      {more > 0 && (
        <Text size="sm" c="dimmed">
          {text(isNew ? 'moreAdded' : 'moreRemoved', { count: more })}
        </Text>
      )}
    </Stack>
  );
}
