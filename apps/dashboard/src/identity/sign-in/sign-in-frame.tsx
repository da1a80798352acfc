import { Center, Paper, Stack, Title } from '@mantine/core';
import type { Session, SignIn } from '@citewell/sdk';
import { useMutation, type UseMutationResult, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { client } from '../../client.js';
import { Logo } from '../../components/icon.js';
import { signInWithPasskey } from './passkeys.js';
import { sessionQuery } from './session.js';

/** Signs in, with a dialogue of the browser for a passkey, and forgets what belongs to the session of before. */
export function useSignIn(): UseMutationResult<Session, Error, SignIn | 'passkey'> {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (credentials: SignIn | 'passkey') =>
      credentials === 'passkey' ? signInWithPasskey() : client.session.signIn(credentials),
    onSuccess: (session) => {
      // Nothing of the organization that was signed in before is shown.
      queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
      queryClient.setQueryData(sessionQuery.queryKey, session);
    },
  });
}

/** A form before there is a session. */
export function SignInFrame({
  title,
  onSubmit,
  children,
}: {
  title: string;
  onSubmit: () => void;
  children: ReactNode;
}): ReactNode {
  return (
    <Center mih="100vh" p="md" component="main">
      <Paper withBorder p="xl" w="100%" maw={440}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            onSubmit();
          }}
        >
          <Stack>
            <Logo />
            <Title order={1}>{title}</Title>
            {children}
          </Stack>
        </form>
      </Paper>
    </Center>
  );
}
