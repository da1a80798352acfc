import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import type { Datasource } from '@citewell/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { client } from '../../client.js';
import { Icon } from '../../components/icon.js';
import { useTranslator } from '../../messages/messages.js';
import type { MessageKey } from '../../messages/translator.js';
import { Permitted } from '../../identity/sign-in/session.js';
import { isUnfinished } from '../datasources/datasource-display.js';
import { LanguageHelp } from './language-help.js';
import { progressWords, whatHelps } from './status-words.js';
import { ReplaceFileButton } from './replace-file-button.js';

/** The status of a document: one bar with words while a run is in progress, the whole error and what helps when it failed. */
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
  return (
    <div role="cell">
      <Problem datasource={datasource} error={error} />
    </div>
  );
}

/** Errors of documents that answer questions, but only in part. */
const PARTIAL = ['PARTIAL', 'LANGUAGE_MISSING', 'PARTLY_READ', 'LINES_SKIPPED'];

/** An error or a warning, in whole, with the buttons that help. */
export function Problem({
  datasource,
  error,
}: {
  datasource: Datasource;
  error: NonNullable<Datasource['error']>;
}): ReactNode {
  const { text, errors } = useTranslator();
  const { status } = datasource;
  const { sentence, detail } = errors.describe(error);
  const isReady = status === 'synched';
  const word: MessageKey = !isReady
    ? `status.${status}`
    : PARTIAL.includes(error.code)
      ? 'status.partial'
      : 'status.warning';
  return (
    <Group gap={6} wrap="nowrap" align="flex-start">
      <Text c={isReady ? 'yellow' : 'red'} lh={0} span mt={2}>
        <Icon name="warning" size={16} />
      </Text>
      <Stack gap={4} align="flex-start" miw={0}>
        <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
          {text(word)}: {sentence}
        </Text>
        {detail !== null && (
          <Text size="xs" c="dimmed" dir="auto" style={{ overflowWrap: 'anywhere' }}>
            {detail}
          </Text>
        )}
        {error.languages && error.languages.length > 0 && (
          <LanguageHelp id={datasource.id} languages={error.languages} />
        )}
        <Permitted>
          <Helps datasource={datasource} />
        </Permitted>
      </Stack>
    </Group>
  );
}

function Helps({ datasource }: { datasource: Datasource }): ReactNode {
  const helps = whatHelps(datasource);
  if (helps.length === 0) return null;
  return (
    <Group gap={6}>
      {helps.map((help) =>
        help === 'retry' ? (
          <RetryButton key={help} id={datasource.id} />
        ) : (
          <ReplaceFileButton key={help} datasource={datasource} size="compact-xs" />
        ),
      )}
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
