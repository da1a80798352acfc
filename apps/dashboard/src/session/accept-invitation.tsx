import { Alert, Button, PasswordInput, Text, TextInput } from '@mantine/core';
import { CitewellError } from '@citewell/sdk';
import { type ReactNode, useState } from 'react';
import { errorSentence } from '../components/error-notice.js';
import { useTranslator } from '../messages/messages.js';
import { SignInFrame, useSignIn } from './sign-in-frame.js';

/** What a link of the settings has after `/#invite=`. */
export interface Invitation {
  token: string;
  /** Shown, and kept by password managers. */
  email: string | null;
}

/** Chooses a password, and signs in. */
export function AcceptInvitation({
  invitation: { token, email },
  onAccepted,
}: {
  invitation: Invitation;
  onAccepted: () => void;
}): ReactNode {
  const translator = useTranslator();
  const { text } = translator;
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const accept = useSignIn();
  const { error } = accept;
  const isUsed = error instanceof CitewellError && error.code === 'UNAUTHORIZED';
  const submit = (): void =>
    accept.mutate(
      { token, password, ...(name.trim() !== '' && { name: name.trim() }) },
      { onSuccess: onAccepted },
    );
  return (
    <SignInFrame title={text('invite.title')} onSubmit={submit}>
      {email !== null && (
        <TextInput label={text('people.email')} value={email} readOnly autoComplete="username" />
      )}
      <TextInput
        label={text('documents.name')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        autoComplete="name"
        maxLength={255}
        autoFocus
      />
      <PasswordInput
        label={text('profile.newPassword')}
        description={text('people.passwordRule')}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        autoComplete="new-password"
        minLength={10}
        maxLength={1_000}
        required
      />
      {accept.isError && (
        <Alert color="red" role="alert">
          {isUsed ? text('invite.used') : errorSentence(error, translator)}
        </Alert>
      )}
      <Button type="submit" loading={accept.isPending}>
        {text('invite.submit')}
      </Button>
      <Text size="xs" c="dimmed">
        {text('invite.once')}
      </Text>
    </SignInFrame>
  );
}
