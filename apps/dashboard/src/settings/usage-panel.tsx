import { Progress, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { client } from '../client.js';
import { ErrorNotice } from '../components/error-notice.js';
import { useTranslator } from '../messages/messages.js';

/** What the organization has used this month, beside its limits. */
export function UsagePanel(): ReactNode {
  const { text, language } = useTranslator();
  const usage = useQuery({ queryKey: ['usage'], queryFn: () => client.usage.get() });
  if (usage.isError) return <ErrorNotice error={usage.error} onRetry={() => void usage.refetch()} />;
  if (usage.isPending) return <Skeleton h={160} />;
  const { month, agentQueries, storedCharacters } = usage.data;
  const name = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  );
  return (
    <Stack maw={560} gap="lg">
      <Title order={2}>{text('settings.month', { month: name })}</Title>
      <Meter label={text('settings.questions')} {...agentQueries} />
      <Meter label={text('settings.storage')} {...storedCharacters} />
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
