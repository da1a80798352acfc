import {
  ActionIcon,
  Button,
  Code,
  Group,
  NativeSelect,
  PasswordInput,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import type {
  CreateIdentityProvider,
  GroupRole,
  IdentityProvider,
  IdentityProviderTest,
  UpdateIdentityProvider,
} from '@citewell/sdk';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { CopyButton } from '../../components/copy-button.js';
import { Icon } from '../../components/icon.js';
import { Form, SubmitButton } from '../../components/form.js';
import { useTexts, useTranslator } from '../../messages/messages.js';
import { RoleSelect } from '../people/invite-person.js';
import { request } from '../../client.js';

const DEFAULT_ROLES = ['member', 'editor'] as const;

/** The settings of a provider, with the address that it needs. */
export function ProviderForm({
  provider,
  onSaved,
}: {
  provider: IdentityProvider;
  onSaved: () => void;
}): ReactNode {
  const { text: sso } = useTexts('single-sign-on');
  const { text } = useTranslator();
  const queryClient = useQueryClient();
  const [clientId, setClientId] = useState(provider.clientId ?? '');
  const [secret, setSecret] = useState('');
  const [scopes, setScopes] = useState(provider.scopes);
  const [domains, setDomains] = useState(provider.emailDomains.join(', '));
  const [defaultRole, setDefaultRole] = useState(provider.defaultRole);
  const [groupsClaim, setGroupsClaim] = useState(provider.groupsClaim);
  const [groupRoles, setGroupRoles] = useState<GroupRole[]>(provider.groupRoles);
  const save = useMutation({
    mutationFn: (body: UpdateIdentityProvider) => identityProviders.update(provider.id, body),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: identityProvidersQuery.queryKey });
      onSaved();
    },
  });
  const submit = (): void => {
    save.mutate({
      clientId: clientId.trim() === '' ? null : clientId.trim(),
      ...(secret !== '' && { clientSecret: secret }),
      scopes: scopes.trim().replace(/\s+/g, ' '),
      emailDomains: domainsIn(domains),
      defaultRole,
      groupsClaim: groupsClaim.trim(),
      groupRoles: groupRoles.filter(({ group }) => group.trim() !== ''),
    });
  };
  return (
    <Form onSubmit={submit}>
      <Stack gap={4}>
        <Text size="sm" fw={500}>
          {sso('redirectUri')}
        </Text>
        <Text size="xs" c="dimmed">
          {sso('redirectHint')}
        </Text>
        <Group gap="xs" wrap="nowrap" align="flex-start">
          <Code
            block
            data-testid="redirect-uri"
            style={{ flex: 1, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
          >
            {provider.redirectUri}
          </Code>
          <CopyButton value={provider.redirectUri} />
        </Group>
      </Stack>
      <TextInput
        label={sso('clientId')}
        maxLength={1_000}
        value={clientId}
        onChange={(event) => setClientId(event.currentTarget.value)}
        autoComplete="off"
      />
      <PasswordInput
        label={sso('clientSecret')}
        {...(provider.hasClientSecret && { description: sso('secretKept') })}
        value={secret}
        onChange={(event) => setSecret(event.currentTarget.value)}
        autoComplete="off"
      />
      <TextInput
        label={sso('scopes')}
        description={sso('scopesHint')}
        value={scopes}
        onChange={(event) => setScopes(event.currentTarget.value)}
      />
      <TextInput
        label={sso('domains')}
        description={sso('domainsHint')}
        value={domains}
        onChange={(event) => setDomains(event.currentTarget.value)}
      />
      <NativeSelect
        label={sso('defaultRole')}
        value={defaultRole ?? ''}
        onChange={({ currentTarget }) =>
          setDefaultRole(DEFAULT_ROLES.find((role) => role === currentTarget.value) ?? null)
        }
        data={[
          { value: '', label: sso('noDefault') },
          ...DEFAULT_ROLES.map((role) => ({ value: role, label: text(`role.${role}`) })),
        ]}
      />
      <TextInput
        label={sso('groupsClaim')}
        maxLength={255}
        required
        value={groupsClaim}
        onChange={(event) => setGroupsClaim(event.currentTarget.value)}
      />
      <GroupRoles value={groupRoles} onChange={setGroupRoles} />
      <SubmitButton of={save}>{text('action.save')}</SubmitButton>
    </Form>
  );
}

/** The role that each group gives. */
function GroupRoles({
  value,
  onChange,
}: {
  value: readonly GroupRole[];
  onChange: (value: GroupRole[]) => void;
}): ReactNode {
  const { text: sso } = useTexts('single-sign-on');
  const { text } = useTranslator();
  const change = (index: number, fields: Partial<GroupRole>): void =>
    onChange(value.map((row, at) => (at === index ? { ...row, ...fields } : row)));
  return (
    <Stack gap="xs" role="group" aria-label={sso('mapping')}>
      <Text size="sm" fw={500}>
        {sso('mapping')}
      </Text>
      {value.map(({ group, role }, index) => (
        // The rows have no identity but their position.
        <Group key={index} gap="xs" wrap="nowrap">
          <TextInput
            style={{ flex: 1 }}
            aria-label={sso('group')}
            placeholder={sso('group')}
            value={group}
            onChange={(event) => change(index, { group: event.currentTarget.value })}
          />
          <RoleSelect
            aria-label={text('people.role')}
            value={role}
            onChange={(chosen) => change(index, { role: chosen })}
          />
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={sso('removeGroup')}
            onClick={() => onChange(value.filter((_, at) => at !== index))}
          >
            <Icon name="trash" size={16} />
          </ActionIcon>
        </Group>
      ))}
      <Button
        variant="default"
        size="xs"
        style={{ alignSelf: 'flex-start' }}
        onClick={() => onChange([...value, { group: '', role: 'member' }])}
      >
        {sso('addGroup')}
      </Button>
    </Stack>
  );
}

const PATH = '/identity-providers';

/** All identity providers of the organization. */
export const identityProvidersQuery = queryOptions({
  queryKey: ['identity-providers'],
  queryFn: () => request<IdentityProvider[]>('GET', PATH),
});

export const identityProviders = {
  create: (body: CreateIdentityProvider) => request<IdentityProvider>('POST', PATH, body),
  update: (id: string, body: UpdateIdentityProvider) =>
    request<IdentityProvider>('PATCH', `${PATH}/${id}`, body),
  remove: (id: string) => request<IdentityProvider>('DELETE', `${PATH}/${id}`),
  test: (id: string) => request<IdentityProviderTest>('POST', `${PATH}/${id}/test`),
};

/** The domains in a text with commas or spaces between them. */
function domainsIn(text: string): string[] {
  return text.split(/[\s,;]+/).filter((domain) => domain !== '');
}
