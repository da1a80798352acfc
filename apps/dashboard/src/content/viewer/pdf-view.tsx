import type { Datasource } from '@citewell/sdk';
import { Box, Group, Loader, Stack, Text } from '@mantine/core';
import { skipToken, useQuery } from '@tanstack/react-query';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { GlobalWorkerOptions, getDocument } from 'pdfjs-dist';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { client } from '../../client.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { useTranslator } from '../../messages/messages.js';
import { drawPage, pageOfQuote, type Rectangle } from './draw-page.js';
import type { Range } from './citations.js';
import { PageSwitch } from './page-switch.js';
import classes from './reader.module.css';
import {
  MarksLegend,
  placeStyle,
  quoteRectangles,
  usePageWords,
  useRecognizedQuotePage,
  WordMarks,
} from './word-marks.js';

GlobalWorkerOptions.workerSrc = new URL('pdfjs-dist/build/pdf.worker.min.mjs', import.meta.url).href;

interface PdfViewProps {
  datasource: Datasource;
  /** The page on which the cited passage begins. */
  initialPage: number;
  /** What is marked; null without a citation. */
  quote: string | null;
  /** Where it is in the text. */
  quoteRange: Range | null;
  /** Whether the quote starts after its passage does. Then it may be on a later page. */
  startsLater: boolean;
}

/** One page of a PDF at a time, with the quote marked. */
export function PdfView({
  datasource,
  initialPage,
  quote,
  quoteRange,
  startsLater,
}: PdfViewProps): ReactNode {
  const { text } = useTranslator();
  const { id: datasourceId } = datasource;
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
  const recognizedPage = useRecognizedQuotePage(datasource, initialPage, quoteRange);
  const firstPage = recognizedPage === initialPage ? (quotePage.data ?? initialPage) : recognizedPage;
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
      <PageSwitch page={page} total={total} onPage={setPage} />
      <Sheet
        pdf={pdf.data}
        datasource={datasource}
        page={Math.min(page, total)}
        quote={page === firstPage ? quote : null}
        quoteRange={quoteRange}
      />
    </Stack>
  );
}

function Sheet({
  pdf,
  datasource,
  page,
  quote,
  quoteRange,
}: Pick<PdfViewProps, 'datasource' | 'quoteRange'> & {
  pdf: PDFDocumentProxy;
  page: number;
  quote: string | null;
}): ReactNode {
  const { text } = useTranslator();
  const words = usePageWords(datasource, page);
  const canvas = useRef<HTMLCanvasElement>(null);
  const marks = useRef<HTMLDivElement>(null);
  const [printed, setPrinted] = useState<readonly Rectangle[] | null>(null);
  const recognized = words ? quoteRectangles(words, quoteRange) : [];
  const rectangles = recognized.length > 0 ? recognized : printed;
  const hasMarks = printed !== null && rectangles !== null && rectangles.length > 0;
  useEffect(() => {
    const target = canvas.current;
    if (!target) return;
    const drawing = new AbortController();
    drawPage(pdf, page, { canvas: target, quote, signal: drawing.signal }).then(setPrinted, () => undefined);
    return () => drawing.abort();
  }, [pdf, page, quote]);
  useEffect(() => {
    if (hasMarks) marks.current?.firstElementChild?.scrollIntoView({ block: 'center' });
  }, [hasMarks, page]);
  return (
    <Stack gap="xs">
      {quote !== null && rectangles?.length === 0 && (
        <Text size="sm" c="dimmed">
          {text('reader.quoteNotFound')}
        </Text>
      )}
      <Box className={classes['sheet'] ?? ''}>
        <canvas ref={canvas} role="img" aria-label={text('reader.page', { page, total: pdf.numPages })} />
        <WordMarks page={words} />
        <div ref={marks} data-testid="quote-marks">
          {rectangles?.map((rectangle, index) => (
            <div key={index} className={classes['quote']} style={placeStyle(rectangle)} />
          ))}
        </div>
      </Box>
      <MarksLegend page={words} />
    </Stack>
  );
}
