import { Skeleton, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorNotice } from '../../components/error-notice.js';
import { useTranslator } from '../../messages/messages.js';
import { request } from '../../request.js';
import { groupsQuery, membersQuery } from './groups.js';
import { ReaderList, ReaderSearch } from '../../content/readers/reader-list.js';
import { chosenOf } from '../../content/readers/readers.js';

/** The members of a group. Each change is made at once. */
export function MembersPanel({ groupId }: { groupId: string }): ReactNode {
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
