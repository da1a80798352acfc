import { Alert, Button, Text } from '@mantine/core';
import { CitewellError } from '@citewell/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { client } from '../../client.js';
import { errorSentence } from '../../components/error-notice.js';
import { useTranslator } from '../../messages/messages.js';
import { SignInFrame } from './sign-in-frame.js';
import { sessionQuery } from './session.js';

/** Makes a new e-mail that of the account, with a link of a mail. */
export function ConfirmEmail({ token, onDone }: { token: string; onDone: () => void }): ReactNode {
  const translator = useTranslator();
  const { text } = translator;
  const queryClient = useQueryClient();
  const confirm = useMutation({
    mutationFn: () => client.session.changeProfile({ emailToken: token }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
      onDone();
    },
  });
  const { error } = confirm;
  const code = error instanceof CitewellError ? error.code : null;
  return (
    <SignInFrame title={text('email.title')} onSubmit={() => confirm.mutate()}>
      <Text>{text('email.text')}</Text>
      {confirm.isError && (
        <Alert color="red" role="alert">
          {code === 'CONFLICT'
            ? text('email.taken')
            : code === 'INVALID_REQUEST'
              ? text('email.unusable')
              : errorSentence(error, translator)}
        </Alert>
      )}
      <Button type="submit" loading={confirm.isPending}>
        {text('email.submit')}
      </Button>
      <Button variant="subtle" onClick={onDone}>
        {text('action.cancel')}
      </Button>
    </SignInFrame>
  );
}
