import { Alert, Button, Checkbox, Code, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import type { Scope } from '@citewell/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { client } from '../client.js';
import { CopyButton } from '../components/copy-button.js';
import { ErrorNotice } from '../components/error-notice.js';
import { useTranslator } from '../messages/messages.js';
import { keysQuery, SCOPES } from './keys.js';

/** Days after which a key expires. The first is the default; 0 is never. */
const LIFETIMES = [90, 30, 365, 0] as const;
const DAY_MS = 24 * 60 * 60_000;

/** Creates a key, and shows it once. */
export function NewKey({ onClose }: { onClose: () => void }): ReactNode {
  const { text, counted } = useTranslator();
  const queryClient = useQueryClient();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<string[]>(['agents:query', 'datastores:query', 'read']);
  const [days, setDays] = useState<number>(LIFETIMES[0]);
  const create = useMutation({
    mutationFn: () =>
      client.apiKeys.create({
        name: name.trim(),
        scopes: scopes as Scope[],
        ...(days > 0 && { expiresAt: new Date(Date.now() + days * DAY_MS).toISOString() }),
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keysQuery.queryKey }),
  });
  if (create.data) return <CreatedKey apiKey={create.data.key} onClose={onClose} />;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    create.mutate();
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
            {SCOPES.map((scope) => (
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
            label: value === 0 ? text('settings.keyNoEnd') : counted('settings.keyDays', value),
          }))}
        />
        {create.isError && <ErrorNotice error={create.error} />}
        <Button type="submit" loading={create.isPending} disabled={name.trim() === '' || scopes.length === 0}>
          {text('settings.createKey')}
        </Button>
      </Stack>
    </form>
  );
}

function CreatedKey({ apiKey, onClose }: { apiKey: string; onClose: () => void }): ReactNode {
  const { text } = useTranslator();
  const call = `curl ${location.origin}/api/agents -H "Authorization: Bearer ${apiKey}"`;
  return (
    <Stack>
      <Alert color="yellow">{text('settings.keyCreated')}</Alert>
      <Code block data-testid="new-key">
        {apiKey}
      </Code>
      <Text size="sm">{text('settings.keyTry')}</Text>
      <Code block>{call}</Code>
      <Group justify="space-between">
        <Group gap="xs">
          <CopyButton value={apiKey} />
          <CopyButton value={call} label="curl" />
        </Group>
        <Button onClick={onClose}>{text('action.close')}</Button>
      </Group>
    </Stack>
  );
}
