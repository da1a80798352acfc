import { Button, Stack, TextInput } from '@mantine/core';
import type { IdentityProvider } from '@citewell/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ErrorNotice } from '../../components/error-notice.js';
import { useTexts } from '../../messages/messages.js';
import { identityProviders, identityProvidersQuery } from './identity-providers.js';

/** Adds a provider. Its redirect address is known then, which the provider needs before there is a client id. */
export function AddProvider({ onAdded }: { onAdded: (provider: IdentityProvider) => void }): ReactNode {
  const { text: sso } = useTexts('single-sign-on');
  const queryClient = useQueryClient();
  const [name, setName] = useState('');
  const [issuer, setIssuer] = useState('');
  const add = useMutation({
    mutationFn: () => identityProviders.create({ name: name.trim(), issuer: issuer.trim() }),
    onSuccess: async (provider) => {
      await queryClient.invalidateQueries({ queryKey: identityProvidersQuery.queryKey });
      onAdded(provider);
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    add.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={sso('name')}
          required
          maxLength={255}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        <TextInput
          label={sso('issuer')}
          description={sso('issuerHint')}
          type="url"
          required
          maxLength={1_000}
          value={issuer}
          onChange={(event) => setIssuer(event.currentTarget.value)}
        />
        {add.isError && <ErrorNotice error={add.error} />}
        <Button type="submit" loading={add.isPending}>
          {sso('add')}
        </Button>
      </Stack>
    </form>
  );
}
