import { Checkbox, Stack, Text } from '@mantine/core';
import type { OrganizationSettings } from '@citewell/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { request } from '../../client.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { useTranslator } from '../../messages/messages.js';
import { sessionQuery, useSession } from '../../identity/sign-in/use-session.js';

/** Whether owners read the conversations of people. */
export function OwnersRead(): ReactNode {
  const { text, time } = useTranslator();
  const queryClient = useQueryClient();
  const { name, ownersReadConversationsSince: since } = useSession().organization;
  const change = useMutation({
    mutationFn: (ownersReadConversations: boolean) =>
      request<OrganizationSettings>('PATCH', '/organization', { ownersReadConversations }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  });
  return (
    <Stack gap="xs" maw={640}>
      <Checkbox
        label={text('own.setting')}
        description={text('own.settingText')}
        checked={change.isPending ? change.variables : since !== null}
        disabled={change.isPending}
        onChange={({ currentTarget }) => change.mutate(currentTarget.checked)}
      />
      {since !== null && (
        <Text size="sm" role="status">
          {text('own.told', { organization: name, time: time(since) })}
        </Text>
      )}
      {change.isError && <ErrorNotice error={change.error} />}
    </Stack>
  );
}
