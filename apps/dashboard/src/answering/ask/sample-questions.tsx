import { Button, Stack, Text } from '@mantine/core';
import type { Agent } from '@citewell/sdk';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { client } from '../../client.js';
import { useTranslator } from '../../messages/messages.js';
import { SAMPLE_NAME, SAMPLE_QUESTIONS } from './sample.js';

type AskedAgent = Pick<Agent, 'id' | 'datastoreIds'>;

/** Whether the agent answers from the sample and was never asked. */
const showsSampleQuery = ({ id, datastoreIds }: AskedAgent) =>
  queryOptions({
    queryKey: ['sample', id, datastoreIds],
    queryFn: async () => {
      const conversations = await client.conversations.list({ agentId: id, limit: 1 }).first();
      if (conversations.items.length > 0) return false;
      const documents = await Promise.all(
        datastoreIds.map((datastoreId) => client.datasources.list({ datastoreId }).first()),
      );
      return documents.some(({ items }) =>
        items.some(({ type, name }) => type === 'text' && name === SAMPLE_NAME),
      );
    },
    // A kept result would show the questions again after the first one was asked.
    gcTime: 0,
  });

/** The name of the sample and questions that it answers, until the agent is asked for the first time. */
export function SampleQuestions({
  agent,
  onAsk,
}: {
  agent: AskedAgent;
  onAsk: (question: string) => void;
}): ReactNode {
  const { text } = useTranslator();
  const { data: isShown } = useQuery(showsSampleQuery(agent));
  if (!isShown) return null;
  return (
    <Stack gap="xs" align="center">
      <Text size="sm" c="dimmed">
        {text('ask.sample', { name: SAMPLE_NAME })}
      </Text>
      {SAMPLE_QUESTIONS.map((question) => (
        <Button key={question} variant="default" radius="xl" lang="en" onClick={() => onAsk(question)}>
          {question}
        </Button>
      ))}
    </Stack>
  );
}
