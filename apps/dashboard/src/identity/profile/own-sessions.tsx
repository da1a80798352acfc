import { Badge, Group, Skeleton, Table, Text } from '@mantine/core';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { client } from '../../client.js';
import { ConfirmButton } from '../../components/confirm-button.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { useTranslator } from '../../messages/messages.js';
import { browserName } from './browser-name.js';

const sessionsQuery = queryOptions({ queryKey: ['sessions'], queryFn: () => client.session.list() });

/** The browsers in which the person is signed in. */
export function OwnSessions(): ReactNode {
  const { text, ago, time } = useTranslator();
  const queryClient = useQueryClient();
  const sessions = useQuery(sessionsQuery);
  if (sessions.isError) return <ErrorNotice error={sessions.error} onRetry={() => void sessions.refetch()} />;
  if (sessions.isPending) return <Skeleton h={80} />;
  return (
    <Table.ScrollContainer minWidth={480}>
      <Table verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{text('profile.browser')}</Table.Th>
            <Table.Th>{text('profile.since')}</Table.Th>
            <Table.Th aria-label={text('profile.end')} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sessions.data.map(({ id, userAgent, createdAt, isCurrent }) => (
            <Table.Tr key={id}>
              <Table.Td>
                <Group gap="xs">
                  <Text size="sm" title={userAgent ?? ''}>
                    {browserName(userAgent) ?? text('profile.unknownBrowser')}
                  </Text>
                  {isCurrent && (
                    <Badge variant="light" tt="none" fw={500}>
                      {text('profile.current')}
                    </Badge>
                  )}
                </Group>
              </Table.Td>
              <Table.Td>
                <Text size="sm" c="dimmed" title={time(createdAt)}>
                  {ago(createdAt)}
                </Text>
              </Table.Td>
              <Table.Td ta="end">
                {!isCurrent && (
                  <ConfirmButton
                    size="xs"
                    title={text('profile.endTitle')}
                    question={text('profile.endText')}
                    confirm={text('profile.end')}
                    action={async () => {
                      await client.session.delete(id);
                      await queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
                    }}
                  >
                    {text('profile.end')}
                  </ConfirmButton>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
