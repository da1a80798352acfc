import { Alert, Button, Center, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { client } from '../client.js';
import { errorSentence } from '../components/error-notice.js';
import { Logo } from '../shell/logo.js';
import { useTranslator } from '../messages/messages.js';
import { sessionQuery } from './use-session.js';

export function SignIn({
  hadUsedLink,
  hadSession,
}: {
  hadUsedLink: boolean;
  hadSession: boolean;
}): ReactNode {
  const translator = useTranslator();
  const { text } = translator;
  const queryClient = useQueryClient();
  const [key, setKey] = useState('');
  const signIn = useMutation({
    mutationFn: () => client.session.signIn({ key: key.trim() }),
    onSuccess: (session) => {
      // Nothing of the organization that was signed in before is shown.
      queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
      queryClient.setQueryData(sessionQuery.queryKey, session);
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    signIn.mutate();
  };
  return (
    <Center mih="100vh" p="md" component="main">
      <Paper withBorder p="xl" w="100%" maw={440}>
        <form onSubmit={submit}>
          <Stack>
            <Logo />
            <Title order={1}>{text('signIn.title')}</Title>
            {hadUsedLink && <Alert color="yellow">{text('signIn.usedLink')}</Alert>}
            {hadSession && <Alert color="yellow">{text('signIn.ended')}</Alert>}
            <Text size="sm">{text('signIn.text')}</Text>
            <PasswordInput
              label={text('signIn.key')}
              value={key}
              onChange={(event) => setKey(event.currentTarget.value)}
              autoComplete="current-password"
              required
              autoFocus
              error={signIn.isError ? errorSentence(signIn.error, translator) : null}
            />
            <Button type="submit" loading={signIn.isPending}>
              {text('signIn.submit')}
            </Button>
            <Text size="xs" c="dimmed">
              {text('signIn.where')}
            </Text>
          </Stack>
        </form>
      </Paper>
    </Center>
  );
}
