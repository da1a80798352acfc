import {
  Alert,
  Badge,
  Button,
  Code,
  Group,
  Modal,
  Paper,
  Skeleton,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { IdentityProvider } from '@citewell/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ConfirmButton } from '../../components/confirm-button.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Icon } from '../../components/icon.js';
import { useTexts, useTranslator } from '../../messages/messages.js';
import { identityProviders, identityProvidersQuery, ProviderForm } from './provider-form.js';
import { client } from '../../client.js';
import { CopyButton } from '../../components/copy-button.js';
import { keysQuery } from '../keys/keys.js';

/** The identity providers of the organization. */
export function SingleSignOnPanel(): ReactNode {
  const { text } = useTranslator();
  const { text: sso } = useTexts('single-sign-on');
  const [isOpen, { open, close }] = useDisclosure(false);
  const [edited, setEdited] = useState<IdentityProvider | null>(null);
  const providers = useQuery(identityProvidersQuery);
  const closeButtonProps = { 'aria-label': text('action.close') };
  return (
    <Stack>
      <Group justify="space-between" align="flex-start">
        <Text c="dimmed" maw={560}>
          {sso('text')} {sso('guide')}
        </Text>
        <Button leftSection={<Icon name="plus" size={16} />} onClick={open}>
          {sso('add')}
        </Button>
      </Group>
      {providers.isError && <ErrorNotice error={providers.error} onRetry={() => void providers.refetch()} />}
      {providers.isPending && <Skeleton h={120} />}
      {providers.data?.length === 0 && <Text>{sso('none')}</Text>}
      {providers.data?.map((provider) => (
        <ProviderCard key={provider.id} provider={provider} onEdit={() => setEdited(provider)} />
      ))}
      <ScimPanel />
      <Modal opened={isOpen} onClose={close} title={sso('add')} size="lg" centered {...{ closeButtonProps }}>
        <AddProvider
          onAdded={(provider) => {
            close();
            setEdited(provider);
          }}
        />
      </Modal>
      <Modal
        opened={edited !== null}
        onClose={() => setEdited(null)}
        title={edited?.name}
        size="lg"
        centered
        {...{ closeButtonProps }}
      >
        {edited && <ProviderForm provider={edited} onSaved={() => setEdited(null)} />}
      </Modal>
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

/** The address and the token with which an identity provider manages people and groups. */
export function ScimPanel(): ReactNode {
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
        <CopiedValue label={sso('scimAddress')} value={`${location.origin}/scim/v2`} />
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
