import type { Source, TableCondition } from '@citewell/sdk';

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
  /** The rows of a table that were counted. */
  table?: Pick<NonNullable<Source['table']>, 'number' | 'conditions'> | undefined;
}

/** A place in a document. All fields are undefined for its beginning. */
export interface Place {
  /** Offsets of the passage in the text of `revision`. */
  start?: number | undefined;
  end?: number | undefined;
  /** Offsets of the quote; undefined if all of the passage is marked. */
  quoteStart?: number | undefined;
  quoteEnd?: number | undefined;
  /** The page of a PDF, from 1. */
  page?: number | undefined;
  revision?: number | undefined;
  /** The table of the document that is shown, from 1, and the conditions for its rows. */
  table?: number | undefined;
  where?: readonly TableCondition[] | undefined;
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The citations of the answer from which the reader was opened. */
    citations?: readonly Citation[];
    /** The citation that is open beside the answer. */
    open?: Citation;
  }
}

/** Where a citation is in the reader, from which the other citations of its answer can be reached. */
export function placeOf(citation: Citation, citations: readonly Citation[]) {
  return {
    to: '/documents/$datasourceId',
    params: { datasourceId: citation.datasource_id },
    search: inDocument(citation),
    state: { citations: citations.map(bare) },
  } as const;
}

/** Where a citation is in its document. */
export function inDocument({ start, end, page_number, revision, quote, table }: Citation): Place {
  const rows = table?.number === undefined ? {} : { table: table.number, where: table.conditions };
  return { start, end, quoteStart: quote?.start, quoteEnd: quote?.end, page: page_number, revision, ...rows };
}

/** Without the text: the history of the browser keeps it. */
export function bare({ datasource_id, start, end, page_number, revision, quote, table }: Citation): Citation {
  return {
    datasource_id,
    start,
    end,
    revision,
    ...(page_number === undefined ? {} : { page_number }),
    ...(quote === undefined ? {} : { quote: { start: quote.start, end: quote.end } }),
    ...(table?.number === undefined ? {} : { table: { number: table.number, conditions: table.conditions } }),
  };
}

/** Conditions in an address, as far as they have the right form. The server checks the rest. */
export function conditionsIn(value: unknown): readonly TableCondition[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const conditions = value.filter(
    (one): one is TableCondition =>
      typeof one === 'object' && one !== null && typeof (one as { column?: unknown }).column === 'string',
  );
  return conditions.length > 0 ? conditions : undefined;
}
