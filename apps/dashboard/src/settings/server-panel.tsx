import { Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslator } from '../messages/messages.js';
import { chatQuery, rerankQuery } from './model-servers.js';
import { ServerForm } from './server-form.js';

/** Chooses the chat model or the rerank model of the server. Nothing for organizations that may not. */
export function ServerPanel({ kind }: { kind: 'chat' | 'rerank' }): ReactNode {
  const { text } = useTranslator();
  const chat = useQuery({ ...chatQuery, enabled: kind === 'chat' });
  const rerank = useQuery({ ...rerankQuery, enabled: kind === 'rerank' });
  const settings = kind === 'chat' ? chat.data : rerank.data;
  if (settings === undefined) return null;
  return (
    <Paper withBorder p="md">
      <Stack gap="md">
        <Title order={2} size="h4">
          {text(`${kind}.title`)}
        </Title>
        {settings.problem !== null && (
          <Text size="sm" c="red" role="alert">
            {settings.problem}
          </Text>
        )}
        {settings.chosenBy === 'environment' ? (
          <Text size="sm" c="dimmed">
            {text(`${kind}.fixed`)}
          </Text>
        ) : (
          <ServerForm kind={kind} settings={settings} />
        )}
      </Stack>
    </Paper>
  );
}
