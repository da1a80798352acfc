import { Paper, Skeleton, Stack, Text } from '@mantine/core';
import type { Chunk } from '@citewell/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { client, pagesQuery } from '../../client.js';
import { ErrorNotice } from '../../components/error-notice.js';
import classes from '../../components/card.module.css';
import { MoreButton } from '../../components/query.js';
import { useTranslator } from '../../messages/messages.js';

const PAGE = 50;

/** The passages into which the document is divided. A click marks one in the text. */
export function ChunkList({ datasourceId }: { datasourceId: string }): ReactNode {
  const { text } = useTranslator();
  const chunks = useInfiniteQuery(
    pagesQuery(['chunks', datasourceId], (cursor) =>
      client.datasources.chunks(datasourceId, { limit: PAGE, cursor }).first(),
    ),
  );
  if (chunks.isError) return <ErrorNotice error={chunks.error} onRetry={() => void chunks.refetch()} />;
  if (chunks.isPending) return <Skeleton h={320} />;
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        {text('reader.chunksText')}
      </Text>
      {chunks.data.pages.flatMap(({ items }) =>
        items.map((chunk) => <ChunkCard key={chunk.chunk_id} chunk={chunk} datasourceId={datasourceId} />),
      )}
      <MoreButton of={chunks} />
    </Stack>
  );
}

function ChunkCard({ chunk, datasourceId }: { chunk: Chunk; datasourceId: string }): ReactNode {
  const { text, number } = useTranslator();
  const { ordinal, start, end, page_number, confidence, described, heading_path = [] } = chunk;
  const place = [
    text('reader.chunk', { number: ordinal + 1 }),
    ...(page_number === undefined ? [] : [text('ask.page', { page: page_number })]),
    ...(confidence === undefined ? [] : [text('ask.recognized', { confidence })]),
    ...(described ? [text('ask.described')] : []),
    text('reader.characters', { from: number(start), to: number(end) }),
    ...heading_path.slice(-1),
  ];
  return (
    <Paper
      withBorder
      p="sm"
      className={classes['card'] ?? ''}
      renderRoot={(props) => (
        <Link
          to="/documents/$datasourceId"
          params={{ datasourceId }}
          search={{ start, end, page: page_number }}
          {...props}
        />
      )}
    >
      <Text size="xs" c="dimmed">
        {place.join(' · ')}
      </Text>
      <Text size="sm" lineClamp={4} dir="auto" style={{ whiteSpace: 'pre-line' }}>
        {chunk.text}
      </Text>
    </Paper>
  );
}
