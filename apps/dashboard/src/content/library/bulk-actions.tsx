import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { client } from '../../client.js';
import { ConfirmButton } from '../../components/confirm-button.js';
import { useTranslator } from '../../messages/messages.js';
import { createLimit } from '../uploads/limit.js';

/** Requests that are sent at the same time. */
const PARALLEL = 4;

/** What can be done with the selected documents. */
export function BulkActions({ ids, onDone }: { ids: readonly string[]; onDone: () => void }): ReactNode {
  const { text, counted } = useTranslator();
  const queryClient = useQueryClient();
  const forAll = async (action: (id: string) => Promise<unknown>): Promise<void> => {
    const inTurn = createLimit(PARALLEL);
    try {
      await Promise.all(ids.map((id) => inTurn(() => action(id))));
      onDone();
    } finally {
      await queryClient.invalidateQueries({ queryKey: ['datasources'] });
    }
  };
  const sync = useMutation({ mutationFn: () => forAll((id) => client.datasources.sync(id)) });
  return (
    <Group gap="xs" role="toolbar">
      <Text size="sm" aria-live="polite">
        {counted('documents.selected', ids.length)}
      </Text>
      <Button size="xs" variant="default" loading={sync.isPending} onClick={() => sync.mutate()}>
        {text('documents.sync')}
      </Button>
      <ConfirmButton
        size="xs"
        title={counted('documents.deleteTitle', ids.length)}
        question={text('documents.deleteText')}
        confirm={text('action.delete')}
        action={() => forAll((id) => client.datasources.delete(id))}
      >
        {text('action.delete')}
      </ConfirmButton>
    </Group>
  );
}
