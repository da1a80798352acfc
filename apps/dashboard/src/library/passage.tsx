import { Anchor, Group, Paper, Stack, Text, Tooltip } from '@mantine/core';
import type { ExplainedPassage, LegScore } from '@citewell/sdk';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslator } from '../messages/messages.js';

/** A passage that a search found, with its place in both rankings. */
export function Passage({ passage }: { passage: ExplainedPassage }): ReactNode {
  const { text, number } = useTranslator();
  const { datasource_id, datasource_name, start, end, page_number, heading_path = [] } = passage;
  const place = [
    ...(page_number === undefined ? [] : [text('ask.page', { page: page_number })]),
    ...heading_path,
  ];
  return (
    <Paper withBorder p="sm">
      <Stack gap={6}>
        <Group justify="space-between" wrap="nowrap" align="baseline">
          <Anchor
            fw={600}
            size="sm"
            truncate
            dir="auto"
            renderRoot={(props) => (
              <Link
                to="/documents/$datasourceId"
                params={{ datasourceId: datasource_id }}
                search={{ start, end, page: page_number }}
                {...props}
              />
            )}
          >
            {datasource_name}
          </Anchor>
          <Hint label={text('search.scoreHint')}>
            {text('search.score', { score: number(rounded(passage.score)) })}
          </Hint>
        </Group>
        {place.length > 0 && (
          <Text size="xs" c="dimmed" truncate>
            {place.join(' › ')}
          </Text>
        )}
        <Text size="sm" lineClamp={6} dir="auto" style={{ whiteSpace: 'pre-line' }}>
          {passage.text}
        </Text>
        <Group gap="md">
          <Leg name="words" score={passage.words} />
          <Leg name="meaning" score={passage.meaning} />
          {passage.rerank_score !== null && (
            <Hint label={text('search.rerankHint')}>
              {text('search.rerankScore', { score: number(rounded(passage.rerank_score)) })}
            </Hint>
          )}
        </Group>
      </Stack>
    </Paper>
  );
}

/** The rank of a passage by words or by meaning. */
function Leg({ name, score }: { name: 'words' | 'meaning'; score: LegScore | null }): ReactNode {
  const { text, number } = useTranslator();
  if (score === null) return null;
  return (
    <Hint label={text(`search.${name}Score`, { score: number(rounded(score.score)) })}>
      {text(`search.${name}Rank`, { rank: score.rank })}
    </Hint>
  );
}

/** A figure that says what it means when one hovers it. */
function Hint({ label, children }: { label: string; children: ReactNode }): ReactNode {
  return (
    <Tooltip label={label} multiline maw={280} events={{ hover: true, focus: true, touch: true }}>
      <Text size="xs" c="dimmed" tabIndex={0} style={{ whiteSpace: 'nowrap' }}>
        {children}
      </Text>
    </Tooltip>
  );
}

function rounded(score: number): number {
  return Math.round(score * 100) / 100;
}
