import { Button, Checkbox, Group, Stack, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Person, PersonWithToken, Role } from '@citewell/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { client } from '../../client.js';
import { ConfirmButton } from '../../components/confirm-button.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { QueryState } from '../../components/query.js';
import { DataTable, ListHeader } from '../../components/table.js';
import { Dialog } from '../../components/dialog.js';
import { useTranslator } from '../../messages/messages.js';
import { CreatedLink, InvitePerson, RoleSelect } from './invite-person.js';
import { OrganizationName } from './organization-name.js';
import { changeOrganization, isLastOwner, peopleQuery } from './people.js';
import { sessionQuery, useSession } from '../sign-in/session.js';

/** The people of the organization, with their roles. */
export function PeoplePanel(): ReactNode {
  const { text } = useTranslator();
  const [isOpen, { open, close }] = useDisclosure(false);
  const people = useQuery(peopleQuery);
  const { name } = useSession().organization;
  return (
    <Stack>
      <ListHeader add={text('people.invite')} onAdd={open}>
        {text('people.text')}
      </ListHeader>
      <QueryState of={people} height={160} />
      {people.data && people.data.length > 0 && (
        <DataTable
          minWidth={680}
          columns={[text('documents.name'), text('people.role'), text('people.lastSignIn')]}
          actions={text('people.remove')}
        >
          {people.data.map((person) => (
            <PersonRow key={person.id} person={person} isLast={isLastOwner(person, people.data)} />
          ))}
        </DataTable>
      )}
      <OwnersRead />
      <OrganizationName key={name} />
      <Dialog opened={isOpen} onClose={close} title={text('people.invite')} size="lg">
        <InvitePerson onClose={close} />
      </Dialog>
    </Stack>
  );
}

function PersonRow({ person, isLast }: { person: Person; isLast: boolean }): ReactNode {
  const { text, ago, time } = useTranslator();
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: peopleQuery.queryKey });
  const change = useMutation({
    mutationFn: (role: Role) => client.people.update(person.id, { role }),
    onSettled: refresh,
  });
  const { id, name, email, role, lastSignInAt, linkExpiresAt } = person;
  const shown = name ?? email ?? text('people.unnamed');
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" dir="auto">
          {shown}
        </Text>
        {name !== null && (
          <Text size="xs" c="dimmed">
            {email}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <RoleSelect
          aria-label={text('people.roleOf', { name: shown })}
          value={change.variables && change.isPending ? change.variables : role}
          onChange={(chosen) => change.mutate(chosen)}
          disabled={isLast}
        />
        {change.isError && <ErrorNotice error={change.error} />}
      </Table.Td>
      <Table.Td>
        <Text size="sm" c="dimmed" {...(lastSignInAt !== null && { title: time(lastSignInAt) })}>
          {person.disabled
            ? text('people.disabled')
            : lastSignInAt === null
              ? text('people.invited', { time: time(linkExpiresAt ?? person.createdAt) })
              : ago(lastSignInAt)}
        </Text>
      </Table.Td>
      <Table.Td>
        <Group gap="xs" justify="flex-end" wrap="nowrap">
          {email !== null && <NewLinkButton id={id} />}
          {!isLast && (
            <ConfirmButton
              size="xs"
              title={text('people.removeTitle')}
              question={text('people.removeText', { name: shown })}
              confirm={text('people.remove')}
              action={async () => {
                await client.people.delete(id);
                await refresh();
              }}
            >
              {text('people.remove')}
            </ConfirmButton>
          )}
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

/** Creates a link for a forgotten password, or an invitation that has expired. */
function NewLinkButton({ id }: { id: string }): ReactNode {
  const { text } = useTranslator();
  const queryClient = useQueryClient();
  const [person, setPerson] = useState<PersonWithToken | null>(null);
  const create = useMutation({
    mutationFn: () => client.people.createLink(id),
    onSuccess: async (created) => {
      setPerson(created);
      await queryClient.invalidateQueries({ queryKey: peopleQuery.queryKey });
    },
  });
  const close = (): void => setPerson(null);
  return (
    <>
      <Button size="xs" variant="default" loading={create.isPending} onClick={() => create.mutate()}>
        {text('people.newLink')}
      </Button>
      <Dialog
        opened={person !== null || create.isError}
        onClose={() => (close(), create.reset())}
        title={text('people.newLink')}
        size="lg"
      >
        {create.isError && <ErrorNotice error={create.error} />}
        {person && <CreatedLink person={person} onClose={close} />}
      </Dialog>
    </>
  );
}

/** Whether owners read the conversations of people. */
function OwnersRead(): ReactNode {
  const { text, time } = useTranslator();
  const queryClient = useQueryClient();
  const { name, ownersReadConversationsSince: since } = useSession().organization;
  const change = useMutation({
    mutationFn: (ownersReadConversations: boolean) => changeOrganization({ ownersReadConversations }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  });
  return (
    <Stack gap="xs" maw={640}>
      <Checkbox
        label={text('own.setting')}
        description={text('own.settingText')}
        checked={change.isPending ? change.variables : since !== null}
        disabled={change.isPending}
        onChange={({ currentTarget }) => change.mutate(currentTarget.checked)}
      />
      {since !== null && (
        <Text size="sm" role="status">
          {text('own.told', { organization: name, time: time(since) })}
        </Text>
      )}
      {change.isError && <ErrorNotice error={change.error} />}
    </Stack>
  );
}
