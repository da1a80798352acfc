import { Button, Group, Text } from '@mantine/core';
import type { Datasource } from '@citewell/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { client } from '../../client.js';
import { errorSentence } from '../../components/error-notice.js';
import { useSession } from '../../identity/sign-in/session.js';
import { useTranslator } from '../../messages/messages.js';
import { languageWords, recognitionQuery, useChangeLanguages } from '../../models/recognition-panel.js';

/**
 * One button for each language that a scan lacks: installs the language, then reads the document again. Who may not add
 * languages sees who may.
 */
export function LanguageHelp({ id, languages }: { id: string; languages: readonly string[] }): ReactNode {
  const { text } = useTranslator();
  const isAdministrator = useSession().scopes.includes('admin');
  const { data, isError } = useQuery({ ...recognitionQuery, enabled: isAdministrator });
  if (!isAdministrator || isError) return <Text size="xs">{text('recognition.whoCan')}</Text>;
  return (
    <Group gap={6}>
      {data?.languages
        .filter(({ name }) => languages.includes(name))
        .map((language) => (
          <LanguageButton key={language.name} id={id} language={language} />
        ))}
    </Group>
  );
}

function LanguageButton({
  id,
  language,
}: {
  id: Datasource['id'];
  language: Parameters<typeof languageWords>[0] & { state: string; message: string | null };
}): ReactNode {
  const translator = useTranslator();
  const { text } = translator;
  const { name, state, message } = language;
  const queryClient = useQueryClient();
  const [isChosen, setChosen] = useState(false);
  const add = useChangeLanguages((added) => client.models.addLanguage(added));
  useEffect(() => {
    if (!isChosen || (state !== 'installed' && state !== 'failed')) return;
    setChosen(false);
    if (state === 'installed')
      void client.datasources
        .sync(id)
        .finally(() => queryClient.invalidateQueries({ queryKey: ['datasources'] }));
  }, [isChosen, state, id, queryClient]);
  const problem = add.isError ? errorSentence(add.error, translator) : message;
  return (
    <>
      <Button
        size="compact-xs"
        variant="default"
        loading={isChosen}
        onClick={() => add.mutate(name, { onSuccess: () => setChosen(true) })}
      >
        {text('recognition.addAndRead', { language: languageWords(language, translator.language) })}
      </Button>
      {problem !== null && (
        <Text size="xs" c="red" role="alert" style={{ overflowWrap: 'anywhere' }}>
          {problem}
        </Text>
      )}
    </>
  );
}
