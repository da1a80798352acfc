import { Paper, Skeleton, Stack, Text } from '@mantine/core';
import { CitewellError, markSentences, type Message, type SharedConversation } from '@citewell/sdk';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { AnswerMarkdown, Contradictions } from '../ask/answer-view.js';
import classes from '../ask/ask.module.css';
import { CitedSources } from '../ask/sources.js';
import { request } from '../../client.js';
import { EmptyState } from '../../components/empty-state.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Page } from '../../components/page.js';
import { useTranslator } from '../../messages/messages.js';

const route = getRouteApi('/shared/$shareId');
const MESSAGES = 100;

/** A conversation that somebody else shares, to read. */
export function SharedPage(): ReactNode {
  const { text, time } = useTranslator();
  const { shareId } = route.useParams();
  const shared = useQuery({
    queryKey: ['shared-conversation', shareId],
    queryFn: () =>
      request<SharedConversation>(
        'GET',
        `/shared-conversations/${encodeURIComponent(shareId)}?limit=${MESSAGES}`,
      ),
    retry: false,
  });
  if (shared.isPending) return <Skeleton h={320} m="xl" />;
  if (shared.isError) {
    const isGone = shared.error instanceof CitewellError && shared.error.code === 'NOT_FOUND';
    return (
      <Page title={text('own.sharedGone')}>
        {isGone ? (
          <EmptyState icon="ask" title={text('own.sharedGoneText')} />
        ) : (
          <ErrorNotice error={shared.error} onRetry={() => void shared.refetch()} />
        )}
      </Page>
    );
  }
  const { title, sharedBy, sharedAt, messages } = shared.data;
  const at = { time: time(sharedAt) };
  return (
    <Page
      title={title}
      text={
        sharedBy === null ? text('own.sharedBySomebody', at) : text('own.sharedBy', { name: sharedBy, ...at })
      }
    >
      <Paper withBorder p="md">
        <Stack gap="lg">
          {messages.toReversed().map((message) =>
            message.from === 'human' ? (
              <Text key={message.id} className={classes['question'] ?? ''} dir="auto">
                {message.text}
              </Text>
            ) : (
              <Answer key={message.id} message={message} />
            ),
          )}
        </Stack>
      </Paper>
    </Page>
  );
}

function Answer({
  message: { text, sentences, sources, abstained = false },
}: {
  message: Message;
}): ReactNode {
  const [active, setActive] = useState<number | null>(null);
  return (
    <Stack gap="sm">
      <div className={abstained ? classes['abstained'] : undefined}>
        <AnswerMarkdown
          text={markSentences(text, sentences)}
          sources={sources}
          activeNumber={active}
          onActive={setActive}
        />
      </div>
      <Contradictions sentences={sentences} />
      <CitedSources sources={sources} activeNumber={active} onActive={setActive} />
    </Stack>
  );
}
