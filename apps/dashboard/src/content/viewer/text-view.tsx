import { Button, Paper, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { client } from '../../client.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { useTranslator } from '../../messages/messages.js';
import type { Range } from './citations.js';
import classes from './reader.module.css';

/** Characters before and after the quote that are shown first, and that each button adds. */
const STEP = 20_000;

interface Cited {
  readonly passage: Range;
  /** Within the passage, or all of it. */
  readonly quote: Range;
}

/** A part of the canonical text around a quote, which is marked and scrolled into view. */
export function TextView({ datasourceId, cited }: { datasourceId: string; cited: Cited | null }): ReactNode {
  const { text } = useTranslator();
  const [range, setRange] = useState<Range>(() => ({
    start: Math.max(0, (cited?.passage.start ?? 0) - STEP),
    end: (cited?.passage.end ?? 0) + STEP,
  }));
  const part = useQuery({
    queryKey: ['text', datasourceId, range],
    queryFn: async () => ({ ...(await client.datasources.text(datasourceId, range)), start: range.start }),
    placeholderData: (previous) => previous,
  });
  const mark = useRef<HTMLElement>(null);
  const isLoaded = part.isSuccess;
  useEffect(() => {
    if (isLoaded) mark.current?.scrollIntoView({ block: 'center' });
  }, [isLoaded]);

  if (part.isError) return <ErrorNotice error={part.error} onRetry={() => void part.refetch()} />;
  if (part.isPending) return <Skeleton h={480} maw={760} />;
  const { length, start } = part.data;
  return (
    <Stack align="flex-start" maw={760}>
      {range.start > 0 && (
        <Button
          variant="default"
          size="xs"
          loading={part.isFetching}
          onClick={() => setRange(({ end }) => ({ start: Math.max(0, range.start - STEP), end }))}
        >
          {text('reader.earlier')}
        </Button>
      )}
      <Paper component="article" className={classes['text'] ?? ''} dir="auto">
        <MarkedText text={part.data.text} start={start} cited={cited} markRef={mark} />
      </Paper>
      {range.end < length && (
        <Button
          variant="default"
          size="xs"
          loading={part.isFetching}
          onClick={() => setRange(({ end }) => ({ start: range.start, end: Math.min(length, end + STEP) }))}
        >
          {text('reader.later')}
        </Button>
      )}
    </Stack>
  );
}

function MarkedText({
  text,
  start,
  cited,
  markRef,
}: {
  text: string;
  /** The offset of `text` in the document. */
  start: number;
  cited: Cited | null;
  markRef: React.Ref<HTMLElement>;
}): ReactNode {
  if (cited === null) return text;
  const { passage, quote } = cited;
  const piece = (from: number, to: number): string =>
    text.slice(Math.max(0, from - start), Math.max(0, to - start));
  return (
    <>
      {piece(start, passage.start)}
      <span className={classes['passage']}>
        {piece(passage.start, quote.start)}
        <mark ref={markRef} tabIndex={-1}>
          {piece(quote.start, quote.end)}
        </mark>
        {piece(quote.end, passage.end)}
      </span>
      {piece(passage.end, Infinity)}
    </>
  );
}
