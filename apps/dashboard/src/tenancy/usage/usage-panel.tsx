import { Progress, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense } from 'react';
import { client } from '../../client.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { DataTable } from '../../components/table.js';
import { useTranslator } from '../../messages/messages.js';
import { Permitted } from '../../identity/sign-in/session.js';

const SharesPanel = lazy(async () => ({ default: (await import('./shares-panel.js')).SharesPanel }));

const MONTHS = 12;

/** What the organization has used: this month beside its limits, and the last twelve months. */
export function UsagePanel(): ReactNode {
  const { text, language } = useTranslator();
  const usage = useQuery({ queryKey: ['usage'], queryFn: () => client.usage.get() });
  if (usage.isError) return <ErrorNotice error={usage.error} onRetry={() => void usage.refetch()} />;
  if (usage.isPending) return <Skeleton h={160} />;
  const { month, agentQueries, storedCharacters } = usage.data;
  return (
    <Stack maw={960} gap="lg">
      <Title order={2}>{text('settings.month', { month: monthName(month, language) })}</Title>
      <Meter label={text('settings.questions')} {...agentQueries} />
      <Meter label={text('settings.storage')} {...storedCharacters} />
      <History />
      <Permitted scope="admin">
        <Suspense fallback={<Skeleton h={160} />}>
          <SharesPanel />
        </Suspense>
      </Permitted>
    </Stack>
  );
}

function Meter({ label, used, limit }: { label: string; used: number; limit: number | null }): ReactNode {
  const { text } = useTranslator();
  const words =
    limit === null ? text('settings.noLimit', { used }) : text('settings.ofLimit', { used, limit });
  return (
    <Stack gap={6}>
      <Text fw={600}>{label}</Text>
      <Text size="sm" c="dimmed">
        {words}
      </Text>
      {limit !== null && (
        <Progress
          value={limit === 0 ? 100 : Math.min(100, (used / limit) * 100)}
          aria-label={`${label}: ${words}`}
        />
      )}
    </Stack>
  );
}

function History(): ReactNode {
  const { text, number, language } = useTranslator();
  const history = useQuery({
    queryKey: ['usage', 'history'],
    queryFn: () => client.usage.history({ months: MONTHS }),
  });
  if (history.isError) return <ErrorNotice error={history.error} onRetry={() => void history.refetch()} />;
  if (history.isPending) return <Skeleton h={160} />;
  const most = Math.max(1, ...history.data.map(({ agentQueries }) => agentQueries));
  return (
    <Stack gap="xs">
      <Title order={2}>{text('usage.history')}</Title>
      <DataTable
        minWidth={520}
        columns={[
          text('usage.month'),
          <Table.Th w="35%">{text('settings.questions')}</Table.Th>,
          <Table.Th ta="end">{text('usage.tokens')}</Table.Th>,
          <Table.Th ta="end">{text('settings.storage')}</Table.Th>,
        ]}
        isDense
      >
        {history.data.toReversed().map((row) => (
          <Table.Tr key={row.month}>
            <Table.Td>{monthName(row.month, language)}</Table.Td>
            <Table.Td>
              {number(row.agentQueries)}
              <Progress size="xs" value={(row.agentQueries / most) * 100} aria-hidden />
            </Table.Td>
            <Table.Td ta="end">{number(row.inputTokens + row.outputTokens)}</Table.Td>
            <Table.Td ta="end">{row.storedCharacters === null ? '' : number(row.storedCharacters)}</Table.Td>
          </Table.Tr>
        ))}
      </DataTable>
    </Stack>
  );
}

function monthName(month: string, language: string): string {
  return new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  );
}
