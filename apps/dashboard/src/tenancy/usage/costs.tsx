import { Text } from '@mantine/core';
import type { UsageTotals } from '@citewell/sdk';
import type { ReactNode } from 'react';
import { useTexts, useTranslator } from '../../messages/messages.js';
import { money } from './usage-days.js';

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
