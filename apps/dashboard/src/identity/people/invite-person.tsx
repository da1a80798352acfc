import { Alert, Button, Checkbox, Code, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import type { Language } from '@citewell/contracts/messages';
import { CitewellError, type PersonWithToken, type Role } from '@citewell/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { client } from '../../client.js';
import { CopyButton } from '../../components/copy-button.js';
import { errorSentence } from '../../components/error-notice.js';
import { Form } from '../../components/form.js';
import { datastoresQuery } from '../../content/datasources/content-queries.js';
import { useTranslator } from '../../messages/messages.js';
import { sessionQuery, signInOptionsQuery, useSession } from '../sign-in/session.js';
import {
  closeLibraries,
  InvitedLibraries,
  type LibraryChoice,
  libraryChanges,
  openLibraries,
} from './invited-libraries.js';
import { changeOrganization, isOnlyHere, linkOf, peopleQuery, ROLES, UNNAMED } from './people.js';
import { BASE_PATH, SERVER } from '../../address.js';

/** The address that others reach, as it was typed in this browser. */
const ORIGIN_KEY = 'citewell-origin';

/** Invites a person, and shows the link once. */
export function InvitePerson({ onClose }: { onClose: () => void }): ReactNode {
  const translator = useTranslator();
  const { text } = translator;
  const queryClient = useQueryClient();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('member');
  const [libraries, setLibraries] = useState<LibraryChoice>(new Map());
  const [wantsMail, setWantsMail] = useState(true);
  const options = useQuery(signInOptionsQuery);
  const isMailed = wantsMail && options.data?.passwordReset === true;
  const [isUnnamed] = useState(useSession().organization.name === UNNAMED);
  const [organization, setOrganization] = useState('');
  const invite = useMutation({
    mutationFn: async () => {
      if (isUnnamed) await changeOrganization({ name: organization.trim() });
      const { opened, closed } = libraryChanges(
        await queryClient.fetchQuery({ ...datastoresQuery, staleTime: 0 }),
        role,
        libraries,
      );
      const people = await queryClient.fetchQuery({ ...peopleQuery, staleTime: 0 });
      // An invitation that is refused changes nothing.
      const isTaken = people.some((person) => person.email === email.trim().toLowerCase());
      if (!isTaken) await closeLibraries(closed, people);
      const person = await client.people.invite({
        email: email.trim(),
        role,
        sendMail: isMailed,
        language: translator.language as Language,
      });
      // The link is shown once, whatever follows.
      const hasLibraries = await openLibraries(opened, person).then(
        () => true,
        () => false,
      );
      return { person, hasLibraries };
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: peopleQuery.queryKey });
      await queryClient.invalidateQueries({ queryKey: datastoresQuery.queryKey });
      if (isUnnamed) await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
  });
  if (invite.data) return <CreatedLink {...invite.data} isMailed={isMailed} onClose={onClose} />;
  const { error } = invite;
  const isTaken = error instanceof CitewellError && error.code === 'CONFLICT';
  return (
    <Form onSubmit={() => invite.mutate()}>
      {isUnnamed && (
        <TextInput
          label={text('invite.organization')}
          description={text('invite.organizationText')}
          required
          maxLength={255}
          value={organization}
          onChange={(event) => setOrganization(event.currentTarget.value)}
          data-autofocus
        />
      )}
      <TextInput
        label={text('people.email')}
        type="email"
        required
        maxLength={254}
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        {...(!isUnnamed && { 'data-autofocus': true })}
      />
      <RoleSelect label={text('people.role')} value={role} onChange={setRole} />
      <InvitedLibraries role={role} choice={libraries} onChange={setLibraries} />
      {options.data?.passwordReset && (
        <Checkbox
          label={text('invite.sendMail')}
          checked={wantsMail}
          onChange={(event) => setWantsMail(event.currentTarget.checked)}
        />
      )}
      {invite.isError && (
        <Alert color="red" role="alert">
          {isTaken ? text('people.taken') : errorSentence(error, translator)}
        </Alert>
      )}
      <Button type="submit" loading={invite.isPending}>
        {text('people.createLink')}
      </Button>
    </Form>
  );
}

/** A choice of roles, each with what it may do. */
export function RoleSelect({
  value,
  onChange,
  ...select
}: {
  value: Role;
  onChange: (role: Role) => void;
  label?: string;
  'aria-label'?: string;
  disabled?: boolean;
}): ReactNode {
  const { text } = useTranslator();
  return (
    <NativeSelect
      {...select}
      value={value}
      onChange={({ currentTarget }) => onChange(ROLES.find((role) => role === currentTarget.value) ?? value)}
      data={ROLES.map((role) => ({ value: role, label: text(`role.${role}`) }))}
    />
  );
}

/** The link of a person, which no other response contains. */
export function CreatedLink({
  person,
  hasLibraries = true,
  isMailed = false,
  onClose,
}: {
  person: PersonWithToken;
  /** False: the libraries that were chosen could not be opened. */
  hasLibraries?: boolean;
  /** The server sends it, too. */
  isMailed?: boolean;
  onClose: () => void;
}): ReactNode {
  const { text, time } = useTranslator();
  const [origin, setOrigin] = useState(() => localStorage.getItem(ORIGIN_KEY) ?? location.origin);
  const isUsable = URL.canParse(origin) && /^https?:/.test(origin);
  const session = useSession();
  const link = linkOf(person, isOnlyHere() && isUsable ? new URL(origin).origin + BASE_PATH : SERVER, {
    organization: session.organization.name,
    inviter: session.person?.name ?? null,
  });
  return (
    <Stack>
      <Alert color="yellow">
        {text(isMailed ? 'invite.mailed' : 'people.linkText', {
          email: person.email ?? '',
          time: time(person.linkExpiresAt ?? ''),
        })}
      </Alert>
      {!hasLibraries && (
        <Alert color="red" role="alert">
          {text('invite.notOpened')}
        </Alert>
      )}
      {isOnlyHere() && (
        <TextInput
          label={text('invite.address')}
          description={text('invite.addressText')}
          type="url"
          value={origin}
          onChange={({ currentTarget }) => {
            setOrigin(currentTarget.value);
            localStorage.setItem(ORIGIN_KEY, currentTarget.value);
          }}
        />
      )}
      <Code block data-testid="person-link" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {link}
      </Code>
      <Group justify="space-between">
        <CopyButton value={link} isPrimary />
        <Button variant="default" onClick={onClose}>
          {text('action.close')}
        </Button>
      </Group>
    </Stack>
  );
}
