import { Button, Paper, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { client } from '../client.js';
import { EmptyState } from '../components/empty-state.js';
import { ErrorNotice } from '../components/error-notice.js';
import { Icon } from '../components/icon.js';
import { Page } from '../components/page.js';
import { datastoresQuery } from '../library/datastores.js';
import classes from '../library/library.module.css';
import { useTranslator } from '../messages/messages.js';
import { agentsQuery } from './agents.js';

/** The agents of the organization. */
export function AgentsPage(): ReactNode {
  const { text } = useTranslator();
  const agents = useQuery(agentsQuery);
  const datastores = useQuery(datastoresQuery);
  const names = new Map(datastores.data?.map(({ id, name }) => [id, name]));
  const isEmpty = agents.data?.length === 0;
  return (
    <Page
      title={text('agents.title')}
      text={text('agents.text')}
      actions={
        isEmpty ? null : (
          <>
            <Button variant="default" renderRoot={(props) => <Link to="/conversations" {...props} />}>
              {text('conversations.title')}
            </Button>
            <NewAgentButton />
          </>
        )
      }
    >
      {agents.isError && <ErrorNotice error={agents.error} onRetry={() => void agents.refetch()} />}
      {isEmpty && (
        <EmptyState icon="agents" title={text('agents.empty')} action={<NewAgentButton />}>
          {text('agents.emptyText')}
        </EmptyState>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {agents.isPending && [1, 2, 3].map((key) => <Skeleton key={key} h={112} />)}
        {agents.data?.map(({ id, name, description, datastoreIds }) => (
          <Paper
            key={id}
            withBorder
            p="md"
            className={classes['card'] ?? ''}
            renderRoot={(props) => <Link to="/agents/$agentId" params={{ agentId: id }} {...props} />}
          >
            <Stack gap={4}>
              <Text fw={600} lineClamp={2} dir="auto" style={{ overflowWrap: 'anywhere' }}>
                {name}
              </Text>
              <Text size="sm" c="dimmed" lineClamp={2} mih={20} dir="auto">
                {description}
              </Text>
              <Text size="xs" c="dimmed" truncate>
                {datastoreIds.map((datastoreId) => names.get(datastoreId) ?? '').join(', ')}
              </Text>
            </Stack>
          </Paper>
        ))}
      </SimpleGrid>
    </Page>
  );
}

/** Creates an agent over all libraries if there is one only, and opens it. */
function NewAgentButton(): ReactNode {
  const { text } = useTranslator();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const create = useMutation({
    mutationFn: async () => {
      const datastores = await queryClient.fetchQuery(datastoresQuery);
      return client.agents.create({
        name: text('agents.new'),
        datastoreIds: datastores.length === 1 ? datastores.map(({ id }) => id) : [],
      });
    },
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries({ queryKey: agentsQuery.queryKey });
      await navigate({ to: '/agents/$agentId', params: { agentId: id } });
    },
  });
  return (
    <Button
      leftSection={<Icon name="plus" size={16} />}
      loading={create.isPending}
      onClick={() => create.mutate()}
    >
      {text('agents.new')}
    </Button>
  );
}
