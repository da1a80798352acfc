import { Button, Group, Skeleton, Stack, Table, Tabs, Text, Title } from '@mantine/core';
import { lazy, type ReactNode, Suspense } from 'react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Page } from '../components/page.js';
import { useTranslator } from '../messages/messages.js';
import { useSession } from '../identity/sign-in/session.js';
import { KeysPanel } from '../identity/keys/keys-panel.js';
import { ModelsPanel } from '../models/models-panel.js';
import { PeoplePanel } from '../identity/people/people-panel.js';
import { UsagePanel } from '../tenancy/usage/usage-panel.js';
import { client } from '../client.js';
import { ErrorNotice } from '../components/error-notice.js';
import { Icon } from '../components/icon.js';
import { isOpenTo, SETTINGS_TABS, type SettingsTab } from './settings-tabs.js';

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

const PANELS: Readonly<Record<SettingsTab['name'], ReactNode>> = {
  keys: <KeysPanel />,
  usage: <UsagePanel />,
  people: <PeoplePanel />,
  groups: <GroupsPanel />,
  audit: <AuditPanel />,
  'single-sign-on': <SingleSignOnPanel />,
  models: <ModelsPanel />,
  health: <HealthPanel />,
};

/** The tab that is open is part of the address. */
export function SettingsPage(): ReactNode {
  const { text } = useTranslator();
  const isAdministrator = useSession().scopes.includes('admin');
  const { tab } = route.useSearch();
  const navigate = route.useNavigate();
  const tabs = SETTINGS_TABS.filter((one) => isOpenTo(one, isAdministrator));
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
        {tabs.map(({ name }) => (
          <Tabs.Panel key={name} value={name}>
            <Suspense fallback={<Skeleton h={160} />}>{PANELS[name]}</Suspense>
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
