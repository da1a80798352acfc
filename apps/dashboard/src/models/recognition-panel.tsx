import { Badge, Button, Group, Loader, Paper, Stack, Text, Title } from '@mantine/core';
import type { RecognitionLanguage, RecognitionSettings } from '@citewell/sdk';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { client } from '../client.js';
import { errorSentence } from '../components/error-notice.js';
import { sizeWords } from '../components/size-words.js';
import { useTranslator } from '../messages/messages.js';

const REFRESH_MS = 1_000;

/** The languages of text recognition, read again during an installation. Fails for other than the first organization. */
export const recognitionQuery = queryOptions({
  queryKey: ['models', 'recognition'],
  queryFn: () => client.models.recognition(),
  retry: false,
  refetchInterval: ({ state: { data } }) =>
    data?.languages.some(({ state }) => state === 'installing') ? REFRESH_MS : false,
});

/** Adds or removes a language. */
export function useChangeLanguages(change: (name: string) => Promise<RecognitionSettings>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (settings) => queryClient.setQueryData(recognitionQuery.queryKey, settings),
  });
}

/** The name of a language in the language of the page. */
export function languageWords(
  { name, tag }: Pick<RecognitionLanguage, 'name' | 'tag'>,
  page: string,
): string {
  return (tag === null ? null : new Intl.DisplayNames([page], { type: 'language' }).of(tag)) ?? name;
}

/** Adds languages of text recognition to the server. Nothing for organizations that may not. */
export function RecognitionPanel(): ReactNode {
  const { text } = useTranslator();
  const { data } = useQuery(recognitionQuery);
  const [isOpen, setOpen] = useState(false);
  if (data === undefined) return null;
  const shown = isOpen ? data.languages : data.languages.filter(({ state }) => state !== 'available');
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Title order={2} size="h4">
          {text('recognition.title')}
        </Title>
        <Text size="sm" c="dimmed">
          {text('recognition.text')}
        </Text>
        {shown.map((language) => (
          <LanguageRow key={language.name} language={language} />
        ))}
        {!isOpen && (
          <Button
            size="xs"
            variant="default"
            style={{ alignSelf: 'flex-start' }}
            onClick={() => setOpen(true)}
          >
            {text('recognition.others')}
          </Button>
        )}
      </Stack>
    </Paper>
  );
}

function LanguageRow({ language }: { language: RecognitionLanguage }): ReactNode {
  const translator = useTranslator();
  const { text } = translator;
  const { name, state, isIncluded, downloadBytes, message } = language;
  const add = useChangeLanguages((added) => client.models.addLanguage(added));
  const remove = useChangeLanguages((removed) => client.models.removeLanguage(removed));
  const error = add.error ?? remove.error;
  const words = languageWords(language, translator.language);
  return (
    <Stack gap={2}>
      <Group justify="space-between">
        <Text size="sm">{words}</Text>
        {state === 'installing' ? (
          <Loader size="xs" aria-label={text('recognition.installing')} />
        ) : isIncluded ? (
          <Badge variant="default" tt="none">
            {text('recognition.included')}
          </Badge>
        ) : (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`${text(state === 'installed' ? 'recognition.remove' : 'recognition.add')} ${words}`}
            loading={add.isPending || remove.isPending}
            onClick={() => (state === 'installed' ? remove : add).mutate(name)}
          >
            {state === 'installed'
              ? text('recognition.remove')
              : `${text('recognition.add')} (${sizeWords(downloadBytes ?? 0, translator.language)})`}
          </Button>
        )}
      </Group>
      {(message !== null || error !== null) && (
        <Text size="xs" c="red" role="alert" style={{ overflowWrap: 'anywhere' }}>
          {error === null ? message : errorSentence(error, translator)}
        </Text>
      )}
    </Stack>
  );
}
