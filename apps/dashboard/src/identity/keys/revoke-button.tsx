import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { client } from '../../client.js';
import { ConfirmButton } from '../../components/confirm-button.js';
import { useTranslator } from '../../messages/messages.js';
import { keysQuery } from './keys.js';

/** Deletes an API key, after a question. */
export function RevokeButton({ id, name }: { id: string; name: string }): ReactNode {
  const { text } = useTranslator();
  const queryClient = useQueryClient();
  return (
    <ConfirmButton
      size="xs"
      title={text('settings.revokeTitle')}
      question={text('settings.revokeText', { name })}
      confirm={text('settings.revokeConfirm')}
      action={async () => {
        await client.apiKeys.delete(id);
        await queryClient.invalidateQueries({ queryKey: keysQuery.queryKey });
      }}
    >
      {text('settings.revoke')}
    </ConfirmButton>
  );
}
