import { Button, Group, Paper, PasswordInput, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import type { ChatSettings, ChooseChatModel } from '@citewell/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { client } from '../client.js';
import { errorSentence } from '../components/error-notice.js';
import { useTranslator } from '../messages/messages.js';
import { chatQuery, useChangeChat } from './chat.js';

const OPENAI = 'openai';

/** Chooses the chat model of the server. Nothing for organizations that may not. */
export function ChatPanel(): ReactNode {
  const { text } = useTranslator();
  const { data: settings } = useQuery(chatQuery);
  if (settings === undefined) return null;
  return (
    <Paper withBorder p="md">
      <Stack gap="md">
        <Title order={2} size="h4">
          {text('chat.title')}
        </Title>
        {settings.problem !== null && (
          <Text size="sm" c="red" role="alert">
            {settings.problem}
          </Text>
        )}
        {settings.chosenBy === 'environment' ? (
          <Text size="sm" c="dimmed">
            {text('chat.fixed')}
          </Text>
        ) : (
          <ChatForm settings={settings} />
        )}
      </Stack>
    </Paper>
  );
}

function ChatForm({ settings }: { settings: ChatSettings }): ReactNode {
  const translator = useTranslator();
  const { text } = translator;
  const [provider, setProvider] = useState(settings.provider ?? OPENAI);
  const [model, setModel] = useState(settings.model ?? '');
  const [baseUrl, setBaseUrl] = useState(settings.baseUrl ?? '');
  const [apiKey, setApiKey] = useState('');
  const fixedBy = settings.providers.find(({ name }) => name === provider)?.fixedBy ?? [];
  const isFixed = fixedBy.length > 0;
  const choice: ChooseChatModel = {
    provider,
    model: model.trim(),
    ...(isFixed ? {} : { baseUrl: baseUrl.trim() || null }),
    ...(isFixed || apiKey.trim() === '' ? {} : { apiKey }),
  };
  const test = useMutation({ mutationFn: () => client.models.testChat(choice) });
  const save = useChangeChat(() => client.models.chooseChat(choice));
  const remove = useChangeChat(() => client.models.removeChat());
  /** Clears the outcome of the last action. */
  const clear = (): void => {
    for (const action of [test, save, remove]) action.reset();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    clear();
    save.mutate(undefined, { onSuccess: () => setApiKey('') });
  };
  const failure = save.error ?? remove.error ?? test.error;
  const keyHint =
    settings.keyEnd === null ? text('chat.keyStored') : text('chat.keyEnds', { end: settings.keyEnd });
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Select
          label={text('chat.provider')}
          data={settings.providers.map(({ name }) => ({
            value: name,
            label: name === OPENAI ? text('chat.compatible') : name,
          }))}
          value={provider}
          allowDeselect={false}
          onChange={(value) => setProvider(value ?? OPENAI)}
        />
        <TextInput
          label={text('chat.model')}
          value={model}
          maxLength={200}
          required
          onChange={(event) => setModel(event.currentTarget.value)}
        />
        {isFixed ? (
          <Text size="sm" c="dimmed">
            {text('chat.fixedConnection', { names: fixedBy.join(', ') })}
          </Text>
        ) : (
          <>
            <TextInput
              label={text('chat.address')}
              description={text('chat.addressHint')}
              placeholder="http://127.0.0.1:11434/v1"
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
          <Button type="submit" size="xs" loading={save.isPending} disabled={choice.model === ''}>
            {text('chat.save')}
          </Button>
          <Button
            size="xs"
            variant="default"
            loading={test.isPending}
            disabled={choice.model === ''}
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
              {text('chat.remove')}
            </Button>
          )}
        </Group>
        <Text size="sm" role="status">
          {failure && errorSentence(failure, translator)}
          {!failure && save.isSuccess && text('chat.saved')}
          {!failure &&
            test.data &&
            `${test.data.message} ${text('models.duration', { ms: test.data.durationMs })} ${
              test.data.sample === null ? '' : text('chat.sample', { text: test.data.sample })
            }`}
        </Text>
      </Stack>
    </form>
  );
}
