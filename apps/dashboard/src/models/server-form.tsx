import { Button, Group, PasswordInput, Select, Stack, Text, TextInput } from '@mantine/core';
import type { ChatSettings, ChooseChatModel, ModelTest } from '@citewell/sdk';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { errorSentence } from '../components/error-notice.js';
import { useTranslator } from '../messages/messages.js';
import { type Choice, modelServers, useChangeServer } from './model-settings.js';

/** Providers without a name of a model. */
const NAMELESS: readonly string[] = ['tei', 'chat'];
/** Providers without an address and a key. */
const SERVERLESS: readonly string[] = ['chat', 'local'];
/** Providers with a default model. */
const OPTIONAL: readonly string[] = ['local'];

/** Chooses and tests a model of a server. */
export function ServerForm({ kind, settings }: { kind: Choice; settings: ChatSettings }): ReactNode {
  const translator = useTranslator();
  const { text } = translator;
  const [provider, setProvider] = useState(settings.provider ?? settings.providers[0]?.name ?? '');
  const [model, setModel] = useState(settings.model ?? '');
  const [baseUrl, setBaseUrl] = useState(settings.baseUrl ?? '');
  const [apiKey, setApiKey] = useState('');
  const fixedBy = settings.providers.find(({ name }) => name === provider)?.fixedBy ?? [];
  const isFixed = fixedBy.length > 0;
  const isNameless = kind === 'rerank' && NAMELESS.includes(provider);
  const isServerless = kind === 'rerank' && SERVERLESS.includes(provider);
  const isConnected = !isFixed && !isServerless;
  const choice: ChooseChatModel = {
    provider,
    model: isNameless ? '' : model.trim(),
    ...(isConnected ? { baseUrl: baseUrl.trim() || null } : {}),
    ...(isConnected && apiKey.trim() !== '' ? { apiKey } : {}),
  };
  const isOptional = kind === 'rerank' && OPTIONAL.includes(provider);
  const isComplete = isNameless || isOptional || choice.model !== '';
  const server = modelServers[kind];
  const test = useMutation({ mutationFn: () => server.test(choice) });
  const save = useChangeServer(() => server.choose(choice));
  const remove = useChangeServer(() => server.remove());
  /** Clears the outcome of the last action. */
  const clear = (): void => {
    for (const action of [test, save, remove]) action.reset();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    clear();
    save.mutate(undefined, { onSuccess: () => setApiKey('') });
  };
  const labelOf = (name: string): string => {
    if (name === 'openai') return text('chat.compatible');
    if (name === 'tei') return 'Text Embeddings Inference';
    if (name === 'cohere' || name === 'chat' || name === 'local') return text(`rerank.${name}`);
    return name;
  };
  const resultsOf = ({ sample, dimensions, scores }: ModelTest): string[] => [
    ...(sample === null ? [] : [text('chat.sample', { text: sample })]),
    ...(dimensions === undefined ? [] : [text('models.dimensions', { count: dimensions })]),
    ...(scores
      ? [text('rerank.scores', { scores: scores.map((score) => score.toFixed(2)).join(', ') })]
      : []),
  ];
  const failure = save.error ?? remove.error ?? test.error;
  const keyHint =
    settings.keyEnd === null ? text('chat.keyStored') : text('chat.keyEnds', { end: settings.keyEnd });
  return (
    <form
      onSubmit={submit}
      aria-label={kind === 'own' || kind === 'pictures' ? text(`${kind}.title`) : text(`models.${kind}`)}
    >
      <Stack gap="sm">
        <Select
          label={text('chat.provider')}
          data={settings.providers.map(({ name }) => ({
            value: name,
            label: labelOf(name),
          }))}
          value={provider}
          allowDeselect={false}
          onChange={(value) => setProvider(value ?? provider)}
        />
        {!isNameless && (
          <TextInput
            label={text('chat.model')}
            value={model}
            maxLength={200}
            required={!isOptional}
            {...(isOptional ? { description: text('rerank.localHint') } : {})}
            onChange={(event) => setModel(event.currentTarget.value)}
          />
        )}
        {isFixed && (
          <Text size="sm" c="dimmed">
            {text('chat.fixedConnection', { names: fixedBy.join(', ') })}
          </Text>
        )}
        {isConnected && (
          <>
            <TextInput
              label={text('chat.address')}
              description={text('chat.addressHint')}
              placeholder={placeholderOf(kind, provider)}
              value={baseUrl}
              maxLength={2_000}
              onChange={(event) => setBaseUrl(event.currentTarget.value)}
            />
            <PasswordInput
              label={text('chat.key')}
              {...(settings.hasKey ? { description: keyHint } : {})}
              value={apiKey}
              maxLength={2_000}
              autoComplete="off"
              onChange={(event) => setApiKey(event.currentTarget.value)}
            />
          </>
        )}
        <Group gap="sm">
          <Button type="submit" size="xs" loading={save.isPending} disabled={!isComplete}>
            {text('chat.save')}
          </Button>
          <Button
            size="xs"
            variant="default"
            loading={test.isPending}
            disabled={!isComplete}
            onClick={() => {
              clear();
              test.mutate();
            }}
          >
            {text('models.test')}
          </Button>
          {settings.chosenBy === 'setting' && (
            <Button
              size="xs"
              variant="subtle"
              loading={remove.isPending}
              onClick={() => {
                clear();
                remove.mutate();
              }}
            >
              {text(`${kind}.remove`)}
            </Button>
          )}
        </Group>
        <Text size="sm" role="status">
          {failure && errorSentence(failure, translator)}
          {!failure && save.isSuccess && text('chat.saved')}
          {!failure &&
            test.data &&
            [
              test.data.message,
              text('models.duration', { ms: test.data.durationMs }),
              ...resultsOf(test.data),
            ].join(' ')}
        </Text>
      </Stack>
    </form>
  );
}

/** An organization reaches this machine only if the operator allows it. */
function placeholderOf(kind: Choice, provider: string): string {
  if (kind === 'own') return 'https://models.example.com/v1';
  return provider === 'ollama' ? 'http://127.0.0.1:11434' : 'http://127.0.0.1:8080/v1';
}
