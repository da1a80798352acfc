import { Table, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { client, pagesQuery } from '../../client.js';
import { MoreButton, QueryState } from '../../components/query.js';
import { useTranslator } from '../../messages/messages.js';

const PAGE = 100;

/** The documents that a source lists and that are not in the library, or not up to date, with the reason. */
export function SkippedDocuments({ sourceId }: { sourceId: string }): ReactNode {
  const { text } = useTranslator();
  const documents = useInfiniteQuery(
    pagesQuery(['skipped', sourceId], (cursor) =>
      client.datasources.documents(sourceId, { skipped: true, limit: PAGE, cursor }).first(),
    ),
  );
  const rows = documents.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <>
      <QueryState of={documents} height={200} />
      {documents.isSuccess && rows.length === 0 && <Text size="sm">{text('source.noneSkipped')}</Text>}
      {rows.length > 0 && (
        <Table verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{text('source.path')}</Table.Th>
              <Table.Th>{text('source.reason')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ path, reason }) => (
              <Table.Tr key={path}>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{path}</Table.Td>
                <Table.Td>{reason}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      <MoreButton of={documents} />
    </>
  );
}
