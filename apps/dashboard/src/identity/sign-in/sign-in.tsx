import { Alert, Anchor, Button, PasswordInput, Text, TextInput } from '@mantine/core';
import { CitewellError } from '@citewell/sdk';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { errorSentence } from '../../components/error-notice.js';
import { useTranslator } from '../../messages/messages.js';
import { canUsePasskeys } from './passkeys.js';
import { SignInFrame, useSignIn } from './sign-in-frame.js';
import { signInOptionsQuery } from './session.js';

const RequestReset = lazy(async () => ({ default: (await import('./request-reset.js')).RequestReset }));

const ProviderSignIn = lazy(async () => ({
  default: (await import('./provider-sign-in.js')).ProviderSignIn,
}));

/** Signs in with e-mail and password, or with an API key. */
export function SignIn({
  hadUsedLink,
  hadSession,
  providerFailure,
}: {
  hadUsedLink: boolean;
  hadSession: boolean;
  /** Why the sign-in at an identity provider failed. */
  providerFailure: string | null;
}): ReactNode {
  const translator = useTranslator();
  const { text } = translator;
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [key, setKey] = useState('');
  const signIn = useSignIn();
  const [isForgotten, setIsForgotten] = useState(false);
  const [isWithKey, setIsWithKey] = useState(false);
  const options = useQuery(signInOptionsQuery);
  const { error, variables } = signIn;
  const isRefused = error instanceof CitewellError && error.code === 'UNAUTHORIZED';
  const hasTried = (way: 'passkey' | 'email'): boolean =>
    variables === 'passkey' ? way === 'passkey' : way === 'email' && variables?.email !== undefined;
  const sentence = !signIn.isError
    ? null
    : isRefused && hasTried('email')
      ? text('signIn.wrong')
      : hasTried('passkey') && (isRefused || !(error instanceof CitewellError))
        ? text(isRefused ? 'passkeys.refused' : 'passkeys.failed')
        : errorSentence(error, translator);
  if (isForgotten)
    return (
      <Suspense fallback={null}>
        <RequestReset email={email} onBack={() => setIsForgotten(false)} />
      </Suspense>
    );
  return (
    <SignInFrame
      title={text('signIn.title')}
      onSubmit={() => signIn.mutate(isWithKey ? { key: key.trim() } : { email: email.trim(), password })}
    >
      {hadUsedLink && <Alert color="yellow">{text('signIn.usedLink')}</Alert>}
      {hadSession && <Alert color="yellow">{text('signIn.ended')}</Alert>}
      {isWithKey ? (
        <PasswordInput
          label={text('signIn.key')}
          description={text('signIn.text')}
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
          autoComplete="off"
          required
          autoFocus
        />
      ) : (
        <>
          <Suspense fallback={null}>
            <ProviderSignIn email={email} failure={providerFailure} />
          </Suspense>
          <TextInput
            label={text('people.email')}
            type="email"
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            autoComplete="username"
            required
            autoFocus
          />
          <PasswordInput
            label={text('people.password')}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            autoComplete="current-password"
            required
          />
        </>
      )}
      {!isWithKey && options.data?.passwordReset && (
        <Button
          variant="subtle"
          size="compact-sm"
          style={{ alignSelf: 'flex-start' }}
          onClick={() => setIsForgotten(true)}
        >
          {text('reset.forgotten')}
        </Button>
      )}
      {sentence && (
        <Alert color="red" role="alert">
          {sentence}
        </Alert>
      )}
      <Button type="submit" loading={signIn.isPending}>
        {text('signIn.submit')}
      </Button>
      {!isWithKey && options.data && canUsePasskeys(options.data) && (
        <Button variant="default" disabled={signIn.isPending} onClick={() => signIn.mutate('passkey')}>
          {text('passkeys.signIn')}
        </Button>
      )}
      <Anchor
        component="button"
        type="button"
        size="sm"
        style={{ alignSelf: 'flex-start' }}
        onClick={() => {
          signIn.reset();
          setIsWithKey(!isWithKey);
        }}
      >
        {text(isWithKey ? 'signIn.usePassword' : 'signIn.useKey')}
      </Anchor>
      {isWithKey && (
        <Text size="xs" c="dimmed">
          {text('signIn.where')}
        </Text>
      )}
    </SignInFrame>
  );
}
