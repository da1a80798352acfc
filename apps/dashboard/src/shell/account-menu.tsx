import type { Session, SignedOut } from '@citewell/sdk';
import type { Language } from '@citewell/contracts/messages';
import { Menu, NavLink, useMantineColorScheme } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { CheckMark, Icon } from '../components/icon.js';
import { removeQuestionSet } from '../evaluation/question-set.js';
import { LANGUAGES } from '../messages/languages.js';
import { useTranslator } from '../messages/messages.js';
import { openStart, useChooseLanguage, useSession } from '../identity/sign-in/session.js';
import { request } from '../client.js';
import { BASE_PATH } from '../address.js';

const SCHEMES = ['auto', 'light', 'dark'] as const;

/** The organization, the colours, the language and the end of the session. */
export function AccountMenu({ onKeys }: { onKeys: () => void }): ReactNode {
  const { text, language } = useTranslator();
  const chooseLanguage = useChooseLanguage();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { organization, organizations, person } = useSession();
  const signOut = useMutation({
    mutationFn: () => request<SignedOut>('DELETE', '/session'),
    // A new document, so that nothing of the session stays in memory. Nor does its set of questions stay in the browser.
    onSuccess: ({ endSessionUrl }) => {
      removeQuestionSet(organization.id);
      sessionStorage.clear();
      if (endSessionUrl === undefined) location.reload();
      // The provider signs the person out, too, and sends the browser back.
      else location.assign(endSessionUrl);
    },
  });
  return (
    <Menu position="top-start" width={216}>
      <Menu.Target>
        <NavLink
          component="button"
          label={person?.name ?? person?.email ?? organization.name}
          description={organizations.length > 1 ? organization.name : text('app.account')}
          leftSection={<Icon name="account" />}
          rightSection={<Icon name="sort" size={16} />}
          disableRightSectionRotation
          style={{ borderRadius: 'var(--mantine-radius-md)' }}
        />
      </Menu.Target>
      <Menu.Dropdown mah="90vh" style={{ overflowY: 'auto' }}>
        <OrganizationItems />
        <Menu.Label>{text('app.theme')}</Menu.Label>
        {SCHEMES.map((scheme) => (
          <Menu.Item
            key={scheme}
            leftSection={<CheckMark isChosen={scheme === colorScheme} />}
            onClick={() => setColorScheme(scheme)}
          >
            {text(`app.theme.${scheme}`)}
          </Menu.Item>
        ))}
        <Menu.Label>{text('app.language')}</Menu.Label>
        {Object.entries(LANGUAGES).map(([code, name]) => (
          <Menu.Item
            key={code}
            lang={code}
            leftSection={<CheckMark isChosen={code === language} />}
            onClick={() => chooseLanguage(code as Language)}
          >
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        {person && (
          <Menu.Item component={Link} to="/profile" leftSection={<Icon name="account" size={16} />}>
            {text('profile.title')}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<Icon name="text" size={16} />} onClick={onKeys}>
          {text('keys.title')}
        </Menu.Item>
        <Menu.Item
          component="a"
          href={`${BASE_PATH}/api/docs`}
          target="_blank"
          leftSection={<Icon name="external" size={16} />}
        >
          {text('app.apiReference')}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="signOut" size={16} />} onClick={() => signOut.mutate()}>
          {text('app.signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** The organizations of the account, if it has several. One of them is that of the session. */
function OrganizationItems(): ReactNode {
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
