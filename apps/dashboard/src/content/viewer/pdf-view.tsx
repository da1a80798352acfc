import { ActionIcon, Box, Group, Loader, Stack, Text } from '@mantine/core';
import { skipToken, useQuery } from '@tanstack/react-query';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { GlobalWorkerOptions, getDocument } from 'pdfjs-dist';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { client } from '../../client.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Icon } from '../../components/icon.js';
import { useTranslator } from '../../messages/messages.js';
import { drawPage, pageOfQuote, type Rectangle } from './draw-page.js';
import classes from './reader.module.css';

GlobalWorkerOptions.workerSrc = new URL('pdfjs-dist/build/pdf.worker.min.mjs', import.meta.url).href;

interface PdfViewProps {
  datasourceId: string;
  /** The page on which the cited passage begins. */
  initialPage: number;
  /** What is marked; null without a citation. */
  quote: string | null;
  /** Whether the quote starts after its passage does. Then it may be on a later page. */
  startsLater: boolean;
}

/** One page of a PDF at a time, with the quote marked. */
export function PdfView({ datasourceId, initialPage, quote, startsLater }: PdfViewProps): ReactNode {
  const { text } = useTranslator();
  const pdf = useQuery({
    queryKey: ['pdf', datasourceId],
    queryFn: async () => {
      const { stream } = await client.datasources.file(datasourceId);
      const data = new Uint8Array(await new Response(stream).arrayBuffer());
      return getDocument({ data }).promise;
    },
    staleTime: Infinity,
    gcTime: 60_000,
    structuralSharing: false,
  });
  const quotePage = useQuery({
    queryKey: ['quote-page', datasourceId, initialPage, quote],
    queryFn:
      pdf.data && startsLater && quote !== null ? () => pageOfQuote(pdf.data, initialPage, quote) : skipToken,
    staleTime: Infinity,
  });
  const firstPage = quotePage.data ?? initialPage;
  const [chosenPage, setPage] = useState<number | null>(null);
  const page = chosenPage ?? firstPage;
  if (pdf.isError) return <ErrorNotice error={pdf.error} onRetry={() => void pdf.refetch()} />;
  if (pdf.isPending || quotePage.isLoading)
    return (
      <Group>
        <Loader size="sm" />
        <Text size="sm">{text('reader.loadingPage')}</Text>
      </Group>
    );
  const total = pdf.data.numPages;
  return (
    <Stack>
      <Group gap="xs">
        <ActionIcon
          variant="default"
          aria-label={text('reader.previous')}
          disabled={page <= 1}
          onClick={() => setPage(page - 1)}
        >
          <Icon name="back" />
        </ActionIcon>
        <Text size="sm" aria-live="polite">
          {text('reader.page', { page, total })}
        </Text>
        <ActionIcon
          variant="default"
          aria-label={text('reader.next')}
          disabled={page >= total}
          onClick={() => setPage(page + 1)}
        >
          <Icon name="forward" />
        </ActionIcon>
      </Group>
      <Sheet pdf={pdf.data} page={Math.min(page, total)} quote={page === firstPage ? quote : null} />
    </Stack>
  );
}

function Sheet({
  pdf,
  page,
  quote,
}: {
  pdf: PDFDocumentProxy;
  page: number;
  quote: string | null;
}): ReactNode {
  const { text } = useTranslator();
  const canvas = useRef<HTMLCanvasElement>(null);
  const marks = useRef<HTMLDivElement>(null);
  const [rectangles, setRectangles] = useState<readonly Rectangle[] | null>(null);
  useEffect(() => {
    const target = canvas.current;
    if (!target) return;
    const drawing = new AbortController();
    drawPage(pdf, page, { canvas: target, quote, signal: drawing.signal }).then(
      setRectangles,
      () => undefined,
    );
    return () => drawing.abort();
  }, [pdf, page, quote]);
  useEffect(() => {
    if (rectangles?.length) marks.current?.firstElementChild?.scrollIntoView({ block: 'center' });
  }, [rectangles]);
  return (
    <Stack gap="xs">
      {quote !== null && rectangles?.length === 0 && (
        <Text size="sm" c="dimmed">
          {text('reader.quoteNotFound')}
        </Text>
      )}
      <Box className={classes['sheet'] ?? ''}>
        <canvas ref={canvas} role="img" aria-label={text('reader.page', { page, total: pdf.numPages })} />
        <div ref={marks} data-testid="quote-marks">
          {rectangles?.map(({ left, top, width, height }, index) => (
            <div
              key={index}
              className={classes['quote']}
              style={{ left: `${left}%`, top: `${top}%`, width: `${width}%`, height: `${height}%` }}
            />
          ))}
        </div>
      </Box>
    </Stack>
  );
}
