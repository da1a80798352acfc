import { Alert, Badge, Button, Code, Group, Stack, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Token, TokenWithSecret } from '@citewell/sdk';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { request } from '../../client.js';
import { ConfirmButton } from '../../components/confirm-button.js';
import { CopyButton } from '../../components/copy-button.js';
import { QueryState } from '../../components/query.js';
import { DataTable, ListHeader } from '../../components/table.js';
import { Dialog } from '../../components/dialog.js';
import { useTranslator } from '../../messages/messages.js';
import { useSession } from '../sign-in/session.js';
import { type KeyFields, KeyForm } from '../keys/key-form.js';
import { SCOPES } from '../keys/keys.js';

/** The first is the default. */
const TOKEN_LIFETIMES_DAYS = [90, 30, 7, 365] as const;

const tokensQuery = queryOptions({
  queryKey: ['tokens'],
  queryFn: () => request<Token[]>('GET', '/tokens'),
});

/** The personal access tokens of the person. */
export function OwnTokens(): ReactNode {
  const { text } = useTranslator();
  const queryClient = useQueryClient();
  const [isOpen, { open, close }] = useDisclosure(false);
  const [created, setCreated] = useState<TokenWithSecret | null>(null);
  const tokens = useQuery(tokensQuery);
  const refresh = () => queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey });
  const end = (): void => (close(), setCreated(null));
  return (
    <Stack>
      <ListHeader add={text('own.newToken')} onAdd={open} variant="default">
        {text('own.tokensText')}
      </ListHeader>
      <QueryState of={tokens} height={80} />
      {tokens.data && tokens.data.length > 0 && <TokenTable tokens={tokens.data} onChange={refresh} />}
      <Dialog opened={isOpen} onClose={end} title={text('own.newToken')} size="lg">
        {created === null ? (
          <NewToken
            onCreated={async (token) => {
              setCreated(token);
              await refresh();
            }}
          />
        ) : (
          <Stack>
            <Alert color="yellow">{text('own.tokenCreated')}</Alert>
            <Code block data-testid="new-token">
              {created.token}
            </Code>
            <Group justify="space-between">
              <CopyButton value={created.token} />
              <Button onClick={end}>{text('action.close')}</Button>
            </Group>
          </Stack>
        )}
      </Dialog>
    </Stack>
  );
}

function TokenTable({
  tokens,
  onChange,
}: {
  tokens: readonly Token[];
  onChange: () => Promise<void>;
}): ReactNode {
  const { text, time } = useTranslator();
  return (
    <DataTable
      minWidth={560}
      columns={[
        text('documents.name'),
        text('settings.keyStart'),
        text('settings.keyRights'),
        text('settings.keyExpires'),
      ]}
      actions={text('settings.revoke')}
    >
      {tokens.map(({ id, name, prefix, scopes, expiresAt }) => (
        <Table.Tr key={id}>
          <Table.Td dir="auto">{name}</Table.Td>
          <Table.Td ff="monospace">{prefix}…</Table.Td>
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
            <Text size="sm" c="dimmed">
              {time(expiresAt)}
            </Text>
          </Table.Td>
          <Table.Td ta="end">
            <ConfirmButton
              size="xs"
              title={text('own.revokeTitle')}
              question={text('settings.revokeText', { name })}
              confirm={text('own.revokeToken')}
              action={async () => {
                await request('DELETE', `/tokens/${id}`);
                await onChange();
              }}
            >
              {text('settings.revoke')}
            </ConfirmButton>
          </Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  );
}

/** Creates a token, with scopes of the person's role. */
function NewToken({ onCreated }: { onCreated: (token: TokenWithSecret) => Promise<void> }): ReactNode {
  const { text } = useTranslator();
  const session = useSession();
  const create = useMutation({
    mutationFn: ({ days, ...fields }: KeyFields) =>
      request<TokenWithSecret>('POST', '/tokens', { ...fields, expiresInDays: days }),
    onSuccess: onCreated,
  });
  return (
    <KeyForm
      scopes={SCOPES.filter((scope) => session.scopes.includes(scope))}
      lifetimes={TOKEN_LIFETIMES_DAYS}
      action={text('own.createToken')}
      creation={create}
      onSubmit={create.mutate}
    />
  );
}
