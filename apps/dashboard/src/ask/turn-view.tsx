import { ActionIcon, Button, Group, Skeleton, Stack, Text, Tooltip } from '@mantine/core';
import type { Agent, Rating } from '@citewell/sdk';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { client } from '../client.js';
import { ErrorNotice } from '../components/error-notice.js';
import { Icon } from '../components/icon.js';
import { useTranslator } from '../messages/messages.js';
import { AnswerMarkdown } from './answer-markdown.js';
import classes from './ask.module.css';
import { Sources } from './sources.js';
import { isWorthRetrying, type Turn } from './use-chat.js';

interface TurnViewProps {
  turn: Turn;
  agent: Pick<Agent, 'id' | 'datastoreIds'>;
  conversationId: string | undefined;
  showsSources: boolean;
  activeNumber: number | null;
  onActive: (number: number | null) => void;
  onRetry: () => void;
}

/** A question with its answer. */
export function TurnView(props: TurnViewProps): ReactNode {
  const { text } = useTranslator();
  const { turn, agent, conversationId, showsSources, activeNumber, onActive, onRetry } = props;
  const { question, state, abstained, sources, messageId, error } = turn;
  return (
    <Stack gap="md" component="article">
      <Text className={classes['question'] ?? ''} dir="auto">
        {question}
      </Text>
      {turn.text === '' && state === 'streaming' ? (
        <Stack gap={8}>
          <Skeleton h={12} w="90%" />
          <Skeleton h={12} w="70%" />
        </Stack>
      ) : (
        <div className={abstained ? classes['abstained'] : undefined}>
          <AnswerMarkdown
            text={turn.text}
            sources={sources}
            activeNumber={activeNumber}
            onActive={onActive}
          />
          {abstained && <AbstainedHint agent={agent} />}
        </div>
      )}
      {state === 'failed' && <ErrorNotice error={error} {...(isWorthRetrying(error) ? { onRetry } : {})} />}
      {state === 'stopped' && (
        <Text size="sm" c="dimmed">
          {text('ask.stopped')}
        </Text>
      )}
      {showsSources && sources.length > 0 && (
        <Sources sources={sources} activeNumber={activeNumber} onActive={onActive} />
      )}
      {messageId !== null && conversationId !== undefined && (
        <RatingButtons agentId={agent.id} conversationId={conversationId} messageId={messageId} />
      )}
    </Stack>
  );
}

function AbstainedHint({ agent }: { agent: Pick<Agent, 'datastoreIds'> }): ReactNode {
  const { text } = useTranslator();
  const [datastoreId] = agent.datastoreIds;
  return (
    <Stack gap="xs" align="flex-start">
      <Text size="sm" c="dimmed">
        {text('ask.abstainedHint')}
      </Text>
      {datastoreId !== undefined && (
        <Button
          size="xs"
          variant="default"
          renderRoot={(props) => <Link to="/library/$datastoreId" params={{ datastoreId }} {...props} />}
        >
          {text('ask.addDocuments')}
        </Button>
      )}
    </Stack>
  );
}

const RATINGS: readonly [rating: Rating, icon: 'up' | 'down'][] = [
  ['good', 'up'],
  ['bad', 'down'],
];

function RatingButtons({
  agentId,
  conversationId,
  messageId,
}: {
  agentId: string;
  conversationId: string;
  messageId: string;
}): ReactNode {
  const { text } = useTranslator();
  const rate = useMutation({
    mutationFn: (rating: Rating) =>
      client.conversations.rate(conversationId, messageId, { rating }, { agentId }),
  });
  return (
    <Group gap={4}>
      {RATINGS.map(([rating, icon]) => (
        <Tooltip key={rating} label={text(`ask.${rating}`)}>
          <ActionIcon
            variant={rate.variables === rating && rate.isSuccess ? 'light' : 'subtle'}
            color={rate.variables === rating && rate.isSuccess ? 'teal' : 'gray'}
            aria-label={text(`ask.${rating}`)}
            aria-pressed={rate.variables === rating && rate.isSuccess}
            onClick={() => rate.mutate(rating)}
          >
            <Icon name={icon} size={16} />
          </ActionIcon>
        </Tooltip>
      ))}
      <Text size="xs" c="dimmed" role="status">
        {rate.isSuccess && text('ask.thanks')}
      </Text>
    </Group>
  );
}
