import { Button, Group, Skeleton, Stack, Table, Tabs, Text, Title } from '@mantine/core';
import { lazy, type ReactNode, Suspense } from 'react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Page } from '../components/page.js';
import { useTranslator } from '../messages/messages.js';
import type { MessageKey } from '../messages/translator.js';
import { useSession } from '../identity/sign-in/session.js';
import { KeysPanel } from '../identity/keys/keys-panel.js';
import { ModelsPanel } from '../models/models-panel.js';
import { PeoplePanel } from '../identity/people/people-panel.js';
import { UsagePanel } from '../tenancy/usage/usage-panel.js';
import { client } from '../client.js';
import { ErrorNotice } from '../components/error-notice.js';
import { Icon } from '../components/icon.js';

const AuditPanel = lazy(async () => ({
  default: (await import('../tenancy/audit/audit-panel.js')).AuditPanel,
}));
const SingleSignOnPanel = lazy(async () => ({
  default: (await import('../identity/provider/single-sign-on-panel.js')).SingleSignOnPanel,
}));
const GroupsPanel = lazy(async () => ({
  default: (await import('../identity/people/groups-panel.js')).GroupsPanel,
}));

const route = getRouteApi('/settings');

const TABS: readonly { name: string; label: MessageKey; panel: ReactNode }[] = [
  { name: 'keys', label: 'settings.keys', panel: <KeysPanel /> },
  { name: 'usage', label: 'settings.usage', panel: <UsagePanel /> },
  { name: 'people', label: 'people.title', panel: <PeoplePanel /> },
  { name: 'groups', label: 'groups.title', panel: <GroupsPanel /> },
  { name: 'audit', label: 'audit.title', panel: <AuditPanel /> },
  { name: 'single-sign-on', label: 'settings.singleSignOn', panel: <SingleSignOnPanel /> },
  { name: 'models', label: 'models.title', panel: <ModelsPanel /> },
  { name: 'health', label: 'health.title', panel: <HealthPanel /> },
];

/** The tab that is open is part of the address. */
export function SettingsPage(): ReactNode {
  const { text } = useTranslator();
  const isAdministrator = useSession().scopes.includes('admin');
  const { tab } = route.useSearch();
  const navigate = route.useNavigate();
  const tabs = TABS.filter(({ name }) => isAdministrator || name === 'usage');
  const shown = tabs.find(({ name }) => name === tab) ?? tabs[0];
  return (
    <Page title={text('settings.title')}>
      <Tabs
        value={shown?.name ?? null}
        onChange={(name) => void navigate({ search: { tab: name ?? undefined }, replace: true })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {tabs.map(({ name, label }) => (
            <Tabs.Tab key={name} value={name}>
              {text(label)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map(({ name, panel }) => (
          <Tabs.Panel key={name} value={name}>
            <Suspense fallback={<Skeleton h={160} />}>{panel}</Suspense>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}

/** Whether the parts of the server work, and contradictions in the data of the organization. */
function HealthPanel(): ReactNode {
  const { text, number } = useTranslator();
  const health = useQuery({ queryKey: ['health'], queryFn: () => client.health.get() });
  if (health.isError) return <ErrorNotice error={health.error} onRetry={() => void health.refetch()} />;
  if (health.isPending) return <Skeleton h={200} />;
  const { dependencies, problems } = health.data;
  return (
    <Stack maw={640}>
      <Group justify="space-between">
        <Title order={2}>{text('health.dependencies')}</Title>
        <Button size="xs" variant="default" loading={health.isFetching} onClick={() => void health.refetch()}>
          {text('health.again')}
        </Button>
      </Group>
      <Table>
        <Table.Tbody>
          {Object.entries(dependencies).map(([name, state]) => (
            <Table.Tr key={name}>
              <Table.Td>{name}</Table.Td>
              <Table.Td>
                <Group gap={6} wrap="nowrap">
                  <Text span lh={0} c={state === 'ok' ? 'teal' : 'red'}>
                    <Icon name={state === 'ok' ? 'check' : 'warning'} size={16} />
                  </Text>
                  <Text size="sm">{state === 'ok' ? text('health.ok') : state}</Text>
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Title order={2}>{text('health.problems')}</Title>
      {problems.length === 0 && <Text>{text('health.noProblems')}</Text>}
      {problems.map(({ problem, count, ids }) => (
        <Stack key={problem} gap={2}>
          <Text size="sm">
            {number(count)} {problem}
          </Text>
          <Text size="xs" c="dimmed" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
            {ids.join(', ')}
          </Text>
        </Stack>
      ))}
      {problems.length > 0 && <Text size="sm">{text('health.repair')}</Text>}
    </Stack>
  );
}
