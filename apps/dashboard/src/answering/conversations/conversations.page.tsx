import {
  Anchor,
  Badge,
  Button,
  Grid,
  Group,
  Paper,
  SegmentedControl,
  Select,
  Skeleton,
  Stack,
  Text,
} from '@mantine/core';
import type { Conversation, ConversationFilter, FeedbackItem } from '@citewell/sdk';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { agentsQuery } from '../agents/agents.js';
import { agentOptions } from '../agents/agent-options.js';
import { client, request, saveStream } from '../../client.js';
import { EmptyState } from '../../components/empty-state.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Icon } from '../../components/icon.js';
import { Page } from '../../components/page.js';
import classes from '../../components/card.module.css';
import { MoreButton } from '../../components/query.js';
import { useTranslator } from '../../messages/messages.js';
import { useSession } from '../../identity/sign-in/session.js';
import { AddToQuestionsButton } from '../../evaluation/add-to-questions.js';
import { conversationsQuery, ConversationView } from './conversation-view.js';

const MAX_FEEDBACK_ITEMS = 100;

const route = getRouteApi('/conversations');

const VIEWS = ['all', 'unanswered', 'disliked'] as const;
/** For owners, who do not read every conversation. */
const FEEDBACK = 'feedback';
type View = (typeof VIEWS)[number] | typeof FEEDBACK;

const FILTERS: Readonly<Record<View, ConversationFilter>> = {
  all: {},
  unanswered: { unanswered: true },
  disliked: { rating: 'bad' },
  feedback: {},
};

