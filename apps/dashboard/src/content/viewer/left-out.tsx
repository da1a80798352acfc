import { Text } from '@mantine/core';
import type { DatasourceStats, LeftOutReason } from '@citewell/sdk';
import type { ReactNode } from 'react';
import { useTranslator } from '../../messages/messages.js';

const REASONS: readonly LeftOutReason[] = ['running', 'navigation', 'hidden', 'deleted'];

/** What of the document is not part of its text, and how much. Nothing if it is all there. */
export function LeftOut({ leftOut }: { leftOut: DatasourceStats['leftOut'] }): ReactNode {
  const { text } = useTranslator();
  const parts = REASONS.flatMap((reason) => {
    const count = leftOut[reason] ?? 0;
    return count > 0 ? text(`reader.leftOut.${reason}`, { count }) : [];
  });
  if (parts.length === 0) return null;
  return (
    <Text size="sm" c="dimmed" maw={640}>
      {text('reader.leftOut')} {parts.join(', ')}
    </Text>
  );
}
