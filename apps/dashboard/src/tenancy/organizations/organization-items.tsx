import { Menu } from '@mantine/core';
import type { Session } from '@citewell/sdk';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslator } from '../../messages/messages.js';
import { request } from '../../client.js';
import { CheckMark } from '../../components/icon.js';
import { openStart, useSession } from '../../identity/sign-in/use-session.js';

/** The organizations of the account, if it has several. One of them is that of the session. */
export function OrganizationItems(): ReactNode {
  const { text } = useTranslator();
  const { organization, organizations } = useSession();
  const change = useMutation({
    mutationFn: (organizationId: string) =>
      request<Session>('POST', '/session/organization', { organizationId }),
    // Also after an error: the account may have left the organization since.
    onSettled: openStart,
  });
  if (organizations.length < 2) return null;
  return (
    <>
      <Menu.Label>{text('account.organizations')}</Menu.Label>
      {organizations
        .toSorted((a, b) => a.name.localeCompare(b.name))
        .map(({ id, name }) => (
          <Menu.Item
            key={id}
            leftSection={<CheckMark isChosen={id === organization.id} />}
            onClick={() => id !== organization.id && change.mutate(id)}
            disabled={change.isPending}
            dir="auto"
            style={{ overflowWrap: 'anywhere' }}
          >
            {name}
          </Menu.Item>
        ))}
      <Menu.Divider />
    </>
  );
}
