import type { UsageTotals } from '@citewell/sdk';
import { Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorNotice } from '../../components/error-notice.js';
import { useTexts, useTranslator } from '../../messages/messages.js';
import { money } from './usage-days.js';
import { ownUsageQuery } from './usage-shares.js';

/** What the person who is signed in has used in this month. */
export function OwnUsage(): ReactNode {
  const { text: record } = useTexts('audit-and-usage');
  const { number } = useTranslator();
  const usage = useQuery(ownUsageQuery);
  return (
    <Stack gap="xs">
      <Title order={2}>{record('usage.own')}</Title>
      {usage.isError && <ErrorNotice error={usage.error} onRetry={() => void usage.refetch()} />}
      {usage.isPending && <Skeleton h={40} maw={480} />}
      {usage.data && (
        <Group gap="xl" align="flex-start">
          <Figure label={record('usage.questions')}>{number(usage.data.questions)}</Figure>
          <Figure label={record('usage.input')}>{number(usage.data.inputTokens)}</Figure>
          <Figure label={record('usage.output')}>{number(usage.data.outputTokens)}</Figure>
          {(usage.data.costs.length > 0 || usage.data.unpricedTokens > 0) && (
            <Stack gap={0}>
              <Text size="sm" c="dimmed">
                {record('usage.cost')}
              </Text>
              <Costs totals={usage.data} />
            </Stack>
          )}
        </Group>
      )}
    </Stack>
  );
}

function Figure({ label, children }: { label: string; children: string }): ReactNode {
  return (
    <Stack gap={0}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fw={600}>{children}</Text>
    </Stack>
  );
}

/** The known costs, and how many tokens have none. */
export function Costs({ totals: { costs, unpricedTokens } }: { totals: UsageTotals }): ReactNode {
  const { language } = useTranslator();
  const { text: record } = useTexts('audit-and-usage');
  return (
    <>
      {costs.map((cost) => (
        <Text size="sm" key={cost.currency}>
          {money(cost, language)}
        </Text>
      ))}
      {unpricedTokens > 0 && (
        <Text size="xs" c="dimmed">
          {record('usage.unpriced', { tokens: unpricedTokens })}
        </Text>
      )}
    </>
  );
}
