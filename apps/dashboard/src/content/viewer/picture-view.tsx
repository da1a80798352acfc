import type { Datasource } from '@citewell/sdk';
import { Box, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { client } from '../../client.js';
import { ErrorNotice } from '../../components/error-notice.js';
import type { Range } from './citations.js';
import { decodeTiffPage } from './decode-tiff.js';
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

interface PictureViewProps {
  datasource: Datasource;
  /** The page of a TIFF on which the cited passage begins. */
  initialPage: number;
  /** What is marked; null without a citation. */
  quote: Range | null;
}

/** The picture that a document is, with the words of the quote marked. A TIFF has several pages. */
export function PictureView({ datasource, initialPage, quote }: PictureViewProps): ReactNode {
  const firstPage = useRecognizedQuotePage(datasource, initialPage, quote);
  const [chosenPage, setPage] = useState<number | null>(null);
  const page = chosenPage ?? firstPage;
  const total = Math.max(1, datasource.stats.pages);
  const words = usePageWords(datasource, page);
  const address = usePicture(datasource, page);
  const marks = useRef<HTMLDivElement>(null);
  const [isShown, setIsShown] = useState(false);
  const rectangles = words ? quoteRectangles(words, quote) : [];
  useEffect(() => {
    if (isShown && words) marks.current?.firstElementChild?.scrollIntoView({ block: 'center' });
  }, [isShown, words]);
  if (address.error) return <ErrorNotice error={address.error} onRetry={address.retry} />;
  return (
    <Stack gap="xs">
      {total > 1 && <PageSwitch page={page} total={total} onPage={setPage} />}
      {address.url === undefined ? (
        <Skeleton h={640} maw={820} />
      ) : (
        <Box className={classes['sheet'] ?? ''}>
          <img src={address.url} alt={datasource.name} onLoad={() => setIsShown(true)} />
          <WordMarks page={words} />
          <div ref={marks} data-testid="quote-marks">
            {rectangles.map((rectangle, index) => (
              <div key={index} className={classes['quote']} style={placeStyle(rectangle)} />
            ))}
          </div>
        </Box>
      )}
      <MarksLegend page={words} />
    </Stack>
  );
}

/** The address of the picture. Browsers show no TIFF, so its page is decoded. */
function usePicture(datasource: Datasource, page: number) {
  const isTiff = datasource.mimeType === 'image/tiff';
  const file = useQuery({
    queryKey: ['picture', datasource.id],
    queryFn: async () => {
      const { stream } = await client.datasources.file(datasource.id);
      return new Response(stream, { headers: { 'Content-Type': datasource.mimeType ?? '' } }).blob();
    },
    staleTime: Infinity,
    gcTime: 60_000,
    structuralSharing: false,
  });
  const decoded = useQuery({
    queryKey: ['picture-page', datasource.id, page, file.dataUpdatedAt],
    queryFn: () => (isTiff && file.data ? decodeTiffPage(file.data, page) : (file.data ?? null)),
    enabled: file.isSuccess,
    gcTime: 60_000,
    structuralSharing: false,
  });
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!decoded.data) return undefined;
    const created = URL.createObjectURL(decoded.data);
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [decoded.data]);
  return { url, error: file.error ?? decoded.error, retry: () => void file.refetch() };
}
