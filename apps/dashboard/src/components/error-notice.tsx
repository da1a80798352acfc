import { Alert, Button, Stack, Text } from '@mantine/core';
import { CitewellError } from '@citewell/sdk';
import type { ReactNode } from 'react';
import { useTranslator } from '../messages/messages.js';
import type { Translator } from '../messages/translator.js';
import { Icon } from './icon.js';

/** The sentence of an error for the user. */
export function errorSentence(error: unknown, { text }: Pick<Translator, 'text'>): string {
  if (!(error instanceof CitewellError)) return text('error.unknown');
  return error.code === 'NETWORK' || error.code === 'TIMEOUT' ? text('error.network') : error.message;
}

/** What happened, and a button that tries again. */
export function ErrorNotice({ error, onRetry }: { error: unknown; onRetry?: () => void }): ReactNode {
  const translator = useTranslator();
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
        <Text size="sm">{errorSentence(error, translator)}</Text>
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
