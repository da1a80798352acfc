import { Badge, Collapse, Group, Paper, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { conditionTexts, type Source, withoutMarkdown } from '@citewell/sdk';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslator } from '../../messages/messages.js';
import { placeOf } from '../../content/viewer/citations.js';
import classes from './ask.module.css';
import { type CitationProps, lightUp } from './citation-link.js';
import { useCitationClick } from './open-citation.js';
import { TableQueries } from './table-queries.js';
import { shownQuote } from './turn.js';

interface SourcesProps {
  sources: readonly Source[];
  activeNumber: number | null;
  onActive: (number: number | null) => void;
}

/** The passages that an answer cites, without the others. */
export function CitedSources({ sources, activeNumber, onActive }: SourcesProps): ReactNode {
  const cited = sources.filter((source) => source.cited);
  return sources.flatMap((source, index) =>
    source.cited
      ? [
          <SourceCard
            key={index}
            source={source}
            citations={cited}
            number={index + 1}
            isActive={index + 1 === activeNumber}
            onActive={onActive}
          />,
        ]
      : [],
  );
}

/** The passages of an answer: those that it cites, and the others on request. */
export function Sources({ sources, activeNumber, onActive }: SourcesProps): ReactNode {
  const { text, counted } = useTranslator();
  const [isOpen, { toggle }] = useDisclosure(false);
  const numbered = sources.map((source, index) => ({ source, number: index + 1 }));
  const cited = numbered.filter(({ source }) => source.cited);
  const others = numbered.filter(({ source }) => !source.cited);
  const cards = (items: typeof numbered): ReactNode =>
    items.map(({ source, number }) => (
      <SourceCard
        key={number}
        source={source}
        citations={cited.map((item) => item.source)}
        number={number}
        isActive={number === activeNumber}
        onActive={onActive}
      />
    ));
  return (
    <Stack gap="sm">
      <Title order={2} fz="sm">
        {text('ask.sources')}
      </Title>
      {cited.length === 0 && (
        <Text size="sm" c="dimmed">
          {text('ask.sourcesHint')}
        </Text>
      )}
      {cards(cited)}
      {others.length > 0 && (
        <>
          <UnstyledButton onClick={toggle} aria-expanded={isOpen}>
            <Text size="xs" c="dimmed" td="underline">
              {counted('ask.otherSources', others.length)}
            </Text>
          </UnstyledButton>
          <Collapse expanded={isOpen}>
            <Stack gap="sm">{cards(others)}</Stack>
          </Collapse>
        </>
      )}
    </Stack>
  );
}

/** The quote with its document and place, which open it there; the whole passage on request. */
function SourceCard({ source, citations, ...citation }: CitationProps): ReactNode {
  const { text, ago, language } = useTranslator();
  const [isWhole, { toggle }] = useDisclosure(false);
  const {
    datasource_name,
    title: name = datasource_name,
    page_number: page,
    confidence,
    described,
    heading_path: headings = [],
    quote,
    table,
  } = source;
  const place = [
    ...(page === undefined ? [] : [text('ask.page', { page })]),
    ...(confidence === undefined ? [] : [text('ask.recognized', { confidence })]),
    ...(described ? [text('ask.described')] : []),
    ...headings.slice(-1),
    ...(table ? conditionTexts(table, language) : []),
    ...(source.added ? [text('ask.added')] : []),
  ];
  const click = useCitationClick(source, citations);
  const isPart = quote !== undefined && quote.text.length < source.text.trim().length;
  return (
    <Paper withBorder p="sm" className={classes['card'] ?? ''} {...lightUp(citation)}>
      <Stack gap={4} renderRoot={(props) => <Link {...placeOf(source, citations)} {...click} {...props} />}>
        <Group gap={8} wrap="nowrap">
          <Badge size="sm" circle variant="light" style={{ flexShrink: 0 }}>
            {citation.number}
          </Badge>
          <Text size="sm" fw={600} truncate title={name} dir="auto">
            {name}
          </Text>
        </Group>
        {place.length > 0 && (
          <Text size="xs" c="dimmed" truncate>
            {place.join(' · ')}
          </Text>
        )}
        {source.changed_at !== undefined && (
          <Text size="xs" c="dimmed">
            {text('ask.changed', { ago: ago(source.changed_at) })}
          </Text>
        )}
        <Text size="sm" lineClamp={quote ? 10 : 5} dir="auto" className={classes['passage'] ?? ''}>
          {shownQuote(quote?.text ?? source.text)}
        </Text>
      </Stack>
      {isPart && (
        <>
          <UnstyledButton onClick={toggle} aria-expanded={isWhole} mt={4}>
            <Text size="xs" c="dimmed" td="underline">
              {text('ask.passage')}
            </Text>
          </UnstyledButton>
          {isWhole && (
            <Text size="xs" c="dimmed" mt={4} dir="auto" className={classes['passage'] ?? ''}>
              {withoutMarkdown(source.text)}
            </Text>
          )}
        </>
      )}
      {table?.queries && <TableQueries queries={table.queries} />}
    </Paper>
  );
}
