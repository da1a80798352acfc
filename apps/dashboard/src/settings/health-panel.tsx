import { Button, Group, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { client } from '../client.js';
import { ErrorNotice } from '../components/error-notice.js';
import { Icon } from '../components/icon.js';
import { useTranslator } from '../messages/messages.js';

/** Whether the parts of the server work, and contradictions in the data of the organization. */
export function HealthPanel(): ReactNode {
  const { text, number } = useTranslator();
  const health = useQuery({ queryKey: ['health'], queryFn: () => client.health.get() });
  if (health.isError) return <ErrorNotice error={health.error} onRetry={() => void health.refetch()} />;
  if (health.isPending) return <Skeleton h={200} />;
  const { dependencies, problems } = health.data;
  return (
    <Stack maw={640}>
      <Group justify="space-between">
        <Title order={2}>{text('health.dependencies')}</Title>
        <Button size="xs" variant="default" loading={health.isFetching} onClick={() => void health.refetch()}>
          {text('health.again')}
        </Button>
      </Group>
      <Table>
        <Table.Tbody>
          {Object.entries(dependencies).map(([name, state]) => (
            <Table.Tr key={name}>
              <Table.Td>{name}</Table.Td>
              <Table.Td>
                <Group gap={6} wrap="nowrap">
                  <Text span lh={0} c={state === 'ok' ? 'teal' : 'red'}>
                    <Icon name={state === 'ok' ? 'check' : 'warning'} size={16} />
                  </Text>
                  <Text size="sm">{state === 'ok' ? text('health.ok') : state}</Text>
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Title order={2}>{text('health.problems')}</Title>
      {problems.length === 0 && <Text>{text('health.noProblems')}</Text>}
      {problems.map(({ problem, count, ids }) => (
        <Stack key={problem} gap={2}>
          <Text size="sm">
            {number(count)} {problem}
          </Text>
          <Text size="xs" c="dimmed" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
            {ids.join(', ')}
          </Text>
        </Stack>
      ))}
      {problems.length > 0 && <Text size="sm">{text('health.repair')}</Text>}
    </Stack>
  );
}
