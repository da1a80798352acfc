import { Anchor, Group, Paper, Stack, Text, Tooltip } from '@mantine/core';
import type { ExplainedPassage, LegScore } from '@citewell/sdk';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslator } from '../../messages/messages.js';

/** How many passages of a search have a rank: see the operation `explain` of the API. */
const RANKED = { overall: 50, words: 100, meaning: 100 } as const;

/** A passage that a search found, with its places among all passages of the library. */
export function Passage({
  passage,
  isWithin,
  isOfLeg,
  hasMeaning,
}: {
  passage: ExplainedPassage;
  /** Only passages of one document are shown, so that a rank that is missing is what one wants to know. */
  isWithin: boolean;
  /** The passage was found by one search alone, whose relevance is not that for an agent. */
  isOfLeg: boolean;
  hasMeaning: boolean;
}): ReactNode {
  const { text, number } = useTranslator();
  const {
    datasource_id,
    datasource_name,
    start,
    end,
    page_number,
    confidence,
    described,
    heading_path = [],
  } = passage;
  const relevance = passage.overall?.score ?? (isOfLeg ? null : passage.score);
  const place = [
    ...(page_number === undefined ? [] : [text('ask.page', { page: page_number })]),
    ...(confidence === undefined ? [] : [text('ask.recognized', { confidence })]),
    ...(described ? [text('ask.described')] : []),
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
          {relevance !== null && (
            <Hint label={text('search.scoreHint')}>
              {text('search.score', { score: number(rounded(relevance)) })}
            </Hint>
          )}
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
          {isWithin && <Leg name="overall" score={passage.overall} isWithin />}
          <Leg name="words" score={passage.words} isWithin={isWithin} />
          {hasMeaning && <Leg name="meaning" score={passage.meaning} isWithin={isWithin} />}
          {passage.rerank_score !== null && (
            <Hint label={text('search.rerankHint')}>
              {text('search.rerankScore', { score: number(rounded(passage.rerank_score)) })}
            </Hint>
          )}
          {passage.missing_terms.length > 0 && (
            <Hint label={text('search.missingHint')}>
              {text('search.missing', { terms: passage.missing_terms.join(', ') })}
            </Hint>
          )}
        </Group>
      </Stack>
    </Paper>
  );
}

/** The rank of a passage in one search. */
function Leg({
  name,
  score,
  isWithin,
}: {
  name: keyof typeof RANKED;
  score: LegScore | null;
  isWithin: boolean;
}): ReactNode {
  const { text, number } = useTranslator();
  if (score !== null)
    return (
      <Hint label={text(`search.${name}Score`, { score: number(rounded(score.score)) })}>
        {text(`search.${name}Rank`, { rank: score.rank })}
      </Hint>
    );
  if (!isWithin) return null;
  return (
    <Text size="xs" c="dimmed">
      {text(`search.${name}None`, { count: RANKED[name] })}
    </Text>
  );
}

/** A figure that says what it means when one hovers it. */
function Hint({ label, children }: { label: string; children: ReactNode }): ReactNode {
  return (
    <Tooltip label={label} multiline maw={280} events={{ hover: true, focus: true, touch: true }}>
      <Text size="xs" c="dimmed" tabIndex={0} dir="auto">
        {children}
      </Text>
    </Tooltip>
  );
}

function rounded(score: number): number {
  return Math.round(score * 100) / 100;
}
