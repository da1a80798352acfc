import { Badge, Button, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { TestModel } from '@citewell/sdk';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { client } from '../client.js';
import { ErrorNotice, errorSentence } from '../components/error-notice.js';
import { useTranslator } from '../messages/messages.js';
import { EmbeddingPanel } from './embedding-panel.js';
import { chatQuery, embeddingQuery, ownQuery, picturesQuery, rerankQuery } from './model-settings.js';
import { RecognitionPanel } from './recognition-panel.js';
import { ServerForm } from './server-form.js';

/** The models of the server. A test says whether one answers, and how long it takes. */
export function ModelsPanel(): ReactNode {
  const { text } = useTranslator();
  const { data: settings, isError: isNoOperator } = useQuery(embeddingQuery);
  const { data: own, isError: isWithoutOwn } = useQuery(ownQuery);
  const isOperator = settings !== undefined;
  const models = useQuery({
    // A chosen model is listed when it has been prepared.
    queryKey: ['models', 'list', settings?.name, settings?.preparation === null],
    queryFn: () => client.models.list(),
    placeholderData: keepPreviousData,
  });
  if (models.isError) return <ErrorNotice error={models.error} onRetry={() => void models.refetch()} />;
  if (models.isPending) return <Skeleton h={160} />;
  const { chat, embedding, rerank } = models.data;
  return (
    <Stack maw={640}>
      {isNoOperator && isWithoutOwn && <Text c="dimmed">{text('models.text')}</Text>}
      {chat.length === 0 && <Missing kind="chat" />}
      {chat.map(({ name, provider, modelNames }) => (
        <ModelCard
          key={name}
          name={name}
          details={[text('models.chat'), provider]}
          isTestable={isOperator || (own?.provider === provider && own.model === name)}
          test={{ kind: 'chat', modelName: modelNames[0] }}
        />
      ))}
      <ServerPanel kind="chat" />
      <ServerPanel kind="own" />
      {embedding === null ? (
        <Missing kind="embedding" />
      ) : (
        <ModelCard
          name={isBuiltin(embedding) ? text('embedding.builtin') : embedding.name}
          details={[
            text('models.embedding'),
            ...(isBuiltin(embedding) ? [] : [embedding.provider]),
            text('models.dimensions', { count: embedding.dimensions }),
          ]}
          isTestable={isOperator}
          test={{ kind: 'embedding' }}
        />
      )}
      <EmbeddingPanel />
      {rerank === null ? (
        <Missing kind="rerank" />
      ) : (
        <ModelCard
          name={rerankName(rerank.name, text)}
          details={[text('models.rerank')]}
          isTestable={isOperator}
          test={{ kind: 'rerank' }}
        />
      )}
      <ServerPanel kind="rerank" />
      <RecognitionPanel />
      <ServerPanel kind="pictures" />
    </Stack>
  );
}

/** The provider of a model of a server may have a model of this name. */
function isBuiltin({ name, provider }: { name: string; provider: string }): boolean {
  return name === 'builtin' && provider === 'builtin';
}

/** The words for a name that is none of a model. */
function rerankName(name: string, text: ReturnType<typeof useTranslator>['text']): string {
  if (name === 'tei') return 'Text Embeddings Inference';
  return name === 'chat' || name === 'local' ? text(`rerank.${name}`) : name;
}

function ModelCard({
  name,
  details,
  isTestable,
  test,
}: {
  name: string;
  details: readonly string[];
  /** Whether the organization may choose the model. */
  isTestable: boolean;
  test: TestModel;
}): ReactNode {
  const translator = useTranslator();
  const { text } = translator;
  const run = useMutation({ mutationFn: () => client.models.test(test) });
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" align="flex-start">
        <Stack gap={2}>
          <Text fw={600}>{name}</Text>
          <Text size="sm" c="dimmed">
            {details.join(' · ')}
          </Text>
        </Stack>
        {isTestable && (
          <Button size="xs" variant="default" loading={run.isPending} onClick={() => run.mutate()}>
            {text('models.test')}
          </Button>
        )}
      </Group>
      <Text size="sm" mt="xs" role="status">
        {run.isError && errorSentence(run.error, translator)}
        {run.data && `${run.data.message} ${text('models.duration', { ms: run.data.durationMs })}`}
      </Text>
    </Paper>
  );
}

function Missing({ kind }: { kind: 'chat' | 'embedding' | 'rerank' }): ReactNode {
  const { text } = useTranslator();
  return (
    <Paper withBorder p="md">
      <Group justify="space-between">
        <Text fw={600}>{text(`models.${kind}`)}</Text>
        <Badge variant="default" tt="none">
          {text('models.none')}
        </Badge>
      </Group>
      <Text size="sm" c="dimmed">
        {text(`models.${kind}None`)}
      </Text>
    </Paper>
  );
}

/** Chooses the chat model or the rerank model of the server, or an own chat model. Nothing for organizations that may not. */
function ServerPanel({ kind }: { kind: 'chat' | 'own' | 'pictures' | 'rerank' }): ReactNode {
  const { text } = useTranslator();
  const { data } = {
    chat: useQuery({ ...chatQuery, enabled: kind === 'chat' }),
    own: useQuery({ ...ownQuery, enabled: kind === 'own' }),
    pictures: useQuery({ ...picturesQuery, enabled: kind === 'pictures' }),
    rerank: useQuery({ ...rerankQuery, enabled: kind === 'rerank' }),
  }[kind];
  if (data === undefined) return null;
  return (
    <Paper withBorder p="md">
      <Stack gap="md">
        <Title order={2} size="h4">
          {text(`${kind}.title`)}
        </Title>
        {(kind === 'own' || kind === 'pictures') && (
          <Text size="sm" c="dimmed">
            {text(`${kind}.text`)}
          </Text>
        )}
        {data.problem !== null && (
          <Text size="sm" c="red" role="alert">
            {data.problem}
          </Text>
        )}
        {data.chosenBy === 'environment' && kind !== 'own' && kind !== 'pictures' ? (
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
