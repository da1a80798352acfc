import { Button } from '@mantine/core';
import type { Datasource } from '@citewell/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { client } from '../../client.js';
import { Icon } from '../../components/icon.js';
import { useTranslator } from '../../messages/messages.js';
import { isUnfinished } from '../datasources/datasource-display.js';

/** Reads a datasource again, or stops its run. */
export function SyncButton({ datasource }: { datasource: Datasource }): ReactNode {
  const { text } = useTranslator();
  const queryClient = useQueryClient();
  const action = isUnfinished(datasource) ? 'cancel' : 'sync';
  const act = useMutation({
    mutationFn: () => client.datasources[action](datasource.id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['datasources'] }),
  });
  return (
    <Button
      variant="default"
      leftSection={<Icon name={action === 'sync' ? 'sync' : 'stop'} size={16} />}
      loading={act.isPending}
      onClick={() => act.mutate()}
    >
      {text(action === 'sync' ? 'documents.sync' : 'documents.stop')}
    </Button>
  );
}
