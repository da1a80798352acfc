import { Button, Group, Skeleton, Stack, Table, Text, TextInput } from '@mantine/core';
import type { Group as PeopleGroup } from '@citewell/sdk';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ConfirmButton } from '../../components/confirm-button.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Dialog } from '../../components/dialog.js';
import { SidePanel } from '../../components/page.js';
import { Form, SubmitButton } from '../../components/form.js';
import { QueryState } from '../../components/query.js';
import { DataTable, ListHeader } from '../../components/table.js';
import { ReaderList, ReaderSearch } from '../../content/readers/reader-list.js';
import { chosenOf } from '../../content/readers/readers.js';
import { useTranslator } from '../../messages/messages.js';
import { request } from '../../client.js';
import { groupsQuery, membersQuery } from './people.js';

/** The groups of the organization, with their members. */
export function GroupsPanel(): ReactNode {
  const { text } = useTranslator();
  const [isOpen, { open, close }] = useDisclosure(false);
  const groups = useQuery(groupsQuery);
  return (
    <Stack>
      <ListHeader add={text('groups.new')} onAdd={open}>
        {text('groups.text')}
      </ListHeader>
      <QueryState of={groups} height={160} />
      {groups.data?.length === 0 && <Text>{text('groups.none')}</Text>}
      {groups.data && groups.data.length > 0 && (
        <DataTable
          minWidth={560}
          columns={[text('documents.name'), text('groups.members')]}
          actions={text('groups.rename')}
        >
          {groups.data.map((group) => (
            <GroupRow key={group.id} group={group} />
          ))}
        </DataTable>
      )}
      <Dialog opened={isOpen} onClose={close} title={text('groups.new')}>
        <GroupForm
          submit={text('groups.create')}
          save={(name) => request('POST', '/groups', { name })}
          onSaved={close}
        />
      </Dialog>
    </Stack>
  );
}

function GroupRow({ group: { id, name, externalId, memberCount } }: { group: PeopleGroup }): ReactNode {
  const { text, number } = useTranslator();
  const queryClient = useQueryClient();
  const [areMembersShown, members] = useDisclosure(false);
  const [isRenaming, renaming] = useDisclosure(false);
  const title = text('groups.membersOf', { name });
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" dir="auto" style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        {externalId !== null && (
          <Text size="xs" c="dimmed">
            {text('groups.external')}
          </Text>
        )}
      </Table.Td>
      <Table.Td>{number(memberCount)}</Table.Td>
      <Table.Td>
        <Group gap="xs" justify="flex-end" wrap="nowrap">
          <Button size="xs" variant="default" onClick={members.open} aria-label={title}>
            {text('groups.members')}
          </Button>
          <Button size="xs" variant="default" onClick={renaming.open}>
            {text('groups.rename')}
          </Button>
          <ConfirmButton
            size="xs"
            title={text('groups.deleteTitle')}
            question={text('groups.deleteText', { name })}
            confirm={text('groups.deleteConfirm')}
            action={async () => {
              await request('DELETE', `/groups/${id}`);
              await queryClient.invalidateQueries({ queryKey: groupsQuery.queryKey });
            }}
          >
            {text('action.delete')}
          </ConfirmButton>
        </Group>
        <SidePanel isOpen={areMembersShown} onClose={members.close} title={title}>
          <MembersPanel groupId={id} />
        </SidePanel>
        <Dialog opened={isRenaming} onClose={renaming.close} title={text('groups.rename')}>
          <GroupForm
            initial={name}
            submit={text('action.save')}
            save={(given) => request('PATCH', `/groups/${id}`, { name: given })}
            onSaved={renaming.close}
          />
        </Dialog>
      </Table.Td>
    </Table.Tr>
  );
}

function GroupForm({
  initial = '',
  submit,
  save,
  onSaved,
}: {
  initial?: string;
  /** The label of the button. */
  submit: string;
  save: (name: string) => Promise<unknown>;
  onSaved: () => void;
}): ReactNode {
  const { text } = useTranslator();
  const queryClient = useQueryClient();
  const [name, setName] = useState(initial);
  const mutation = useMutation({
    mutationFn: () => save(name.trim()),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: groupsQuery.queryKey });
      onSaved();
    },
  });
  return (
    <Form onSubmit={() => mutation.mutate()}>
      <TextInput
        label={text('groups.name')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
        maxLength={255}
        data-autofocus
      />
      <SubmitButton of={mutation} disabled={name.trim() === ''}>
        {submit}
      </SubmitButton>
    </Form>
  );
}

/** The members of a group. Each change is made at once. */
function MembersPanel({ groupId }: { groupId: string }): ReactNode {
  const { text } = useTranslator();
  const queryClient = useQueryClient();
  const members = useQuery(membersQuery(groupId));
  const change = useMutation({
    mutationFn: ({ id, isAdded }: { id: string; isAdded: boolean }) =>
      request(isAdded ? 'PUT' : 'DELETE', `/groups/${groupId}/members/${id}`),
    onSettled: () => queryClient.invalidateQueries({ queryKey: groupsQuery.queryKey }),
  });
  if (members.isError) return <ErrorNotice error={members.error} onRetry={() => void members.refetch()} />;
  if (!members.data) return <Skeleton h={160} />;
  const readers = chosenOf({ people: members.data, groups: [] });
  return (
    <Stack>
      {readers.length === 0 ? (
        <Text size="sm" c="dimmed">
          {text('groups.noMembers')}
        </Text>
      ) : (
        <ReaderList
          readers={readers}
          action="remove"
          onAction={({ id }) => change.mutate({ id, isAdded: false })}
        />
      )}
      {change.isError && <ErrorNotice error={change.error} />}
      <ReaderSearch
        label={text('groups.addMember')}
        kinds={['person']}
        added={readers}
        onAdd={({ id }) => change.mutate({ id, isAdded: true })}
      />
    </Stack>
  );
}
