import { Button, Group, Select, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import type { ExplainedPassage, SearchExplanation } from '@citewell/sdk';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { client } from '../client.js';
import { ApiCall } from '../components/api-call.js';
import { ErrorNotice } from '../components/error-notice.js';
import { useTranslator } from '../messages/messages.js';
import { datasourcesQuery } from './datasources.js';
import { Passage } from './passage.js';

const TOP_K = 10;

/** Shows the passages that a question finds, without an answer, and why they are in this order. */
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
  const [datasourceId, setDatasourceId] = useState<string | null>(null);
  const documents = useInfiniteQuery(datasourcesQuery({ datastoreId }));
  const request = {
    query: initialQuery,
    topK: TOP_K,
    ...(datasourceId === null ? {} : { filters: { datasource_ids: [datasourceId] } }),
  };
  const results = useQuery({
    queryKey: ['search', datastoreId, request],
    queryFn: () => client.datastores.explain(datastoreId, request),
    enabled: initialQuery !== '',
    placeholderData: (previous) => previous,
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void navigate({ to: '.', search: { query: draft.trim() } });
  };
  return (
    <Stack>
      <Text c="dimmed" size="sm">
        {text('search.text')}
      </Text>
      <form onSubmit={submit} role="search">
        <Group gap="xs" align="flex-end">
          <TextInput
            type="search"
            flex={1}
            miw={220}
            label={text('search.query')}
            placeholder={text('search.placeholder')}
            value={draft}
            onChange={(event) => setDraft(event.currentTarget.value)}
          />
          <Select
            label={text('search.within')}
            placeholder={text('search.everywhere')}
            clearable
            searchable
            w={240}
            data={
              documents.data?.pages.flatMap(({ items }) =>
                items.map(({ id, name }) => ({ value: id, label: name })),
              ) ?? []
            }
            value={datasourceId}
            onChange={setDatasourceId}
          />
          <Button type="submit" loading={results.isFetching} disabled={draft.trim() === ''}>
            {text('search.submit')}
          </Button>
        </Group>
      </form>
      {results.isError && <ErrorNotice error={results.error} onRetry={() => void results.refetch()} />}
      {results.data && <Explanation explanation={results.data} />}
      {initialQuery !== '' && (
        <ApiCall method="POST" path={`/datastores/${datastoreId}/query`} body={request} />
      )}
    </Stack>
  );
}

function Explanation({ explanation }: { explanation: SearchExplanation }): ReactNode {
  const { text } = useTranslator();
  const { passages, words, meaning, terms } = explanation;
  return (
    <Stack gap="xs">
      {terms.length > 0 && (
        <Text size="sm" c="dimmed">
          {text('search.terms', { terms: terms.join(', ') })}
        </Text>
      )}
      <SimpleGrid cols={{ base: 1, md: meaning === null ? 2 : 3 }}>
        <Results title={text('search.fused')} hint={text('search.fusedHint')} passages={passages} />
        <Results title={text('search.words')} hint={text('search.wordsHint')} passages={words} />
        {meaning !== null && (
          <Results title={text('search.meaning')} hint={text('search.meaningHint')} passages={meaning} />
        )}
      </SimpleGrid>
      {meaning === null && (
        <Text size="sm" c="dimmed">
          {text('search.noMeaning')}
        </Text>
      )}
    </Stack>
  );
}

function Results({
  title,
  hint,
  passages,
}: {
  title: string;
  hint: string;
  passages: readonly ExplainedPassage[];
}): ReactNode {
  const { text } = useTranslator();
  return (
    <Stack component="section" aria-label={title} gap="sm">
      <div>
        <Title order={2} fz="md">
          {title}
        </Title>
        <Text size="xs" c="dimmed">
          {hint}
        </Text>
      </div>
      {passages.length === 0 && <Text size="sm">{text('search.none')}</Text>}
      {passages.map((passage) => (
        <Passage key={passage.chunk_id} passage={passage} />
      ))}
    </Stack>
  );
}
