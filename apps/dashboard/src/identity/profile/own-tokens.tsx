import { Alert, Badge, Button, Code, Group, Modal, Skeleton, Stack, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Token, TokenWithSecret } from '@citewell/sdk';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { request } from '../../client.js';
import { ConfirmButton } from '../../components/confirm-button.js';
import { CopyButton } from '../../components/copy-button.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Icon } from '../../components/icon.js';
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
      <Group justify="space-between" align="flex-start">
        <Text c="dimmed" maw={560}>
          {text('own.tokensText')}
        </Text>
        <Button variant="default" leftSection={<Icon name="plus" size={16} />} onClick={open}>
          {text('own.newToken')}
        </Button>
      </Group>
      {tokens.isError && <ErrorNotice error={tokens.error} onRetry={() => void tokens.refetch()} />}
      {tokens.isPending && <Skeleton h={80} />}
      {tokens.data && tokens.data.length > 0 && <TokenTable tokens={tokens.data} onChange={refresh} />}
      <Modal
        opened={isOpen}
        onClose={end}
        title={text('own.newToken')}
        size="lg"
        centered
        closeButtonProps={{ 'aria-label': text('action.close') }}
      >
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
      </Modal>
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
    <Table.ScrollContainer minWidth={560}>
      <Table verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{text('documents.name')}</Table.Th>
            <Table.Th>{text('settings.keyStart')}</Table.Th>
            <Table.Th>{text('settings.keyRights')}</Table.Th>
            <Table.Th>{text('settings.keyExpires')}</Table.Th>
            <Table.Th aria-label={text('settings.revoke')} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
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
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
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
