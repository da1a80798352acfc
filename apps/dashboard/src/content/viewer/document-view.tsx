import { ActionIcon, Alert, Group, Skeleton, Tabs, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { CitewellError, type Datasource } from '@citewell/sdk';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { client } from '../../client.js';
import { Icon } from '../../components/icon.js';
import { useTranslator } from '../../messages/messages.js';
import { ChunkList } from './chunk-list.js';
import type { Citation, Place, Range } from './citations.js';
import { documentTablesQuery, TableView } from './table-view.js';
import { TextView } from './text-view.js';

/** The library that draws PDF pages is loaded when the first one is shown. */
const PdfView = lazy(async () => ({ default: (await import('./pdf-view.js')).PdfView }));
const PictureView = lazy(async () => ({ default: (await import('./picture-view.js')).PictureView }));

interface DocumentViewProps {
  datasource: Datasource;
  place: Place;
  /** Those of the answer from which the document was opened. */
  citations: readonly Citation[];
  /** Another citation of the answer was chosen. */
  onCitation: (citation: Citation) => void;
  /** Leaves out the list of passages, whose links open another page. */
  isBeside?: boolean;
}

/** The page of a PDF, the picture or the text, with the quote of the place marked, and the passages of the document. */
export function DocumentView({
  datasource,
  place,
  citations,
  onCitation,
  isBeside = false,
}: DocumentViewProps): ReactNode {
  const { text } = useTranslator();
  const { start, end, quoteStart, quoteEnd, page, revision } = place;
  const passage = rangeOf(start, end);
  const quote = rangeOf(quoteStart, quoteEnd) ?? passage;
  const { quoteText, hasChanged } = useQuoteText(datasource.id, quote, revision);
  const isPdf = datasource.mimeType === 'application/pdf';
  const isPicture = datasource.mimeType?.startsWith('image/') === true;
  const markedQuote = hasChanged ? null : quote;
  const { data: tables = [] } = useQuery(documentTablesQuery(datasource.id));
  const isTable = place.table !== undefined;
  const firstTab = isTable ? 'table' : isPdf || isPicture ? 'original' : 'text';
  const [tab, setTab] = useState<string | null>(firstTab);
  const shown = JSON.stringify([start, place.table, place.where]);
  const [lastShown, setLastShown] = useState(shown);
  // Another passage was chosen, from the list of chunks or of citations.
  if (shown !== lastShown) {
    setLastShown(shown);
    if (tab === 'chunks' || tab === 'table' || isTable) setTab(firstTab);
  }
  const textView = (
    <TextView
      key={`${datasource.id} ${start ?? 0}`}
      datasourceId={datasource.id}
      cited={passage && quote && !hasChanged ? { passage, quote } : null}
    />
  );
  return (
    <>
      {hasChanged && <Alert color="yellow">{text('reader.gone')}</Alert>}
      <CitationStepper
        citations={citations}
        index={citations.findIndex(
          (citation) => citation.datasource_id === datasource.id && citation.start === start,
        )}
        onCitation={onCitation}
      />
      <Tabs value={tab} onChange={setTab} keepMounted={false}>
        <Tabs.List mb="md">
          {(isPdf || isPicture) && <Tabs.Tab value="original">{text('reader.original')}</Tabs.Tab>}
          {(isTable || tables.length > 0) && <Tabs.Tab value="table">{text('table.tab')}</Tabs.Tab>}
          <Tabs.Tab value="text">{text('reader.text')}</Tabs.Tab>
          {!isBeside && <Tabs.Tab value="chunks">{text('reader.chunks')}</Tabs.Tab>}
        </Tabs.List>
        {isPicture && (
          <Tabs.Panel value="original">
            <Suspense fallback={<Skeleton h={640} maw={820} />}>
              <PictureView
                key={`${datasource.id} ${page ?? 1}`}
                datasource={datasource}
                initialPage={page ?? 1}
                quote={markedQuote}
              />
            </Suspense>
          </Tabs.Panel>
        )}
        {isPdf && (
          <Tabs.Panel value="original">
            <Suspense fallback={<Skeleton h={640} maw={820} />}>
              <PdfView
                key={`${datasource.id} ${page ?? 1}`}
                datasource={datasource}
                initialPage={page ?? 1}
                quote={quoteText}
                quoteRange={markedQuote}
                startsLater={passage !== null && quote !== null && quote.start > passage.start}
              />
            </Suspense>
          </Tabs.Panel>
        )}
        <Tabs.Panel value="table">
          <TableView
            key={shown}
            datasourceId={datasource.id}
            first={place.table ?? 1}
            conditions={place.where ?? []}
          />
        </Tabs.Panel>
        <Tabs.Panel value="text">{textView}</Tabs.Panel>
        <Tabs.Panel value="chunks">
          <ChunkList datasourceId={datasource.id} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function rangeOf(start: number | undefined, end: number | undefined): Range | null {
  return start === undefined || end === undefined ? null : { start, end };
}

/**
 * The text of a quote. `hasChanged`: the cited revision is no longer stored, so the offsets do not fit the text that is.
 *
 * @param revision the one that the offsets refer to; undefined for the serving one
 */
function useQuoteText(
  datasourceId: string,
  quote: Range | null,
  revision: number | undefined,
): { quoteText: string | null; hasChanged: boolean } {
  const { data } = useQuery({
    queryKey: ['quote', datasourceId, quote, revision],
    queryFn: async () => {
      try {
        const { text } = await client.datasources.text(datasourceId, { ...quote, revision });
        return { quoteText: text, hasChanged: false };
      } catch (error) {
        if (error instanceof CitewellError && error.code === 'GONE')
          return { quoteText: null, hasChanged: true };
        throw error;
      }
    },
    enabled: quote !== null,
    staleTime: Infinity,
  });
  return data ?? { quoteText: null, hasChanged: false };
}

/** Goes through the citations of the answer from which the document was opened: `j` forwards, `k` backwards. */
function CitationStepper({
  citations,
  index,
  onCitation,
}: Pick<DocumentViewProps, 'citations' | 'onCitation'> & {
  /** Of the citation that is shown; -1 for none. */
  index: number;
}): ReactNode {
  const { text } = useTranslator();
  const goTo = (citation: Citation | undefined): void => {
    if (citation) onCitation(citation);
  };
  const [previous, next] = [citations[index - 1], citations[index + 1]];
  useHotkeys([
    ['j', () => goTo(next)],
    ['k', () => goTo(previous)],
  ]);
  if (index < 0 || citations.length < 2) return null;
  return (
    <Group gap="xs">
      <ActionIcon
        variant="default"
        aria-label={text('reader.previousCitation')}
        aria-keyshortcuts="k"
        disabled={!previous}
        onClick={() => goTo(previous)}
      >
        <Icon name="back" />
      </ActionIcon>
      <Text size="sm" aria-live="polite">
        {text('reader.citation', { number: index + 1, total: citations.length })}
      </Text>
      <ActionIcon
        variant="default"
        aria-label={text('reader.nextCitation')}
        aria-keyshortcuts="j"
        disabled={!next}
        onClick={() => goTo(next)}
      >
        <Icon name="forward" />
      </ActionIcon>
    </Group>
  );
}
