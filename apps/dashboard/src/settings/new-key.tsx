import { Alert, Button, Checkbox, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import type { Scope } from '@citewell/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { client } from '../client.js';
import { CopyButton } from '../components/copy-button.js';
import { ErrorNotice } from '../components/error-notice.js';
import { useTranslator } from '../messages/messages.js';
import { keysQuery, SCOPES } from './keys.js';

/** Creates a key, and shows it once. */
export function NewKey({ onClose }: { onClose: () => void }): ReactNode {
  const { text } = useTranslator();
  const queryClient = useQueryClient();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<string[]>(['agents:query', 'datastores:query', 'read']);
  const create = useMutation({
    mutationFn: () => client.apiKeys.create({ name: name.trim(), scopes: scopes as Scope[] }),
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
