import { Button, Paper, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode, useEffect, useRef, useState } from 'react';
import { client } from '../client.js';
import { ErrorNotice } from '../components/error-notice.js';
import { useTranslator } from '../messages/messages.js';
import classes from './reader.module.css';

/** Characters before and after the quote that are shown first, and that each button adds. */
const STEP = 20_000;

interface Range {
  readonly start: number;
  readonly end: number;
}

/** A part of the canonical text around a quote, which is marked and scrolled into view. */
export function TextView({ datasourceId, quote }: { datasourceId: string; quote: Range | null }): ReactNode {
  const { text } = useTranslator();
  const [range, setRange] = useState<Range>(() => ({
    start: Math.max(0, (quote?.start ?? 0) - STEP),
    end: (quote?.end ?? 0) + STEP,
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
        <MarkedText text={part.data.text} start={start} quote={quote} markRef={mark} />
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
  quote,
  markRef,
}: {
  text: string;
  /** The offset of `text` in the document. */
  start: number;
  quote: Range | null;
  markRef: React.Ref<HTMLElement>;
}): ReactNode {
  if (quote === null) return text;
  const from = Math.max(0, quote.start - start);
  const to = Math.max(from, quote.end - start);
  return (
    <Fragment>
      {text.slice(0, from)}
      <mark ref={markRef} tabIndex={-1}>
        {text.slice(from, to)}
      </mark>
      {text.slice(to)}
    </Fragment>
  );
}
