import { Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { errorSentence } from '../components/error-notice.js';
import { useTranslator } from '../messages/messages.js';
import { EmbeddingOffers, EmbeddingProgress } from './embedding-offers.js';
import { ServerForm } from './server-form.js';
import { embeddingQuery, useChooseEmbedding } from './model-settings.js';

const BUILTIN = 'builtin';

/** Chooses the embedding model of the server. Nothing for organizations that may not. */
export function EmbeddingPanel(): ReactNode {
  const { text } = useTranslator();
  const { data: settings } = useQuery(embeddingQuery);
  const undo = useChooseEmbedding();
  if (settings === undefined) return null;
  const isFixed = settings.chosenBy === 'environment';
  return (
    <Paper withBorder p="md">
      <Stack gap="md">
        <Title order={2} size="h4">
          {text('embedding.title')}
        </Title>
        <EmbeddingProgress settings={settings} />
        {isFixed ? (
          <Text size="sm" c="dimmed">
            {text('embedding.fixed')}
          </Text>
        ) : (
          <>
            <Text size="sm" c="dimmed">
              {text('embedding.text')}
            </Text>
            <EmbeddingOffers settings={settings} />
            <OtherModel />
            <Text size="sm" fw={600}>
              {text('embedding.server')}
            </Text>
            <ServerForm kind="embedding" settings={settings.server} />
            {settings.name !== BUILTIN && settings.server.provider === null && (
              <Button
                size="xs"
                variant="subtle"
                style={{ alignSelf: 'flex-start' }}
                loading={undo.isPending}
                onClick={() => undo.mutate(BUILTIN)}
              >
                {text('embedding.undo')}
              </Button>
            )}
          </>
        )}
      </Stack>
    </Paper>
  );
}

/** A model from a directory of the server or from a mirror. */
function OtherModel(): ReactNode {
  const translator = useTranslator();
  const { text } = translator;
  const [source, setSource] = useState('');
  const choose = useChooseEmbedding();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    choose.mutate(`local:${source.trim().replace(/^local:/, '')}`);
  };
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" wrap="nowrap">
        <TextInput
          style={{ flexGrow: 1 }}
          label={text('embedding.other')}
          placeholder="https://mirror.example.com/minilm"
          value={source}
          maxLength={1_000}
          error={choose.isError && errorSentence(choose.error, translator)}
          onChange={(event) => setSource(event.currentTarget.value)}
        />
        <Button
          type="submit"
          variant="default"
          style={{ flexShrink: 0 }}
          loading={choose.isPending}
          disabled={source.trim() === ''}
        >
          {text('embedding.use')}
        </Button>
      </Group>
    </form>
  );
}
