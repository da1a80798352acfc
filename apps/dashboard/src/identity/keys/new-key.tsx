import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { client } from '../../client.js';
import { CopyButton } from '../../components/copy-button.js';
import { useTranslator } from '../../messages/messages.js';
import { type KeyFields, KeyForm } from './key-form.js';
import { keysQuery, SCOPES } from './keys.js';

/** Days after which a key expires. The first is the default; 0 is never. */
const LIFETIMES = [90, 30, 365, 0] as const;
const DAY_MS = 24 * 60 * 60_000;

/** Creates a key, and shows it once. */
export function NewKey({ onClose }: { onClose: () => void }): ReactNode {
  const { text } = useTranslator();
  const queryClient = useQueryClient();
  const create = useMutation({
    mutationFn: ({ days, ...fields }: KeyFields) =>
      client.apiKeys.create({
        ...fields,
        ...(days > 0 && { expiresAt: new Date(Date.now() + days * DAY_MS).toISOString() }),
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keysQuery.queryKey }),
  });
  if (create.data) return <CreatedKey apiKey={create.data.key} onClose={onClose} />;
  return (
    <KeyForm
      scopes={SCOPES}
      lifetimes={LIFETIMES}
      action={text('settings.createKey')}
      creation={create}
      onSubmit={create.mutate}
    />
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
