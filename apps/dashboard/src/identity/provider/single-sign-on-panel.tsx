import { Alert, Badge, Button, Code, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { IdentityProvider } from '@citewell/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ConfirmButton } from '../../components/confirm-button.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Dialog } from '../../components/dialog.js';
import { useTexts } from '../../messages/messages.js';
import { identityProviders, identityProvidersQuery, ProviderForm } from './provider-form.js';
import { client } from '../../client.js';
import { CopyButton } from '../../components/copy-button.js';
import { Form, SubmitButton } from '../../components/form.js';
import { QueryState } from '../../components/query.js';
import { ListHeader } from '../../components/table.js';
import { keysQuery } from '../keys/keys.js';
import { SERVER } from '../../address.js';

/** The identity providers of the organization. */
export function SingleSignOnPanel(): ReactNode {
  const { text: sso } = useTexts('single-sign-on');
  const [isOpen, { open, close }] = useDisclosure(false);
  const [edited, setEdited] = useState<IdentityProvider | null>(null);
  const providers = useQuery(identityProvidersQuery);
  return (
    <Stack>
      <ListHeader add={sso('add')} onAdd={open}>
        {sso('text')} {sso('guide')}
      </ListHeader>
      <QueryState of={providers} height={120} />
      {providers.data?.length === 0 && <Text>{sso('none')}</Text>}
      {providers.data?.map((provider) => (
        <ProviderCard key={provider.id} provider={provider} onEdit={() => setEdited(provider)} />
      ))}
      <ScimPanel />
      <Dialog opened={isOpen} onClose={close} title={sso('add')} size="lg">
        <AddProvider
          onAdded={(provider) => {
            close();
            setEdited(provider);
          }}
        />
      </Dialog>
      <Dialog opened={edited !== null} onClose={() => setEdited(null)} title={edited?.name} size="lg">
        {edited && <ProviderForm provider={edited} onSaved={() => setEdited(null)} />}
      </Dialog>
    </Stack>
  );
}

function ProviderCard({ provider, onEdit }: { provider: IdentityProvider; onEdit: () => void }): ReactNode {
  const { text: sso } = useTexts('single-sign-on');
  const queryClient = useQueryClient();
  const { id, name, issuer, clientId } = provider;
  const test = useMutation({ mutationFn: () => identityProviders.test(id) });
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" align="flex-start">
        <Stack gap={4} miw={0}>
          <Group gap="xs">
            <Text fw={600}>{name}</Text>
            <Badge variant="default">{sso(clientId === null ? 'unfinished' : 'ready')}</Badge>
          </Group>
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {issuer}
          </Text>
        </Stack>
        <Group gap="xs">
          <Button size="xs" variant="default" loading={test.isPending} onClick={() => test.mutate()}>
            {sso('test')}
          </Button>
          <Button size="xs" variant="default" onClick={onEdit}>
            {sso('edit')}
          </Button>
          <ConfirmButton
            size="xs"
            title={sso('removeTitle')}
            question={sso('removeText', { name })}
            confirm={sso('remove')}
            action={async () => {
              await identityProviders.remove(id);
              await queryClient.invalidateQueries({ queryKey: identityProvidersQuery.queryKey });
            }}
          >
            {sso('remove')}
          </ConfirmButton>
        </Group>
      </Group>
      {test.isError && <ErrorNotice error={test.error} />}
      {test.data && (
        <Alert mt="sm" color={test.data.ok ? 'green' : 'red'} role={test.data.ok ? 'status' : 'alert'}>
          {test.data.message ?? sso('works')}
        </Alert>
      )}
    </Paper>
  );
}

/** Adds a provider. Its redirect address is known then, which the provider needs before there is a client id. */
function AddProvider({ onAdded }: { onAdded: (provider: IdentityProvider) => void }): ReactNode {
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
  return (
    <Form onSubmit={() => add.mutate()}>
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
      <SubmitButton of={add}>{sso('add')}</SubmitButton>
    </Form>
  );
}

/** The address and the token with which an identity provider manages people and groups. */
function ScimPanel(): ReactNode {
  const { text: sso } = useTexts('single-sign-on');
  const queryClient = useQueryClient();
  const create = useMutation({
    mutationFn: () => client.apiKeys.create({ name: 'SCIM', scopes: ['scim'] }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keysQuery.queryKey }),
  });
  return (
    <Paper withBorder p="md">
      <Stack>
        <Title order={2} size="h4">
          {sso('scimTitle')}
        </Title>
        <Text size="sm" c="dimmed" maw={640}>
          {sso('scimText')}
        </Text>
        <CopiedValue label={sso('scimAddress')} value={`${SERVER}/scim/v2`} />
        {create.data && (
          <>
            <Alert color="yellow">{sso('scimOnce')}</Alert>
            <CopiedValue label={sso('scimToken')} value={create.data.key} />
          </>
        )}
        {create.isError && <ErrorNotice error={create.error} />}
        <Button
          variant="default"
          style={{ alignSelf: 'flex-start' }}
          loading={create.isPending}
          onClick={() => create.mutate()}
        >
          {sso('scimCreate')}
        </Button>
      </Stack>
    </Paper>
  );
}

function CopiedValue({ label, value }: { label: string; value: string }): ReactNode {
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <Code block style={{ flex: 1, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {value}
        </Code>
        <CopyButton value={value} />
      </Group>
    </Stack>
  );
}
