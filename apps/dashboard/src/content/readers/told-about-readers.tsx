import { Text, type TextProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslator } from '../../messages/messages.js';
import { useSession } from '../../identity/sign-in/use-session.js';

/** Tells people that owners read their conversations, if the organization says so. */
export function ToldAboutReaders(props: TextProps): ReactNode {
  const { text, time } = useTranslator();
  const { organization, person } = useSession();
  const { name, ownersReadConversationsSince: since } = organization;
  if (person === null || since === null) return null;
  return (
    <Text size="xs" c="dimmed" role="note" {...props}>
      {text('own.told', { organization: name, time: time(since) })}
    </Text>
  );
}
