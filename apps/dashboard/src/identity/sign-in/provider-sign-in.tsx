import { Alert, Button, Divider, Stack } from '@mantine/core';
import type { SignInProviders } from '@citewell/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { errorSentence } from '../../components/error-notice.js';
import { useTexts, useTranslator } from '../../messages/messages.js';
import { request } from '../../client.js';
import { BASE_PATH } from '../../address.js';

type Provider = SignInProviders['providers'][number];

/** Signs in at an identity provider: a button for each, or the one for the e-mail. */
export function ProviderSignIn({ email, failure }: { email: string; failure: string | null }): ReactNode {
  const { text: sso, textOr } = useTexts('single-sign-on');
  const offered = useQuery({
    queryKey: ['sign-in-providers'],
    queryFn: () => request<SignInProviders>('GET', '/session/providers'),
    staleTime: Infinity,
  });
  const { providers = [], byEmail = false } = offered.data ?? {};
  return (
    <Stack gap="sm">
      {failure !== null && (
        <Alert color="red" role="alert">
          {textOr(`failed.${failure}`, sso('failed.invalid-response'))}
        </Alert>
      )}
      {providers.map((provider) => (
        <ProviderButton key={provider.id} provider={provider} />
      ))}
      {byEmail && <ByEmail email={email} />}
      {(byEmail || providers.length > 0) && <Divider label={sso('or')} />}
    </Stack>
  );
}

/** A link, because the provider is another site. */
function ProviderButton({ provider: { id, name } }: { provider: Provider }): ReactNode {
  const { text: sso } = useTexts('single-sign-on');
  return (
    <Button component="a" href={startOf(id)} variant="default">
      {sso('signInAt', { name })}
    </Button>
  );
}

/** Finds the providers of the e-mail. The only one opens at once. */
function ByEmail({ email }: { email: string }): ReactNode {
  const translator = useTranslator();
  const { text: sso } = useTexts('single-sign-on');
  const found = useMutation({
    mutationFn: () => request<SignInProviders>('POST', '/session/providers', { email: email.trim() }),
    onSuccess: ({ providers: [first, second] }) => {
      if (first && !second) location.assign(startOf(first.id));
    },
  });
  const providers = found.data?.providers;
  const find = (): void => {
    if (email.trim() !== '') found.mutate();
  };
  return (
    <>
      <Button
        variant="default"
        loading={found.isPending}
        disabled={email.trim() === ''}
        onClick={find}
        {...(email.trim() === '' && { title: sso('enterEmail') })}
      >
        {sso('byEmail')}
      </Button>
      {providers?.length === 0 && <Alert color="yellow">{sso('noProvider')}</Alert>}
      {providers &&
        providers.length > 1 &&
        providers.map((provider) => <ProviderButton key={provider.id} provider={provider} />)}
      {found.isError && (
        <Alert color="red" role="alert">
          {errorSentence(found.error, translator)}
        </Alert>
      )}
    </>
  );
}

/** Afterwards, the person is on the present page. */
function startOf(id: string): string {
  const returnTo = encodeURIComponent(`${location.pathname}${location.search}`);
  return `${BASE_PATH}/api/session/oidc/${id}/start?returnTo=${returnTo}`;
}
