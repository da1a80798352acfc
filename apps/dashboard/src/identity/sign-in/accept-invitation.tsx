import { Alert, Button, PasswordInput, Text, TextInput } from '@mantine/core';
import { CitewellError } from '@citewell/sdk';
import { type ReactNode, useState } from 'react';
import { errorSentence } from '../../components/error-notice.js';
import { useTranslator } from '../../messages/messages.js';
import { SignInFrame, useSignIn } from './sign-in-frame.js';

/** What a link of the settings has after `/#invite=`. */
export interface Invitation {
  token: string;
  /** Shown, and kept by password managers. */
  email: string | null;
  /** Name of the organization. */
  organization: string | null;
  /** Name of who invites. */
  inviter: string | null;
}

/** Chooses a password, and signs in. Somebody who has an account gives its password instead. */
export function AcceptInvitation({
  invitation: { token, email, organization, inviter },
  onAccepted,
}: {
  invitation: Invitation;
  onAccepted: () => void;
}): ReactNode {
  const translator = useTranslator();
  const { text } = translator;
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  /** What a first attempt has told. */
  const [hasAccount, setHasAccount] = useState(false);
  const [isWrong, setIsWrong] = useState(false);
  const accept = useSignIn();
  const { error } = accept;
  const code = error instanceof CitewellError ? error.code : null;
  const submit = (): void => {
    const chosenName = hasAccount ? '' : name.trim();
    accept.mutate(
      { token, password, ...(chosenName !== '' && { name: chosenName }) },
      {
        onSuccess: onAccepted,
        onError: (refusal) => {
          if (!(refusal instanceof CitewellError) || refusal.code !== 'CONFLICT') return;
          setIsWrong(hasAccount);
          setHasAccount(true);
          setPassword('');
        },
      },
    );
  };
  return (
    <SignInFrame title={text(hasAccount ? 'invite.joinTitle' : 'invite.title')} onSubmit={submit}>
      {organization !== null && (
        <Text>
          {inviter === null
            ? text('invite.to', { organization })
            : text('invite.from', { inviter, organization })}
        </Text>
      )}
      {hasAccount && <Alert color="yellow">{text('invite.hasAccount')}</Alert>}
      {email !== null && (
        <TextInput label={text('people.email')} value={email} readOnly autoComplete="username" />
      )}
      {hasAccount ? (
        <PasswordInput
          key="of account"
          label={text('people.password')}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          autoComplete="current-password"
          minLength={10}
          maxLength={1_000}
          required
          autoFocus
        />
      ) : (
        <>
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
        </>
      )}
      {accept.isError && (code !== 'CONFLICT' || isWrong) && (
        <Alert color="red" role="alert">
          {code === 'CONFLICT'
            ? text('invite.wrong')
            : code === 'UNAUTHORIZED'
              ? text('invite.used')
              : errorSentence(error, translator)}
        </Alert>
      )}
      <Button type="submit" loading={accept.isPending}>
        {text(hasAccount ? 'invite.join' : 'invite.submit')}
      </Button>
      <Text size="xs" c="dimmed">
        {text(hasAccount ? 'invite.joinText' : 'invite.once')}
      </Text>
    </SignInFrame>
  );
}
