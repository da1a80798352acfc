import { Alert, Button, Stack, Text } from '@mantine/core';
import type { DescribedError } from '@citewell/contracts/messages';
import { CitewellError } from '@citewell/sdk';
import type { ReactNode } from 'react';
import { useTranslator } from '../messages/messages.js';
import type { Translator } from '../messages/translator.js';
import { Icon } from './icon.js';

/** An error in the language of the user. `detail` is what only the sentence of the server says. */
export function describeError(
  error: unknown,
  { text, errors }: Pick<Translator, 'text' | 'errors'>,
): DescribedError {
  if (!(error instanceof CitewellError)) return { sentence: text('error.unknown'), detail: null };
  // The API names its own nouns, such as datastore. Whether something exists is not told to who may not read it.
  if (error.code === 'NOT_FOUND') return { sentence: text('error.notFound'), detail: null };
  return error.code === 'NETWORK' || error.code === 'TIMEOUT'
    ? { sentence: text('error.network'), detail: null }
    : errors.describe(error);
}

/** {@link describeError} in one text. */
export function errorSentence(error: unknown, translator: Pick<Translator, 'text' | 'errors'>): string {
  const { sentence, detail } = describeError(error, translator);
  return detail === null ? sentence : `${sentence} ${detail}`;
}

/** What happened, and a button that tries again. */
export function ErrorNotice({ error, onRetry }: { error: unknown; onRetry?: () => void }): ReactNode {
  const translator = useTranslator();
  const { sentence, detail } = describeError(error, translator);
  const requestId = error instanceof CitewellError ? error.requestId : null;
  return (
    <Alert
      role="alert"
      color="red"
      variant="light"
      icon={<Icon name="warning" />}
      title={translator.text('error.title')}
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{sentence}</Text>
        {detail !== null && (
          <Text size="sm" c="dimmed">
            {detail}
          </Text>
        )}
        {requestId && (
          <Text size="xs" c="dimmed">
            {translator.text('error.request', { id: requestId })}
          </Text>
        )}
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {translator.text('action.retry')}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
