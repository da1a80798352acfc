import { Alert, Button, TextInput } from '@mantine/core';
import type { PasswordResetRequested } from '@citewell/sdk';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { errorSentence } from '../../components/error-notice.js';
import { useTranslator } from '../../messages/messages.js';
import { request } from '../../client.js';
import { SignInFrame } from './sign-in-frame.js';

/** Asks for a link to reset the password. The answer does not tell whether there is an account. */
export function RequestReset({ email: typed, onBack }: { email: string; onBack: () => void }): ReactNode {
  const translator = useTranslator();
  const { text, language } = translator;
  const [email, setEmail] = useState(typed);
  const sending = useMutation({
    mutationFn: () =>
      request<PasswordResetRequested>('POST', '/password-resets', { email: email.trim(), language }),
  });
  return (
    <SignInFrame title={text('reset.request')} onSubmit={() => sending.mutate()}>
      <TextInput
        label={text('people.email')}
        type="email"
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        autoComplete="username"
        required
        autoFocus
      />
      {sending.isError && (
        <Alert color="red" role="alert">
          {errorSentence(sending.error, translator)}
        </Alert>
      )}
      {sending.isSuccess && (
        <Alert color="green" role="status">
          {text('reset.sent')}
        </Alert>
      )}
      <Button type="submit" loading={sending.isPending}>
        {text('reset.send')}
      </Button>
      <Button variant="subtle" onClick={onBack}>
        {text('reset.back')}
      </Button>
    </SignInFrame>
  );
}
