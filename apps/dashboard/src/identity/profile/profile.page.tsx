import {
  Alert,
  Badge,
  Button,
  Group,
  NativeSelect,
  PasswordInput,
  Skeleton,
  Table,
  Text,
  TextInput,
  Title,
  useMantineColorScheme,
} from '@mantine/core';
import { type ChangeProfile, CitewellError, type Profile } from '@citewell/sdk';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { client } from '../../client.js';
import { ErrorNotice, errorSentence } from '../../components/error-notice.js';
import { Page } from '../../components/page.js';
import { LANGUAGES } from '../../messages/languages.js';
import { useTranslator } from '../../messages/messages.js';
import { NotFound } from '../../components/empty-state.js';
import { sessionQuery, useChooseLanguage, useSession } from '../sign-in/session.js';
import { ToldAboutReaders } from '../../content/readers/reader-list.js';
import { OwnUsage } from '../../tenancy/usage/own-usage.js';
import { ConfirmButton } from '../../components/confirm-button.js';
import { Form } from '../../components/form.js';
import { DataTable } from '../../components/table.js';
import { browserName } from './browser-name.js';
import { OwnPasskeys } from './own-passkeys.js';
import { OwnTokens } from './own-tokens.js';

const sessionsQuery = queryOptions({ queryKey: ['sessions'], queryFn: () => client.session.list() });

const ProviderNotice = lazy(async () => ({
  default: (await import('../provider/provider-notice.js')).ProviderNotice,
}));

/** The account of the person who is signed in. A session that a key has begun has none. */
export function ProfilePage(): ReactNode {
  const { text } = useTranslator();
  const { person, organizations } = useSession();
  if (person === null) return <NotFound />;
  return (
    <Page title={text('profile.title')}>
      <ToldAboutReaders />
      <ProfileForm key={person.id} person={person} />
      {organizations.length > 0 && (
        <>
          <Title order={2}>{text('passkeys.title')}</Title>
          <OwnPasskeys />
        </>
      )}
      <Title order={2}>{text('profile.sessions')}</Title>
      <OwnSessions />
      <Title order={2}>{text('own.tokens')}</Title>
      <OwnTokens />
      <OwnUsage />
    </Page>
  );
}

function ProfileForm({ person }: { person: Profile }): ReactNode {
  const translator = useTranslator();
  const { text, language } = translator;
  const { identityProvider } = useSession();
  const chooseLanguage = useChooseLanguage();
  const queryClient = useQueryClient();
  const [name, setName] = useState(person.name ?? '');
  const [email, setEmail] = useState(person.email ?? '');
  const [password, setPassword] = useState('');
  const [currentPassword, setCurrentPassword] = useState('');
  const isSensitive = password !== '' || email.trim().toLowerCase() !== (person.email ?? '');
  const needsCurrent = person.hasPassword && isSensitive;
  const change = useMutation({
    mutationFn: (changes: ChangeProfile) => client.session.changeProfile(changes),
    onSuccess: async (profile) => {
      setEmail(profile.email ?? '');
      setPassword('');
      setCurrentPassword('');
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
      await queryClient.invalidateQueries({ queryKey: ['sessions'] });
    },
  });
  const submit = (): void => {
    change.mutate({
      ...(name.trim() !== '' && { name: name.trim() }),
      ...(email.trim() !== '' && identityProvider === null && { email: email.trim() }),
      ...(password !== '' && { password }),
      ...(needsCurrent && { currentPassword }),
    });
  };
  const { error } = change;
  const code = error instanceof CitewellError ? error.code : null;
  const isWrongPassword = code === 'INVALID_REQUEST' && needsCurrent;
  return (
    <Form onSubmit={submit} maw={480}>
      <TextInput
        label={text('documents.name')}
        value={name}
        maxLength={255}
        onChange={(event) => setName(event.currentTarget.value)}
        autoComplete="name"
      />
      {identityProvider !== null && (
        <Suspense fallback={null}>
          <ProviderNotice name={identityProvider} />
        </Suspense>
      )}
      <TextInput
        label={text('people.email')}
        type="email"
        value={email}
        maxLength={254}
        readOnly={identityProvider !== null}
        required={password !== '' || person.email !== null}
        onChange={(event) => setEmail(event.currentTarget.value)}
        autoComplete="username"
      />
      {identityProvider === null && (
        <PasswordInput
          label={text('profile.newPassword')}
          description={text('people.passwordRule')}
          value={password}
          minLength={10}
          maxLength={1_000}
          onChange={(event) => setPassword(event.currentTarget.value)}
          autoComplete="new-password"
        />
      )}
      {needsCurrent && (
        <PasswordInput
          label={text('profile.currentPassword')}
          value={currentPassword}
          required
          onChange={(event) => setCurrentPassword(event.currentTarget.value)}
          autoComplete="current-password"
        />
      )}
      <NativeSelect
        label={text('app.language')}
        value={language}
        onChange={({ currentTarget }) => {
          const chosen = LANGUAGE_CODES.find((known) => known === currentTarget.value);
          if (chosen) chooseLanguage(chosen);
        }}
        data={LANGUAGE_CODES.map((value) => ({ value, label: LANGUAGES[value] }))}
      />
      <ThemeChoice />
      {change.isError && (
        <Alert color="red" role="alert">
          {isWrongPassword
            ? text('profile.wrongPassword')
            : code === 'CONFLICT'
              ? text('people.taken')
              : errorSentence(error, translator)}
        </Alert>
      )}
      {change.isSuccess && (
        <Alert color="green" role="status">
          {text('profile.saved')}
          {change.data.emailToConfirm !== undefined &&
            ` ${text('email.sent', { email: change.data.emailToConfirm })}`}
        </Alert>
      )}
      <Button type="submit" loading={change.isPending}>
        {text('action.save')}
      </Button>
    </Form>
  );
}

