import { Alert, Button, PasswordInput, Text } from '@mantine/core';
import { CitewellError } from '@citewell/sdk';
import { type ReactNode, useState } from 'react';
import { errorSentence } from '../../components/error-notice.js';
import { useTranslator } from '../../messages/messages.js';
import { SignInFrame, useSignIn } from './sign-in-frame.js';

/** Chooses a new password with a link of a mail, and signs in. */
export function ResetPassword({ token, onReset }: { token: string; onReset: () => void }): ReactNode {
  const translator = useTranslator();
  const { text } = translator;
  const [password, setPassword] = useState('');
  const reset = useSignIn();
  const { error } = reset;
  const isUsed = error instanceof CitewellError && error.code === 'UNAUTHORIZED';
  return (
    <SignInFrame
      title={text('reset.title')}
      onSubmit={() => reset.mutate({ reset: token, password }, { onSuccess: onReset })}
    >
      <PasswordInput
        label={text('profile.newPassword')}
        description={text('people.passwordRule')}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        autoComplete="new-password"
        minLength={10}
        maxLength={1_000}
        required
        autoFocus
      />
      {reset.isError && (
        <Alert color="red" role="alert">
          {isUsed ? text('reset.used') : errorSentence(error, translator)}
        </Alert>
      )}
      <Button type="submit" loading={reset.isPending}>
        {text('invite.submit')}
      </Button>
      {isUsed ? (
        <Button variant="subtle" onClick={onReset}>
          {text('reset.back')}
        </Button>
      ) : (
        <Text size="xs" c="dimmed">
          {text('reset.text')}
        </Text>
      )}
    </SignInFrame>
  );
}
