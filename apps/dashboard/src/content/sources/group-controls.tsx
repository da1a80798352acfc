import type { Datasource } from '@citewell/sdk';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { client } from '../../client.js';
import { Dialog } from '../../components/dialog.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { useTexts, useTranslator } from '../../messages/messages.js';
import { useScheduleWords } from './schedule-words.js';

/** When a site or a source was synched last, and when it will be again. */
export function SyncTimes({ datasource: { config, timestamps } }: { datasource: Datasource }): ReactNode {
  const { text } = useTexts('sources');
  const { ago, time } = useTranslator();
  const words = useScheduleWords();
  const { lastSynch } = timestamps;
  return (
    <Text size="sm" c="dimmed" mb="md">
      {lastSynch === null ? (
        text('neverSynched')
      ) : (
        <span title={time(lastSynch)}>{text('lastSynched', { ago: ago(lastSynch) })}</span>
      )}{' '}
      {config['paused'] === true ? text('paused') : `${words(config['schedule'])}.`}
    </Text>
  );
}

/** Lets the schedule of a site or a source rest, or go on. Nothing without a schedule. */
export function PauseButton({ datasource: { id, config } }: { datasource: Datasource }): ReactNode {
  const { text } = useTexts('sources');
  const queryClient = useQueryClient();
  const isPaused = config['paused'] === true;
  const toggle = useMutation({
    mutationFn: () => client.datasources.update(id, { config: { paused: isPaused ? null : true } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['datasources'] }),
  });
  if (!isPaused && !config['schedule']) return null;
  return (
    <Button variant="default" loading={toggle.isPending} onClick={() => toggle.mutate()}>
      {text(isPaused ? 'resume' : 'pause')}
    </Button>
  );
}

/** Ends the connection of a library to a source, and keeps or removes the documents. */
export function DisconnectButton({ datasource }: { datasource: Datasource }): ReactNode {
  const { id, datastoreId, name, secrets } = datasource;
  const { text } = useTexts('sources');
  const translator = useTranslator();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [isOpen, { open, close }] = useDisclosure(false);
  const finish = async (): Promise<void> => {
    await queryClient.invalidateQueries({ queryKey: ['datasources'] });
    close();
  };
  const keep = useMutation({
    mutationFn: () =>
      client.datasources.update(id, {
        config: { paused: true },
        secrets: Object.fromEntries((secrets ?? []).map((secret) => [secret, null])),
      }),
    onSuccess: finish,
  });
  const remove = useMutation({
    mutationFn: () => client.datasources.delete(id),
    onSuccess: async () => {
      await navigate({ to: '/library/$datastoreId', params: { datastoreId } });
      await finish();
    },
  });
  const error = keep.error ?? remove.error;
  return (
    <>
      <Button variant="default" onClick={open}>
        {text('disconnect')}
      </Button>
      <Dialog opened={isOpen} onClose={close} title={text('disconnectTitle', { name })}>
        <Stack>
          <Text>{text('disconnectText')}</Text>
          {error && <ErrorNotice error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close} data-autofocus>
              {translator.text('action.cancel')}
            </Button>
            <Button color="red" variant="light" loading={remove.isPending} onClick={() => remove.mutate()}>
              {text('removeDocuments')}
            </Button>
            <Button loading={keep.isPending} onClick={() => keep.mutate()}>
              {text('keepDocuments')}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  );
}
