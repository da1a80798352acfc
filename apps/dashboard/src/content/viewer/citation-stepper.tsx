import { ActionIcon, Group, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Icon } from '../../components/icon.js';
import { useTranslator } from '../../messages/messages.js';
import { type Citation, placeOf } from './citations.js';

/** Goes through the citations of the answer from which the reader was opened: `j` forwards, `k` backwards. */
export function CitationStepper({
  datasourceId,
  start,
}: {
  datasourceId: string;
  start: number | undefined;
}): ReactNode {
  const { text } = useTranslator();
  const navigate = useNavigate();
  const citations = useRouterState({ select: ({ location }) => location.state.citations ?? NONE });
  const index = citations.findIndex(
    (citation) => citation.datasource_id === datasourceId && citation.start === start,
  );
  const goTo = (citation: Citation | undefined): void => {
    if (citation) void navigate({ ...placeOf(citation, citations), replace: true });
  };
  const [previous, next] = [citations[index - 1], citations[index + 1]];
  useHotkeys([
    ['j', () => goTo(next)],
    ['k', () => goTo(previous)],
  ]);
  if (index < 0 || citations.length < 2) return null;
  return (
    <Group gap="xs">
      <ActionIcon
        variant="default"
        aria-label={text('reader.previousCitation')}
        aria-keyshortcuts="k"
        disabled={!previous}
        onClick={() => goTo(previous)}
      >
        <Icon name="back" />
      </ActionIcon>
      <Text size="sm" aria-live="polite">
        {text('reader.citation', { number: index + 1, total: citations.length })}
      </Text>
      <ActionIcon
        variant="default"
        aria-label={text('reader.nextCitation')}
        aria-keyshortcuts="j"
        disabled={!next}
        onClick={() => goTo(next)}
      >
        <Icon name="forward" />
      </ActionIcon>
    </Group>
  );
}

const NONE: readonly Citation[] = [];
