import { Box, Button, Group, Select, Skeleton, VisuallyHidden } from '@mantine/core';
import { useDocumentTitle, useMediaQuery } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Navigate, useNavigate, useRouterState } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { agentsQuery } from '../agents/agents.js';
import { agentOptions } from '../agents/agent-options.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Icon } from '../../components/icon.js';
import { useTranslator } from '../../messages/messages.js';
import { ToldAboutReaders } from '../../content/readers/reader-list.js';
import classes from './ask.module.css';
import { Chat } from './chat.js';
import { useOpenCitation } from './open-citation.js';
import { refreshOwnConversations } from './own-conversations.js';

const CONVERSATION_KEY = 'citewell-conversation';

/**
 * The conversation that this tab left while an answer was being written. Whoever comes back to the page without an address
 * finds it there.
 */
const unfinishedConversation = {
  get(): Place | null {
    const [agent, conversation] = sessionStorage.getItem(CONVERSATION_KEY)?.split(' ', 2) ?? [];
    if (agent === undefined || conversation === undefined) return null;
    return { agent, conversation: decodeURIComponent(conversation) };
  },
  set({ agent, conversation }: Place): void {
    // Clients choose the ids of conversations.
    sessionStorage.setItem(CONVERSATION_KEY, `${agent} ${encodeURIComponent(conversation)}`);
  },
  clear(): void {
    sessionStorage.removeItem(CONVERSATION_KEY);
  },
};

/** Not needed for the first answer. */
const ConversationPanel = lazy(async () => ({
  default: (await import('./conversation-list.js')).ConversationPanel,
}));

const route = getRouteApi('/ask');

const LAST_AGENT_KEY = 'citewell-agent';
/** From this width on, the list of conversations is beside the answers. */
const WIDE = '(min-width: 75em)';

/** Asks the agent of the address, or the one that this browser used last, or the one that answers from all libraries. */
export function AskPage(): ReactNode {
  const translator = useTranslator();
  const { text } = translator;
  useDocumentTitle(`${text('ask.title')} · Citewell`);
  const navigate = useNavigate();
  const { agent: agentId, conversation } = route.useSearch();
  const queryClient = useQueryClient();
  const { citation } = useOpenCitation();
  // An open document takes the place of the list.
  const isWide = (useMediaQuery(WIDE) ?? false) && citation === null;
  // Another page is being opened: a redirect would replace it.
  const isLeaving = useRouterState({ select: ({ location }) => location.pathname !== '/ask' });
  const agents = useQuery(agentsQuery);
  const byId = (id: string | null | undefined) => agents.data?.find((agent) => agent.id === id);
  const agent = byId(agentId) ?? byId(localStorage.getItem(LAST_AGENT_KEY)) ?? agents.data?.[0];
  const shownId = agent?.id;
  useEffect(() => {
    if (shownId !== undefined) localStorage.setItem(LAST_AGENT_KEY, shownId);
  }, [shownId]);

  if (agents.isError) return <ErrorNotice error={agents.error} onRetry={() => void agents.refetch()} />;
  const isEmpty = agents.data?.every(({ datastoreIds }) => datastoreIds.length === 0);
  if (agents.isPending || (isLeaving && isEmpty)) return <Skeleton h={320} m="xl" />;
  if (!agent || isEmpty) return <Navigate to="/welcome" replace />;
  const last = unfinishedConversation.get();
  if (agentId === undefined && conversation === undefined && !isLeaving && last && byId(last.agent))
    return <Navigate to="/ask" search={last} replace />;
  const conversations = (
    <Suspense fallback={isWide && <div className={classes['list']} />}>
      <ConversationPanel
        isWide={isWide}
        current={{ id: conversation, agentId: agent.id }}
        onDeleted={() => void navigate({ to: '/ask', search: { agent: agent.id } })}
      />
    </Suspense>
  );
  return (
    <Box className={classes['withList'] ?? ''}>
      {isWide && conversations}
      <Box className={classes['page'] ?? ''}>
        <VisuallyHidden component="h1">{text('ask.title')}</VisuallyHidden>
        <Group
          component="header"
          justify="space-between"
          wrap="nowrap"
          px="md"
          h={56}
          className={classes['bar'] ?? ''}
        >
          {!isWide && conversations}
          <Select
            aria-label={text('ask.agent')}
            data={agentOptions(agents.data, translator)}
            value={agent.id}
            allowDeselect={false}
            onChange={(id) => void navigate({ to: '/ask', search: { agent: id ?? undefined } })}
            maw={360}
            flex={1}
          />
          <Button
            variant="default"
            aria-label={text('ask.new')}
            disabled={conversation === undefined}
            onClick={() => void navigate({ to: '/ask', search: { agent: agent.id } })}
          >
            <Icon name="plus" size={16} />
            <Box component="span" visibleFrom="sm" ml="xs">
              {text('ask.new')}
            </Box>
          </Button>
        </Group>
        <ToldAboutReaders px="md" py={4} />
        <Chat
          key={agent.id}
          agent={agent}
          conversationId={conversation}
          onStreaming={(isStreaming) => {
            if (isStreaming && conversation !== undefined)
              unfinishedConversation.set({ agent: agent.id, conversation });
            else unfinishedConversation.clear();
            void refreshOwnConversations(queryClient);
          }}
          onConversation={(id) =>
            void navigate({ to: '/ask', search: { agent: agent.id, conversation: id }, replace: true })
          }
        />
      </Box>
    </Box>
  );
}

/** A conversation in the address of the page. */
interface Place {
  agent: string;
  conversation: string;
}
