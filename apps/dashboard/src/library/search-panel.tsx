import { Anchor, Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import type { DatastoreQueryItem } from '@citewell/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { client } from '../client.js';
import { ErrorNotice } from '../components/error-notice.js';
import { useTranslator } from '../messages/messages.js';

const TOP_K = 10;

/** Shows the passages that a question finds, without an answer. */
export function SearchPanel({
  datastoreId,
  initialQuery,
}: {
  datastoreId: string;
  initialQuery: string;
}): ReactNode {
  const { text } = useTranslator();
  const navigate = useNavigate();
  const [draft, setDraft] = useState(initialQuery);
  const results = useQuery({
    queryKey: ['search', datastoreId, initialQuery],
    queryFn: () => client.datastores.query(datastoreId, { query: initialQuery, topK: TOP_K }),
    enabled: initialQuery !== '',
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void navigate({ to: '.', search: { query: draft.trim() } });
  };
  return (
    <Stack maw={760}>
      <Text c="dimmed" size="sm">
        {text('search.text')}
      </Text>
      <form onSubmit={submit} role="search">
        <Group gap="xs" wrap="nowrap">
          <TextInput
            type="search"
            flex={1}
            aria-label={text('search.placeholder')}
            placeholder={text('search.placeholder')}
            value={draft}
            onChange={(event) => setDraft(event.currentTarget.value)}
          />
          <Button type="submit" loading={results.isFetching} disabled={draft.trim() === ''}>
            {text('search.submit')}
          </Button>
        </Group>
      </form>
      {results.isError && <ErrorNotice error={results.error} onRetry={() => void results.refetch()} />}
      {results.data?.length === 0 && <Text>{text('search.none')}</Text>}
      {results.data?.map((item) => (
        <Passage key={item.chunk_id} item={item} />
      ))}
    </Stack>
  );
}

function Passage({ item }: { item: DatastoreQueryItem }): ReactNode {
  const { text, number } = useTranslator();
  const place = [
    ...(item.page_number === undefined ? [] : [text('ask.page', { page: item.page_number })]),
    ...(item.heading_path ?? []),
  ];
  return (
    <Paper withBorder p="md">
      <Stack gap={6}>
        <Group justify="space-between" wrap="nowrap" align="baseline">
          <Anchor
            fw={600}
            truncate
            renderRoot={(props) => (
              <Link
                to="/documents/$datasourceId"
                params={{ datasourceId: item.datasource_id }}
                search={{ start: item.start, end: item.end, page: item.page_number }}
                {...props}
              />
            )}
          >
            {item.datasource_name}
          </Anchor>
          <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
            {text('search.score', { score: number(Math.round(item.score * 100) / 100) })}
          </Text>
        </Group>
        {place.length > 0 && (
          <Text size="xs" c="dimmed">
            {place.join(' › ')}
          </Text>
        )}
        <Text size="sm" lineClamp={8} dir="auto" style={{ whiteSpace: 'pre-line' }}>
          {item.text}
        </Text>
      </Stack>
    </Paper>
  );
}
