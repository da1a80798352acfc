import { Alert, Button, Group, PasswordInput, Skeleton, Stack, Table, Text, TextInput } from '@mantine/core';
import { CitewellError, type Passkey } from '@citewell/sdk';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ConfirmButton } from '../../components/confirm-button.js';
import { ErrorNotice, errorSentence } from '../../components/error-notice.js';
import { Form } from '../../components/form.js';
import { DataTable } from '../../components/table.js';
import { useTranslator } from '../../messages/messages.js';
import { request } from '../../client.js';
import { addPasskey, canUsePasskeys } from '../sign-in/passkeys.js';
import { signInOptionsQuery } from '../sign-in/session.js';
import { browserName } from './browser-name.js';

const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: () => request<Passkey[]>('GET', '/passkeys'),
});

/** The passkeys of the account. */
export function OwnPasskeys(): ReactNode {
  const { text, ago, time } = useTranslator();
  const queryClient = useQueryClient();
  const passkeys = useQuery(passkeysQuery);
  const options = useQuery(signInOptionsQuery);
  if (passkeys.isError) return <ErrorNotice error={passkeys.error} onRetry={() => void passkeys.refetch()} />;
  if (passkeys.isPending || options.isPending) return <Skeleton h={80} />;
  const canAdd = options.data !== undefined && canUsePasskeys(options.data);
  return (
    <Stack>
      <Text size="sm" c="dimmed" maw={560}>
        {text(canAdd ? 'passkeys.text' : 'passkeys.unsupported')}
      </Text>
      {passkeys.data.length > 0 && (
        <DataTable
          minWidth={320}
          columns={[text('documents.name'), text('passkeys.lastUsed')]}
          actions={text('people.remove')}
        >
          {passkeys.data.map(({ id, name, lastUsedAt }) => (
            <Table.Tr key={id}>
              <Table.Td>
                <Text size="sm" dir="auto" style={{ overflowWrap: 'anywhere' }}>
                  {name}
                </Text>
              </Table.Td>
              <Table.Td>
                <Text size="sm" c="dimmed" {...(lastUsedAt !== null && { title: time(lastUsedAt) })}>
                  {lastUsedAt === null ? text('passkeys.never') : ago(lastUsedAt)}
                </Text>
              </Table.Td>
              <Table.Td ta="end">
                <ConfirmButton
                  size="xs"
                  title={text('passkeys.removeTitle')}
                  question={text('passkeys.removeText', { name })}
                  confirm={text('people.remove')}
                  action={async () => {
                    await request('DELETE', `/passkeys/${id}`);
                    await queryClient.invalidateQueries({ queryKey: passkeysQuery.queryKey });
                  }}
                >
                  {text('people.remove')}
                </ConfirmButton>
              </Table.Td>
            </Table.Tr>
          ))}
        </DataTable>
      )}
      {canAdd && <AddPasskey />}
    </Stack>
  );
}

function AddPasskey(): ReactNode {
  const translator = useTranslator();
  const { text } = translator;
  const queryClient = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const [name, setName] = useState(browserName(navigator.userAgent) ?? '');
  const [password, setPassword] = useState('');
  const adding = useMutation({
    mutationFn: () => addPasskey(name.trim(), password),
    onSuccess: async () => {
      setIsOpen(false);
      await queryClient.invalidateQueries({ queryKey: passkeysQuery.queryKey });
    },
    onSettled: () => setPassword(''),
  });
  const { error } = adding;
  if (!isOpen)
    return (
      <Group>
        <Button variant="default" onClick={() => setIsOpen(true)}>
          {text('passkeys.add')}
        </Button>
      </Group>
    );
  return (
    <Form onSubmit={() => adding.mutate()} maw={480}>
      <TextInput
        label={text('documents.name')}
        value={name}
        maxLength={255}
        required
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <PasswordInput
        label={text('profile.currentPassword')}
        value={password}
        required
        onChange={(event) => setPassword(event.currentTarget.value)}
        autoComplete="current-password"
      />
      {adding.isError && (
        <Alert color="red" role="alert">
          {!(error instanceof CitewellError)
            ? text('passkeys.failed')
            : error.code === 'INVALID_REQUEST'
              ? text('profile.wrongPassword')
              : errorSentence(error, translator)}
        </Alert>
      )}
      <Button type="submit" loading={adding.isPending}>
        {text('passkeys.add')}
      </Button>
    </Form>
  );
}
