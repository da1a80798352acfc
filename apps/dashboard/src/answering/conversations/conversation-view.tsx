import { Button, Group, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { type ConversationFilter, markSentences, type Message } from '@citewell/sdk';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { agentQuery } from '../agents/agents.js';
import { AnswerMarkdown, Contradictions, CopyAnswer } from '../ask/answer-view.js';
import classes from '../ask/ask.module.css';
import { Sources } from '../ask/sources.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Icon } from '../../components/icon.js';
import { AddToQuestionsButton } from '../../evaluation/add-to-questions.js';
import { AddDocumentsButton } from '../../content/library/document-links.js';
import { useTranslator } from '../../messages/messages.js';
import { Permitted } from '../../identity/sign-in/session.js';
import { client, pagesQuery } from '../../client.js';

const CONVERSATIONS_PER_PAGE = 50;
const MAX_MESSAGES = 100;

/** Conversations, the latest first, page by page. */
export const conversationsQuery = (filter: ConversationFilter) =>
  pagesQuery(['conversations', filter], (cursor) =>
    client.conversations.list({ ...filter, limit: CONVERSATIONS_PER_PAGE, cursor }).first(),
  );

/** A conversation with its newest messages. Clients choose the ids, so the agent belongs to the key. */
const conversationQuery = (id: string, agentId: string) =>
  queryOptions({
    queryKey: ['conversation', agentId, id],
    queryFn: () => client.conversations.get(id, { agentId, limit: MAX_MESSAGES }),
  });

/** The messages of a conversation. An unanswered question links to the library to which the answer can be added. */
export function ConversationView({ id, agentId }: { id: string; agentId: string }): ReactNode {
  const conversation = useQuery(conversationQuery(id, agentId));
  const { data: agent } = useQuery(agentQuery(agentId));
  if (conversation.isError)
    return <ErrorNotice error={conversation.error} onRetry={() => void conversation.refetch()} />;
  if (conversation.isPending) return <Skeleton h={320} />;
  const messages = conversation.data.messages.toReversed();
  return (
    <Paper withBorder p="md">
      <Stack gap="lg">
        {messages.map((message, index) =>
          message.from === 'human' ? (
            <Text key={message.id} className={classes['question'] ?? ''} dir="auto">
              {message.text}
            </Text>
          ) : (
            <Answer
              key={message.id}
              message={message}
              question={messages[index - 1]?.text ?? ''}
              datastoreId={agent?.datastoreIds[0]}
            />
          ),
        )}
      </Stack>
    </Paper>
  );
}

function Answer({
  message,
  question,
  datastoreId,
}: {
  message: Message;
  question: string;
  datastoreId: string | undefined;
}): ReactNode {
  const { text } = useTranslator();
  const [active, setActive] = useState<number | null>(null);
  const { sources, abstained, state, rating, comment } = message;
  const answer = markSentences(message.text, message.sentences);
  return (
    <Stack gap="sm">
      <div className={abstained ? classes['abstained'] : undefined}>
        <AnswerMarkdown text={answer} sources={sources} activeNumber={active} onActive={setActive} />
        {abstained && datastoreId !== undefined && (
          <Group gap="xs">
            <Permitted>
              <AddDocumentsButton datastoreId={datastoreId} />
            </Permitted>
            <Button
              size="xs"
              variant="default"
              renderRoot={(props) => (
                <Link
                  to="/library/$datastoreId"
                  params={{ datastoreId }}
                  search={{ query: question }}
                  {...props}
                />
              )}
            >
              {text('conversations.playground')}
            </Button>
            {question !== '' && <AddToQuestionsButton question={question} />}
          </Group>
        )}
      </div>
      <Contradictions sentences={message.sentences} />
      {(state === 'stopped' || state === 'failed') && (
        <Text size="sm" c="dimmed">
          {text('ask.interrupted')}
        </Text>
      )}
      {answer !== '' && <CopyAnswer text={answer} sources={sources} />}
      {rating !== undefined && (
        <Stack gap={4}>
          <Group gap="xs">
            <Icon name={rating === 'good' ? 'up' : 'down'} size={16} />
            <Text size="sm">{text(`ask.${rating}`)}</Text>
            {rating === 'bad' && question !== '' && <AddToQuestionsButton question={question} />}
          </Group>
          {comment !== undefined && (
            <Text size="sm" dir="auto" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {text('conversations.comment', { comment })}
            </Text>
          )}
        </Stack>
      )}
      {sources.some(({ cited }) => cited) && (
        <Sources sources={sources} activeNumber={active} onActive={setActive} />
      )}
    </Stack>
  );
}
