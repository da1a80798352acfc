import { Anchor, Group, Select, Stack, Table, Text } from '@mantine/core';
import type { SiteUrl, UrlOutcome } from '@citewell/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { client, pagesQuery } from '../../client.js';
import { MoreButton, QueryState } from '../../components/query.js';
import { useTranslator } from '../../messages/messages.js';

const PAGE = 100;
const OUTCOMES: readonly UrlOutcome[] = [
  'page',
  'skipped',
  'failed',
  'redirect',
  'canonical',
  'duplicate',
  'sitemap',
  'feed',
  'waiting',
];

/** The addresses that the latest crawl found: what each one is, and why it was left out. */
export function SiteUrls({ siteId }: { siteId: string }): ReactNode {
  const { text } = useTranslator();
  const [outcome, setOutcome] = useState<UrlOutcome | null>(null);
  const urls = useInfiniteQuery(
    pagesQuery(['urls', siteId, outcome], (cursor) =>
      client.datasources.urls(siteId, { outcome: outcome ?? undefined, limit: PAGE, cursor }).first(),
    ),
  );
  const rows = urls.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <Stack gap="sm">
      <Group>
        <Select
          size="xs"
          aria-label={text('documents.filter')}
          placeholder={text('documents.filter.all')}
          clearable
          data={OUTCOMES.map((value) => ({ value, label: text(`outcome.${value}`) }))}
          value={outcome}
          onChange={(value) => setOutcome(value as UrlOutcome | null)}
        />
      </Group>
      <QueryState of={urls} height={200} />
      {urls.isSuccess && (
        <Table verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{text('urls.address')}</Table.Th>
              <Table.Th>{text('urls.outcome')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <UrlRow key={`${row.kind} ${row.url}`} row={row} />
            ))}
          </Table.Tbody>
        </Table>
      )}
      <MoreButton of={urls} />
    </Stack>
  );
}

function UrlRow({ row }: { row: SiteUrl }): ReactNode {
  const { text, errors } = useTranslator();
  const { url, outcome, target, datasourceId } = row;
  const message = errors.urlReason(row);
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        {datasourceId === null ? (
          <Text size="sm">{url}</Text>
        ) : (
          <Anchor
            size="sm"
            renderRoot={(props) => (
              <Link to="/documents/$datasourceId" params={{ datasourceId }} {...props} />
            )}
          >
            {url}
          </Anchor>
        )}
      </Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <Text size="sm">{text(`outcome.${outcome}`)}</Text>
        {(message !== null || target !== null) && (
          <Text size="xs" c="dimmed">
            {[message, target].filter(Boolean).join(' → ')}
          </Text>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
