import { Button, Checkbox, NativeSelect, Stack, TextInput } from '@mantine/core';
import type { CreateToken, Scope, TokenWithSecret } from '@citewell/sdk';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { request } from '../request.js';
import { ErrorNotice } from '../components/error-notice.js';
import { useTranslator } from '../messages/messages.js';
import { useSession } from '../session/use-session.js';
import { SCOPES } from '../settings/keys.js';

/** Days after which a token expires. The first is the default. */
const LIFETIMES = [90, 30, 7, 365] as const;

/** Creates a token, with scopes of the person's role. */
export function NewToken({ onCreated }: { onCreated: (token: TokenWithSecret) => Promise<void> }): ReactNode {
  const { text, counted } = useTranslator();
  const session = useSession();
  const own = SCOPES.filter((scope) => session.scopes.includes(scope));
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<string[]>(['agents:query', 'datastores:query', 'read']);
  const [days, setDays] = useState<number>(LIFETIMES[0]);
  const create = useMutation({
    mutationFn: (body: CreateToken) => request<TokenWithSecret>('POST', '/tokens', body),
    onSuccess: onCreated,
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    create.mutate({ name: name.trim(), scopes: scopes as Scope[], expiresInDays: days });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={text('settings.keyName')}
          required
          maxLength={255}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        <Checkbox.Group label={text('settings.keyRights')} value={scopes} onChange={setScopes}>
          <Stack gap="xs" mt="xs">
            {own.map((scope) => (
              <Checkbox key={scope} value={scope} label={text(`scope.${scope}`)} description={scope} />
            ))}
          </Stack>
        </Checkbox.Group>
        <NativeSelect
          label={text('settings.keyLifetime')}
          value={days}
          onChange={({ currentTarget }) => setDays(Number(currentTarget.value))}
          data={LIFETIMES.map((value) => ({
            value: String(value),
            label: counted('settings.keyDays', value),
          }))}
        />
        {create.isError && <ErrorNotice error={create.error} />}
        <Button type="submit" loading={create.isPending} disabled={name.trim() === '' || scopes.length === 0}>
          {text('own.createToken')}
        </Button>
      </Stack>
    </form>
  );
}
