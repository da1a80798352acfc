import { Button } from '@mantine/core';
import type { Datasource } from '@citewell/sdk';
import type { ReactNode } from 'react';
import { Icon } from '../../components/icon.js';
import { useTranslator } from '../../messages/messages.js';
import { useDatasourceAction } from '../datasources/datasource-action.js';
import { isUnfinished } from '../datasources/datasource-display.js';

/** Reads a datasource again, or stops its run. */
export function SyncButton({ datasource }: { datasource: Datasource }): ReactNode {
  const { text } = useTranslator();
  const action = isUnfinished(datasource) ? 'cancel' : 'sync';
  const act = useDatasourceAction(datasource.id);
  return (
    <Button
      variant="default"
      leftSection={<Icon name={action === 'sync' ? 'sync' : 'stop'} size={16} />}
      loading={act.isPending}
      onClick={() => act.mutate(action)}
    >
      {text(action === 'sync' ? 'documents.sync' : 'documents.stop')}
    </Button>
  );
}
