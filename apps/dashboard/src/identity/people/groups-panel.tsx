import { Button, Group, Modal, Skeleton, Stack, Table, Text, TextInput } from '@mantine/core';
import type { Group as PeopleGroup } from '@citewell/sdk';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ConfirmButton } from '../../components/confirm-button.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Icon } from '../../components/icon.js';
import { SidePanel } from '../../components/page.js';
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
      <Group justify="space-between" align="flex-start">
        <Text c="dimmed" maw={560}>
          {text('groups.text')}
        </Text>
        <Button leftSection={<Icon name="plus" size={16} />} onClick={open}>
          {text('groups.new')}
        </Button>
      </Group>
      {groups.isError && <ErrorNotice error={groups.error} onRetry={() => void groups.refetch()} />}
      {groups.isPending && <Skeleton h={160} />}
      {groups.data?.length === 0 && <Text>{text('groups.none')}</Text>}
      {groups.data && groups.data.length > 0 && (
        <Table.ScrollContainer minWidth={560}>
          <Table verticalSpacing="sm">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{text('documents.name')}</Table.Th>
                <Table.Th>{text('groups.members')}</Table.Th>
                <Table.Th aria-label={text('groups.rename')} />
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {groups.data.map((group) => (
                <GroupRow key={group.id} group={group} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      <Modal
        opened={isOpen}
        onClose={close}
        title={text('groups.new')}
        centered
        closeButtonProps={{ 'aria-label': text('action.close') }}
      >
        <GroupForm
          submit={text('groups.create')}
          save={(name) => request('POST', '/groups', { name })}
          onSaved={close}
        />
      </Modal>
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
        <Modal
          opened={isRenaming}
          onClose={renaming.close}
          title={text('groups.rename')}
          centered
          closeButtonProps={{ 'aria-label': text('action.close') }}
        >
          <GroupForm
            initial={name}
            submit={text('action.save')}
            save={(given) => request('PATCH', `/groups/${id}`, { name: given })}
            onSaved={renaming.close}
          />
        </Modal>
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
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    mutation.mutate();
  };
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <TextInput
          label={text('groups.name')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          required
          maxLength={255}
          data-autofocus
        />
        {mutation.isError && <ErrorNotice error={mutation.error} />}
        <Button type="submit" loading={mutation.isPending} disabled={name.trim() === ''}>
          {submit}
        </Button>
      </Stack>
    </form>
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