const THEMES = ['auto', 'light', 'dark'] as const;

/** The colours of this browser. */
function ThemeChoice(): ReactNode {
  const { text } = useTranslator();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <NativeSelect
      label={text('app.theme')}
      value={colorScheme}
      onChange={({ currentTarget }) => {
        const chosen = THEMES.find((theme) => theme === currentTarget.value);
        if (chosen) setColorScheme(chosen);
      }}
      data={THEMES.map((value) => ({ value, label: text(`app.theme.${value}`) }))}
    />
  );
}

const LANGUAGE_CODES = ['en', 'de', 'fr', 'es', 'ja', 'zh'] as const;

/** The browsers in which the person is signed in. */
function OwnSessions(): ReactNode {
  const { text, ago, time } = useTranslator();
  const queryClient = useQueryClient();
  const sessions = useQuery(sessionsQuery);
  if (sessions.isError) return <ErrorNotice error={sessions.error} onRetry={() => void sessions.refetch()} />;
  if (sessions.isPending) return <Skeleton h={80} />;
  return (
    <DataTable
      minWidth={480}
      columns={[text('profile.browser'), text('profile.since')]}
      actions={text('profile.end')}
    >
      {sessions.data.map(({ id, userAgent, createdAt, isCurrent }) => (
        <Table.Tr key={id}>
          <Table.Td>
            <Group gap="xs">
              <Text size="sm" title={userAgent ?? ''}>
                {browserName(userAgent) ?? text('profile.unknownBrowser')}
              </Text>
              {isCurrent && (
                <Badge variant="light" tt="none" fw={500}>
                  {text('profile.current')}
                </Badge>
              )}
            </Group>
          </Table.Td>
          <Table.Td>
            <Text size="sm" c="dimmed" title={time(createdAt)}>
              {ago(createdAt)}
            </Text>
          </Table.Td>
          <Table.Td ta="end">
            {!isCurrent && (
              <ConfirmButton
                size="xs"
                title={text('profile.endTitle')}
                question={text('profile.endText')}
                confirm={text('profile.end')}
                action={async () => {
                  await client.session.delete(id);
                  await queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
                }}
              >
                {text('profile.end')}
              </ConfirmButton>
            )}
          </Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  );
}
