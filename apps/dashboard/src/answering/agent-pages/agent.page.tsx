import { Anchor, Box, Button, Grid, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { Agent } from '@citewell/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, Navigate, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Chat } from '../ask/chat.js';
import { client } from '../../client.js';
import { ConfirmButton } from '../../components/confirm-button.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Page } from '../../components/page.js';
import { useTranslator } from '../../messages/messages.js';
import { useSession } from '../../identity/sign-in/session.js';
import { AgentForm, type AgentSettings, settingsOf } from './agent-form.js';
import { agentName } from '../agents/agent-options.js';
import { agentQuery, agentsQuery } from '../agents/agents.js';
import { PublishPanel } from './publish-panel.js';

const route = getRouteApi('/agents/$agentId');

/** An agent: its settings at the left, a chat that tries them at the right. Who may not change it can only ask it. */
export function AgentPage(): ReactNode {
  const { agentId } = route.useParams();
  const agent = useQuery(agentQuery(agentId));
  const mayWrite = useSession().scopes.includes('write');
  if (!mayWrite) return <Navigate to="/ask" search={{ agent: agentId }} replace />;
  if (agent.isError) return <ErrorNotice error={agent.error} onRetry={() => void agent.refetch()} />;
  if (agent.isPending) return <Skeleton h={480} m="xl" />;
  return <AgentEditor key={agentId} agent={agent.data} />;
}

function AgentEditor({ agent }: { agent: Agent }): ReactNode {
  const { text } = useTranslator();
  const [draft, setDraft] = useState<AgentSettings>(() => settingsOf(agent));
  return (
    <Page
      title={agentName(agent, text)}
      above={
        <Anchor size="sm" renderRoot={(props) => <Link to="/agents" {...props} />}>
          {text('agents.title')}
        </Anchor>
      }
      actions={
        <>
          {!agent.allDatastores && <DeleteAgent agent={agent} />}
          <Button
            variant="default"
            renderRoot={(props) => <Link to="/conversations" search={{ agent: agent.id }} {...props} />}
          >
            {text('conversations.title')}
          </Button>
          <Button
            variant="default"
            renderRoot={(props) => <Link to="/ask" search={{ agent: agent.id }} {...props} />}
          >
            {text('agents.ask')}
          </Button>
        </>
      }
    >
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Stack>
            <AgentForm agent={agent} draft={draft} onChange={setDraft} />
            <PublishPanel agent={agent} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Paper withBorder>
            <Box p="md" pb={0}>
              <Title order={2}>{text('agents.try')}</Title>
              <Text size="sm" c="dimmed">
                {text('agents.tryHint')}
              </Text>
            </Box>
            <Box h={560} display="grid">
              <Chat
                isNarrow
                agent={agent}
                settings={{
                  systemPrompt: draft.systemPrompt,
                  minScore: draft.minScore,
                  temperature: draft.temperature,
                }}
              />
            </Box>
          </Paper>
        </Grid.Col>
      </Grid>
    </Page>
  );
}

function DeleteAgent({ agent }: { agent: Agent }): ReactNode {
  const { text } = useTranslator();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  return (
    <ConfirmButton
      title={text('agents.deleteTitle')}
      question={text('agents.deleteText', { name: agentName(agent, text) })}
      confirm={text('action.delete')}
      action={async () => {
        await client.agents.delete(agent.id);
        await navigate({ to: '/agents' });
        await queryClient.invalidateQueries({ queryKey: agentsQuery.queryKey });
      }}
    >
      {text('action.delete')}
    </ConfirmButton>
  );
}
