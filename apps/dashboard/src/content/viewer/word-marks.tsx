import type { Datasource, DocumentPage } from '@citewell/sdk';
import { Text } from '@mantine/core';
import { skipToken, useQuery } from '@tanstack/react-query';
import type { CSSProperties, ReactNode } from 'react';
import { client } from '../../client.js';
import { useTranslator } from '../../messages/messages.js';
import type { Range } from './citations.js';
import type { Rectangle } from './draw-page.js';
import classes from './reader.module.css';

/** Percent. Fewer than seven of ten such words are right. */
const UNCERTAIN = 70;
/** Pages after the one on which a passage begins that its quote may be on. */
const FOLLOWING_PAGES = 2;
/** Words of a line whose distance is at most this many times their height are marked as one. */
const MAX_GAP = 1.5;

export function isRecognized({ pages = [] }: Datasource, page: number): boolean {
  return pages.some(({ from, to, content }) => content === 'recognized' && page >= from && page <= to);
}

const wordsQuery = (datasourceId: string, page: number) => ({
  queryKey: ['words', datasourceId, page],
  queryFn: () => client.datasources.page(datasourceId, page),
  staleTime: Infinity,
});

/** The recognized words of a page; undefined until they are loaded, and for a page that was not recognized. */
export function usePageWords(datasource: Datasource, page: number): DocumentPage | undefined {
  const query = wordsQuery(datasource.id, page);
  return useQuery({ ...query, queryFn: isRecognized(datasource, page) ? query.queryFn : skipToken }).data;
}

/**
 * The page on which most words of a quote are, from the page on which its passage begins. That page, until the words are
 * loaded, and if it was not recognized.
 */
export function useRecognizedQuotePage(datasource: Datasource, first: number, quote: Range | null): number {
  const isSearched = quote !== null && isRecognized(datasource, first);
  const { data } = useQuery({
    queryKey: ['quote-page', datasource.id, first, quote?.start, quote?.end],
    queryFn: isSearched
      ? async ({ client: queries }) => {
          let best = { page: first, count: 0 };
          for (let page = first; page <= first + FOLLOWING_PAGES && isRecognized(datasource, page); page++) {
            const { words } = await queries.fetchQuery(wordsQuery(datasource.id, page));
            const count = words.filter((word) => isIn(word, quote)).length;
            if (count > best.count) best = { page, count };
          }
          return best.page;
        }
      : skipToken,
    staleTime: Infinity,
  });
  return data ?? first;
}

function isIn({ start, end }: Range, quote: Range): boolean {
  return start < quote.end && end > quote.start;
}

/** Where a quote is on a recognized page: a rectangle for each line, or for each word of a page that is not upright. */
export function quoteRectangles({ words }: DocumentPage, quote: Range | null): Rectangle[] {
  if (quote === null) return [];
  const rectangles: Rectangle[] = [];
  for (const word of words.filter((candidate) => isIn(candidate, quote))) {
    const { left, top, width, height } = inPercent(word);
    const last = rectangles.at(-1);
    const gap = last === undefined ? Infinity : left - last.left - last.width;
    const isSameLine =
      last !== undefined && top < last.top + last.height / 2 && top + height > last.top + last.height / 2;
    if (last !== undefined && isSameLine && gap > -height && gap < height * MAX_GAP) {
      const highest = Math.min(top, last.top);
      rectangles[rectangles.length - 1] = {
        left: last.left,
        top: highest,
        width: left + width - last.left,
        height: Math.max(top + height, last.top + last.height) - highest,
      };
    } else rectangles.push({ left, top, width, height });
  }
  return rectangles;
}

function inPercent({ left, top, width, height }: Rectangle): Rectangle {
  return { left: left * 100, top: top * 100, width: width * 100, height: height * 100 };
}

export function placeStyle({ left, top, width, height }: Rectangle): CSSProperties {
  return { left: `${left}%`, top: `${top}%`, width: `${width}%`, height: `${height}%` };
}

/** Marks the words of a page of which the recognition is not sure, and those that are not part of the text. */
export function WordMarks({ page }: { page: DocumentPage | undefined }): ReactNode {
  const { text } = useTranslator();
  if (page === undefined) return null;
  const uncertain = page.words.filter(({ confidence }) => confidence < UNCERTAIN);
  return (
    <div data-testid="word-marks">
      {uncertain.map((word) => (
        <div
          key={word.start}
          className={classes['uncertain']}
          style={placeStyle(inPercent(word))}
          title={text('reader.uncertainWord', { confidence: word.confidence })}
        />
      ))}
      {page.unreadable.map((word, index) => (
        <div
          key={index}
          className={classes['unreadable']}
          style={placeStyle(inPercent(word))}
          title={text('reader.unreadableWord', { word: word.text, confidence: word.confidence })}
        />
      ))}
    </div>
  );
}

/** What the marks of {@link WordMarks} mean; nothing without marks. */
export function MarksLegend({ page }: { page: DocumentPage | undefined }): ReactNode {
  const { text } = useTranslator();
  const hasMarks =
    page !== undefined &&
    (page.unreadable.length > 0 || page.words.some(({ confidence }) => confidence < UNCERTAIN));
  if (!hasMarks) return null;
  return (
    <Text size="xs" c="dimmed">
      {text('reader.marks')}
    </Text>
  );
}
