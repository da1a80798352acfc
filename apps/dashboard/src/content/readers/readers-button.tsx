import { Button, Group, Skeleton, Text } from '@mantine/core';
import type { Readers } from '@citewell/sdk';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ErrorNotice } from '../../components/error-notice.js';
import { Icon } from '../../components/icon.js';
import { SidePanel } from '../../components/page.js';
import { Form } from '../../components/form.js';
import { datastoresQuery } from '../datasources/content-queries.js';
import { useTranslator } from '../../messages/messages.js';
import { request } from '../../client.js';
import { ReaderChoiceForm } from './reader-choice-form.js';
import { chosenOf, type ReaderChoice, readersQuery, toSetReaders } from './readers.js';

/** Opens the panel in which the readers of a library are chosen. */
export function ReadersButton({
  datastoreId,
  isRestricted,
}: {
  datastoreId: string;
  isRestricted: boolean;
}): ReactNode {
  const { text } = useTranslator();
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button
        variant="default"
        leftSection={<Icon name={isRestricted ? 'lock' : 'group'} size={16} />}
        onClick={open}
      >
        {text('readers.title')}
      </Button>
      <SidePanel isOpen={isOpen} onClose={close} title={text('readers.title')}>
        <ReadersPanel datastoreId={datastoreId} onClose={close} />
      </SidePanel>
    </>
  );
}

function ReadersPanel({ datastoreId, onClose }: { datastoreId: string; onClose: () => void }): ReactNode {
  const readers = useQuery(readersQuery(datastoreId));
  if (readers.isError) return <ErrorNotice error={readers.error} onRetry={() => void readers.refetch()} />;
  // What the form begins with must be what is stored.
  if (!readers.data || readers.isFetching) return <Skeleton h={160} />;
  return <ReadersForm datastoreId={datastoreId} stored={readers.data} onClose={onClose} />;
}

function ReadersForm({
  datastoreId,
  stored,
  onClose,
}: {
  datastoreId: string;
  stored: Readers;
  onClose: () => void;
}): ReactNode {
  const { text } = useTranslator();
  const queryClient = useQueryClient();
  const [choice, setChoice] = useState<ReaderChoice>({ everyone: stored.everyone, chosen: chosenOf(stored) });
  const save = useMutation({
    mutationFn: () => request<Readers>('PUT', `/datastores/${datastoreId}/readers`, toSetReaders(choice)),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: datastoresQuery.queryKey });
      onClose();
    },
  });
  return (
    <Form onSubmit={() => save.mutate()}>
      <Text size="sm" c="dimmed">
        {text('readers.text')}
      </Text>
      <ReaderChoiceForm label={text('readers.title')} value={choice} onChange={setChoice} />
      {save.isError && <ErrorNotice error={save.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {text('action.cancel')}
        </Button>
        <Button type="submit" loading={save.isPending}>
          {text('action.save')}
        </Button>
      </Group>
    </Form>
  );
}
