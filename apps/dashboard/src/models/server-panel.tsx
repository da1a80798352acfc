import { Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslator } from '../messages/messages.js';
import { chatQuery, ownQuery, rerankQuery } from './model-servers.js';
import { ServerForm } from './server-form.js';

/** Chooses the chat model or the rerank model of the server, or an own chat model. Nothing for organizations that may not. */
export function ServerPanel({ kind }: { kind: 'chat' | 'own' | 'rerank' }): ReactNode {
  const { text } = useTranslator();
  const { data } = {
    chat: useQuery({ ...chatQuery, enabled: kind === 'chat' }),
    own: useQuery({ ...ownQuery, enabled: kind === 'own' }),
    rerank: useQuery({ ...rerankQuery, enabled: kind === 'rerank' }),
  }[kind];
  if (data === undefined) return null;
  return (
    <Paper withBorder p="md">
      <Stack gap="md">
        <Title order={2} size="h4">
          {text(`${kind}.title`)}
        </Title>
        {kind === 'own' && (
          <Text size="sm" c="dimmed">
            {text('own.text')}
          </Text>
        )}
        {data.problem !== null && (
          <Text size="sm" c="red" role="alert">
            {data.problem}
          </Text>
        )}
        {data.chosenBy === 'environment' && kind !== 'own' ? (
          <Text size="sm" c="dimmed">
            {text(`${kind}.fixed`)}
          </Text>
        ) : (
          <ServerForm kind={kind} settings={data} />
        )}
      </Stack>
    </Paper>
  );
}