/** What was asked: all conversations, or those that need attention, with the chosen one beside the list. */
export function ConversationsPage(): ReactNode {
  const translator = useTranslator();
  const { text } = translator;
  const navigate = useNavigate();
  const isAdministrator = useSession().scopes.includes('admin');
  const { agent, view = 'all', conversation, of } = route.useSearch();
  const agents = useQuery(agentsQuery);
  const filter: ConversationFilter = { ...FILTERS[view], ...(agent === undefined ? {} : { agentId: agent }) };
  const isFeedback = view === FEEDBACK && isAdministrator;
  const list = useInfiniteQuery({ ...conversationsQuery(filter), enabled: !isFeedback });
  const rows = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const names = new Map(agents.data?.map(({ id, name }) => [id, name]));
  return (
    <Page
      title={text('conversations.title')}
      text={text('conversations.text')}
      above={
        <Anchor size="sm" renderRoot={(props) => <Link to="/agents" {...props} />}>
          {text('agents.title')}
        </Anchor>
      }
      actions={<ExportButton filter={filter} />}
    >
      <Group>
        <SegmentedControl
          size="xs"
          aria-label={text('documents.filter')}
          value={view}
          onChange={(value) =>
            void navigate({ to: '/conversations', search: { agent, view: value as View } })
          }
          data={[
            ...VIEWS.map((value) => ({ value, label: text(`conversations.${value}`) })),
            ...(isAdministrator ? [{ value: FEEDBACK, label: text('own.feedback') }] : []),
          ]}
        />
        <Select
          size="xs"
          aria-label={text('ask.agent')}
          placeholder={text('conversations.allAgents')}
          clearable
          data={agentOptions(agents.data ?? [], translator)}
          value={agent ?? null}
          onChange={(id) => void navigate({ to: '/conversations', search: { agent: id ?? undefined, view } })}
        />
      </Group>
      {isFeedback && <FeedbackList agentId={agent} names={names} />}
      {list.isError && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
      {!isFeedback && list.isSuccess && rows.length === 0 && (
        <EmptyState icon="ask" title={text(`conversations.none.${view === FEEDBACK ? 'all' : view}`)} />
      )}
      {!isFeedback && (
        <Grid gap="lg">
          <Grid.Col span={{ base: 12, md: conversation === undefined ? 12 : 5 }}>
            <Stack gap="xs">
              {list.isPending && [1, 2, 3].map((key) => <Skeleton key={key} h={72} />)}
              {rows.map((row) => (
                <ConversationRow
                  key={`${row.agentId} ${row.id}`}
                  conversation={row}
                  agentName={names.get(row.agentId) ?? ''}
                  isChosen={row.id === conversation && row.agentId === of}
                  search={{ agent, view, conversation: row.id, of: row.agentId }}
                />
              ))}
              <MoreButton of={list} />
            </Stack>
          </Grid.Col>
          {conversation !== undefined && of !== undefined && (
            <Grid.Col span={{ base: 12, md: 7 }}>
              <ConversationView key={`${of} ${conversation}`} id={conversation} agentId={of} />
            </Grid.Col>
          )}
        </Grid>
      )}
    </Page>
  );
}

function ConversationRow({
  conversation,
  agentName,
  isChosen,
  search,
}: {
  conversation: Conversation;
  agentName: string;
  isChosen: boolean;
  search: { agent: string | undefined; view: View; conversation: string; of: string };
}): ReactNode {
  const { text, ago, counted } = useTranslator();
  const { title, updatedAt, messageCount, answered, rating, own } = conversation;
  const person = own ? null : conversation.person;
  return (
    <Paper
      withBorder
      p="sm"
      className={classes['card'] ?? ''}
      data-active={isChosen || undefined}
      renderRoot={(props) => <Link to="/conversations" search={search} resetScroll={false} {...props} />}
    >
      <Stack gap={4}>
        <Text fw={500} lineClamp={2} dir="auto">
          {title}
        </Text>
        <Group gap="xs">
          <Text size="xs" c="dimmed">
            {[agentName, person?.name, counted('conversations.messages', messageCount), ago(updatedAt)]
              .filter(Boolean)
              .join(' · ')}
          </Text>
          {!answered && (
            <Badge size="sm" color="yellow" variant="light" autoContrast={false} c="inherit" tt="none">
              {text('conversations.unanswered')}
            </Badge>
          )}
          {rating !== null && <Icon name={rating === 'good' ? 'up' : 'down'} size={14} />}
        </Group>
      </Stack>
    </Paper>
  );
}

function ExportButton({ filter }: { filter: ConversationFilter }): ReactNode {
  const { text } = useTranslator();
  const save = useMutation({
    mutationFn: async () => saveStream(await client.conversations.export(filter), 'conversations.csv'),
  });
  return (
    <Button
      variant="default"
      leftSection={<Icon name="download" size={16} />}
      loading={save.isPending}
      onClick={() => save.mutate()}
    >
      {text('conversations.export')}
    </Button>
  );
}

/** The newest questions without an answer, and ratings, of everybody, without names. */
function FeedbackList({
  agentId,
  names,
}: {
  agentId: string | undefined;
  names: ReadonlyMap<string, string>;
}): ReactNode {
  const { text } = useTranslator();
  const feedback = useQuery({
    queryKey: ['feedback', agentId],
    queryFn: () =>
      request<FeedbackItem[]>(
        'GET',
        `/feedback?limit=${MAX_FEEDBACK_ITEMS}${agentId === undefined ? '' : `&agentId=${agentId}`}`,
      ),
  });
  if (feedback.isError) return <ErrorNotice error={feedback.error} onRetry={() => void feedback.refetch()} />;
  if (feedback.isPending) return <Skeleton h={160} />;
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        {text('own.feedbackText')}
      </Text>
      {feedback.data.length === 0 && <EmptyState icon="ask" title={text('own.feedbackNone')} />}
      {feedback.data.map((item) => (
        <FeedbackCard key={item.id} item={item} agentName={names.get(item.agentId) ?? ''} />
      ))}
    </Stack>
  );
}

function FeedbackCard({ item, agentName }: { item: FeedbackItem; agentName: string }): ReactNode {
  const { text, ago } = useTranslator();
  const { question, abstained, rating, comment, createdAt } = item;
  return (
    <Paper withBorder p="sm">
      <Stack gap={4}>
        <Text fw={500} dir="auto" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {question}
        </Text>
        {comment !== null && (
          <Text size="sm" dir="auto" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
            {text('conversations.comment', { comment })}
          </Text>
        )}
        <Group gap="xs">
          <Text size="xs" c="dimmed">
            {[agentName, ago(createdAt)].join(' · ')}
          </Text>
          {abstained && (
            <Badge size="sm" color="yellow" variant="light" autoContrast={false} c="inherit" tt="none">
              {text('conversations.unanswered')}
            </Badge>
          )}
          {rating !== null && <Icon name={rating === 'good' ? 'up' : 'down'} size={14} />}
          {question !== '' && <AddToQuestionsButton question={question} />}
        </Group>
      </Stack>
    </Paper>
  );
}
