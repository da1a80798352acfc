import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { client } from '../../client.js';
import { Card, Cards } from '../../components/cards.js';
import { EmptyState } from '../../components/empty-state.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Icon } from '../../components/icon.js';
import { Page } from '../../components/page.js';
import { datastoresQuery } from '../../content/datasources/content-queries.js';
import { useTranslator } from '../../messages/messages.js';
import { Permitted } from '../../identity/sign-in/session.js';
import { agentsQuery } from '../agents/agents.js';

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
            <Button variant="default" renderRoot={(props) => <Link to="/evaluations" {...props} />}>
              {text('evaluations.title')}
            </Button>
            <Permitted>
              <NewAgentButton />
            </Permitted>
          </>
        )
      }
    >
      {agents.isError && <ErrorNotice error={agents.error} onRetry={() => void agents.refetch()} />}
      {isEmpty && (
        <EmptyState
          icon="agents"
          title={text('agents.empty')}
          action={
            <Permitted>
              <NewAgentButton />
            </Permitted>
          }
        >
          <Permitted>{text('agents.emptyText')}</Permitted>
        </EmptyState>
      )}
      <Cards isLoading={agents.isPending}>
        {agents.data?.map(({ id, name, description, datastoreIds }) => (
          <Card
            key={id}
            name={name}
            description={description}
            details={datastoreIds.map((datastoreId) => names.get(datastoreId) ?? '').join(', ')}
            renderRoot={(props) => <Link to="/agents/$agentId" params={{ agentId: id }} {...props} />}
          />
        ))}
      </Cards>
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
