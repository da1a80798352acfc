import { Alert, Badge, Button, Code, Group, Stack, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ApiKey } from '@citewell/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { client } from '../../client.js';
import { CopyButton } from '../../components/copy-button.js';
import { ariaSort, SortButton } from '../../components/sort-button.js';
import { type SortValues, useSorting } from '../../components/sorting.js';
import { QueryState } from '../../components/query.js';
import { DataTable, ListHeader } from '../../components/table.js';
import { useTranslator } from '../../messages/messages.js';
import { useSession } from '../sign-in/session.js';
import { type KeyFields, KeyForm } from './key-form.js';
import { keysQuery, RevokeButton, SCOPES } from './keys.js';
import { Dialog } from '../../components/dialog.js';
import { SERVER } from '../../address.js';

/** The first is the default; 0 is never. */
const KEY_LIFETIMES_DAYS = [90, 30, 365, 0] as const;

const DAY_MS = 24 * 60 * 60_000;

const SORT_VALUES: SortValues<ApiKey, 'name' | 'created' | 'expires'> = {
  name: ({ name }) => name,
  created: ({ createdAt }) => Date.parse(createdAt),
  expires: ({ expiresAt }) => (expiresAt === null ? Infinity : Date.parse(expiresAt)),
};

/** The API keys of the organization. */
export function KeysPanel(): ReactNode {
  const { text, language } = useTranslator();
  const { scopes } = useSession();
  const [isOpen, { open, close }] = useDisclosure(false);
  const isAdministrator = scopes.includes('admin');
  const keys = useQuery({ ...keysQuery, enabled: isAdministrator });
  const { sorted, sorting, sortBy } = useSorting(keys.data ?? [], SORT_VALUES, language);
  const header = (column: keyof typeof SORT_VALUES, label: string): ReactNode => (
    <Table.Th aria-sort={ariaSort(sorting, column)}>
      <SortButton label={label} column={column} sorting={sorting} onSort={sortBy} />
    </Table.Th>
  );
  if (!isAdministrator) return <Text>{text('settings.noRights')}</Text>;
  return (
    <Stack>
      <ListHeader add={text('settings.newKey')} onAdd={open}>
        {text('settings.keysText')}
      </ListHeader>
      <QueryState of={keys} height={160} />
      {keys.data && (
        <DataTable
          minWidth={560}
          columns={[
            header('name', text('documents.name')),
            text('settings.keyStart'),
            text('settings.keyRights'),
            header('created', text('settings.created')),
            header('expires', text('settings.keyExpires')),
          ]}
          actions={text('settings.revoke')}
        >
          {sorted.map((key) => (
            <KeyRow key={key.id} apiKey={key} />
          ))}
        </DataTable>
      )}
      <Dialog opened={isOpen} onClose={close} title={text('settings.newKey')} size="lg">
        <NewKey onClose={close} />
      </Dialog>
    </Stack>
  );
}

function KeyRow({ apiKey }: { apiKey: ApiKey }): ReactNode {
  const { id, name, prefix, scopes, createdAt, expiresAt, person } = apiKey;
  const { text, ago, time } = useTranslator();
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" dir="auto">
          {name}
        </Text>
        {person && (
          <Text size="xs" c="dimmed">
            {text('own.tokenOf', { name: person.name ?? text('own.somebody') })}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Text size="sm" ff="monospace">
          {prefix}…
        </Text>
      </Table.Td>
      <Table.Td>
        <Group gap={4}>
          {scopes.map((scope) => (
            <Badge key={scope} variant="light" tt="none" fw={500}>
              {scope}
            </Badge>
          ))}
        </Group>
      </Table.Td>
      <Table.Td>
        <Text size="sm" c="dimmed" title={time(createdAt)}>
          {ago(createdAt)}
        </Text>
      </Table.Td>
      <Table.Td>
        <Text size="sm" c="dimmed">
          {expiresAt === null ? text('settings.keyNoEnd') : time(expiresAt)}
        </Text>
      </Table.Td>
      <Table.Td ta="end">
        <RevokeButton id={id} name={name} />
      </Table.Td>
    </Table.Tr>
  );
}

/** Creates a key, and shows it once. */
function NewKey({ onClose }: { onClose: () => void }): ReactNode {
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
      lifetimes={KEY_LIFETIMES_DAYS}
      action={text('settings.createKey')}
      creation={create}
      onSubmit={create.mutate}
    />
  );
}

function CreatedKey({ apiKey, onClose }: { apiKey: string; onClose: () => void }): ReactNode {
  const { text } = useTranslator();
  const call = `curl ${SERVER}/api/agents -H "Authorization: Bearer ${apiKey}"`;
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
