import { Skeleton, Tabs } from '@mantine/core';
import { lazy, type ReactNode, Suspense } from 'react';
import { Page } from '../components/page.js';
import { useTranslator } from '../messages/messages.js';
import { useSession } from '../identity/sign-in/use-session.js';
import { HealthPanel } from './health-panel.js';
import { KeysPanel } from '../identity/keys/keys-panel.js';
import { ModelsPanel } from '../models/models-panel.js';
import { PeoplePanel } from '../identity/people/people-panel.js';
import { UsagePanel } from '../tenancy/usage/usage-panel.js';

const AuditPanel = lazy(async () => ({
  default: (await import('../tenancy/audit/audit-panel.js')).AuditPanel,
}));
const SingleSignOnPanel = lazy(async () => ({
  default: (await import('../identity/provider/single-sign-on-panel.js')).SingleSignOnPanel,
}));
const GroupsPanel = lazy(async () => ({
  default: (await import('../identity/people/groups-panel.js')).GroupsPanel,
}));

export function SettingsPage(): ReactNode {
  const { text } = useTranslator();
  const isAdministrator = useSession().scopes.includes('admin');
  return (
    <Page title={text('settings.title')}>
      <Tabs defaultValue={isAdministrator ? 'keys' : 'usage'} keepMounted={false}>
        <Tabs.List mb="md">
          {isAdministrator && <Tabs.Tab value="keys">{text('settings.keys')}</Tabs.Tab>}
          <Tabs.Tab value="usage">{text('settings.usage')}</Tabs.Tab>
          {isAdministrator && <Tabs.Tab value="people">{text('people.title')}</Tabs.Tab>}
          {isAdministrator && <Tabs.Tab value="groups">{text('groups.title')}</Tabs.Tab>}
          {isAdministrator && <Tabs.Tab value="audit">{text('audit.title')}</Tabs.Tab>}
          {isAdministrator && <Tabs.Tab value="single-sign-on">{text('settings.singleSignOn')}</Tabs.Tab>}
          {isAdministrator && <Tabs.Tab value="models">{text('models.title')}</Tabs.Tab>}
          {isAdministrator && <Tabs.Tab value="health">{text('health.title')}</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="keys">
          <KeysPanel />
        </Tabs.Panel>
        <Tabs.Panel value="usage">
          <UsagePanel />
        </Tabs.Panel>
        <Tabs.Panel value="people">
          <PeoplePanel />
        </Tabs.Panel>
        <Tabs.Panel value="groups">
          <Suspense fallback={<Skeleton h={160} />}>
            <GroupsPanel />
          </Suspense>
        </Tabs.Panel>
        <Tabs.Panel value="audit">
          <Suspense fallback={<Skeleton h={160} />}>
            <AuditPanel />
          </Suspense>
        </Tabs.Panel>
        <Tabs.Panel value="single-sign-on">
          <Suspense fallback={<Skeleton h={160} />}>
            <SingleSignOnPanel />
          </Suspense>
        </Tabs.Panel>
        <Tabs.Panel value="models">
          <ModelsPanel />
        </Tabs.Panel>
        <Tabs.Panel value="health">
          <HealthPanel />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
