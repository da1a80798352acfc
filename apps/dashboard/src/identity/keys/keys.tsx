import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ApiKey, Scope } from '@citewell/sdk';
import { client } from '../../client.js';
import { ConfirmButton } from '../../components/confirm-button.js';
import { useTranslator } from '../../messages/messages.js';

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

const PAGE = 100;

/** All API keys, newest first. */
export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: (): Promise<ApiKey[]> => Array.fromAsync(client.apiKeys.list({ limit: PAGE })),
});

/** What a key can be allowed to do. */
export const SCOPES = [
  'agents:query',
  'datastores:query',
  'read',
  'write',
  'admin',
] as const satisfies Scope[];
