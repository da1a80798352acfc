import { Button, Group, Progress, Stack, Text, Tooltip } from '@mantine/core';
import type { Datasource } from '@citewell/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { client } from '../client.js';
import { Icon } from '../components/icon.js';
import { useTranslator } from '../messages/messages.js';
import { isUnfinished } from './datasource-state.js';
import { progressWords } from './progress-words.js';

/** The status of a document: one bar with words while a run is in progress, one sentence when it failed. */
export function StatusCell({ datasource }: { datasource: Datasource }): ReactNode {
  const translator = useTranslator();
  const { text } = translator;
  const { status, progress, semantic, error } = datasource;
  if (isUnfinished(datasource)) {
    const words = progressWords(datasource, translator);
    return (
      <Stack role="cell" gap={4}>
        <Progress size="sm" value={progress?.percent ?? 0} animated aria-label={words} />
        <Text size="xs" c="dimmed" truncate>
          {words}
        </Text>
      </Stack>
    );
  }
  if (error === null)
    return (
      <Group role="cell" gap={6} wrap="nowrap">
        <Text c="teal" lh={0} span>
          <Icon name="check" size={16} />
        </Text>
        <Text size="sm">{text(`status.${status}`)}</Text>
        {semantic && (
          <Text size="xs" c="dimmed" truncate>
            {text('progress.semantic', semantic)}
          </Text>
        )}
      </Group>
    );
  const isPartial = status === 'synched';
  return (
    <Group role="cell" gap={6} wrap="nowrap">
      <Text c={isPartial ? 'yellow' : 'red'} lh={0} span>
        <Icon name="warning" size={16} />
      </Text>
      <Tooltip label={error.message} multiline maw={360} events={{ hover: true, focus: true, touch: true }}>
        <Text size="xs" lineClamp={2} tabIndex={0}>
          {text(isPartial ? 'status.partial' : `status.${status}`)}: {error.message}
        </Text>
      </Tooltip>
      {error.retryable && <RetryButton id={datasource.id} />}
    </Group>
  );
}

function RetryButton({ id }: { id: string }): ReactNode {
  const { text } = useTranslator();
  const queryClient = useQueryClient();
  const sync = useMutation({
    mutationFn: () => client.datasources.sync(id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['datasources'] }),
  });
  return (
    <Button size="compact-xs" variant="default" loading={sync.isPending} onClick={() => sync.mutate()}>
      {text('action.retry')}
    </Button>
  );
}
