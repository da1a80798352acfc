import { Badge, Group, Paper, Skeleton, Stack, Text } from '@mantine/core';
import type { FeedbackItem } from '@citewell/sdk';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { request } from '../../request.js';
import { EmptyState } from '../../components/empty-state.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Icon } from '../../components/icon.js';
import { AddToQuestionsButton } from '../../evaluation/add-to-questions.js';
import { useTranslator } from '../../messages/messages.js';

const ITEMS = 100;

/** The newest questions without an answer, and ratings, of everybody, without names. */
export function FeedbackList({
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
        `/feedback?limit=${ITEMS}${agentId === undefined ? '' : `&agentId=${agentId}`}`,
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
