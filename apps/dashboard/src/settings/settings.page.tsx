import { Button, Group, Skeleton, Stack, Table, Tabs, Text, Title } from '@mantine/core';
import { lazy, type ReactNode, Suspense } from 'react';
import { useQuery } from '@tanstack/react-query';
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
