import type { Source } from '@citewell/sdk';

/** A part of the text of a document. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A cited passage of an answer. */
export interface Citation extends Pick<
  Source,
  'datasource_id' | 'start' | 'end' | 'page_number' | 'revision'
> {
  quote?: Range | undefined;
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The citations of the answer from which the reader was opened. */
    citations?: readonly Citation[];
  }
}

/** Where a citation is in the reader, from which the other citations of its answer can be reached. */
export function placeOf(citation: Citation, citations: readonly Citation[]) {
  const { datasource_id, start, end, page_number, revision, quote } = citation;
  return {
    to: '/documents/$datasourceId',
    params: { datasourceId: datasource_id },
    search: { start, end, quoteStart: quote?.start, quoteEnd: quote?.end, page: page_number, revision },
    state: { citations: citations.map(bare) },
  } as const;
}

/** Without the text: the history of the browser keeps it. */
function bare({ datasource_id, start, end, page_number, revision, quote }: Citation): Citation {
  return {
    datasource_id,
    start,
    end,
    revision,
    ...(page_number === undefined ? {} : { page_number }),
    ...(quote === undefined ? {} : { quote: { start: quote.start, end: quote.end } }),
  };
}
