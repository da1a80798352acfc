import { datasourceErrorOf, INGESTION_ERRORS, type IngestionErrorCode } from '@citewell/contracts/errors';
import type { DatasourceError, LeftOutReason, PageRange } from '@citewell/contracts/schemas';
import type { PageWords } from './recognition.js';

/** Kinds of blocks, independent of the file format. */
export const BLOCK_KINDS = ['heading', 'paragraph', 'list', 'table', 'code', 'caption', 'quote'] as const;

export const MAX_HEADING_LEVEL = 6;

export type BlockKind = (typeof BLOCK_KINDS)[number];

/**
 * A structural unit of a document, such as a paragraph or a table. Blocks are in reading order, not empty, do
 * not overlap, and are separated by white space.
 */
export interface Block {
  readonly kind: BlockKind;
  /** UTF-16 offsets into {@link Document.text}: `text.slice(start, end)` is the text of the block. */
  readonly start: number;
  readonly end: number;
  /** Headings only: 1 (outermost) to 6 (innermost). */
  readonly level?: number;
  /** PDF page or slide on which the block begins, from 1. */
  readonly page?: number;
  /**
   * Titles of the headings above the block, outermost first. A heading's own title is not included. Titles
   * are truncated to 300 characters.
   */
  readonly headingPath: readonly string[];
  /** Fragment identifier for a link to this part of the source page, without `#`. */
  readonly anchor?: string;
  /** Of text that OCR has read: the mean of its words, in percent. `DESCRIBED`: a model describes a picture. */
  readonly confidence?: number;
  /** Tables with a header row only: the offset where that row ends. Every line of a table's text is a row. */
  readonly headerEnd?: number;
}

export type MetadataValue = string | number | boolean;

/** The text of a parsed file, and the blocks that describe the structure of the text. */
export interface DocumentContent {
  readonly title: string | null;
  /** BCP 47 tag that the file declares; `null` when it declares none. */
  readonly language: string | null;
  /**
   * The canonical text: well-formed Unicode, LF as the only line break, no U+0000. It is complete before any
   * offset is computed. Every offset in the system counts UTF-16 code units of this text.
   */
  readonly text: string;
  readonly blocks: readonly Block[];
  /** Paged formats only: pages of a PDF, slides of a presentation. */
  readonly pageCount?: number;
}

/** What a cell of a workbook holds: a number, a date as `YYYY-MM-DD` or `HH:MM:SS`, or null if a merged cell covers it. */
export type CellContent = number | string | null | undefined;

/** What the text of a table does not tell. Rows count from 0 and include the header. */
export interface TableCells {
  /** Cells of the rows whose line does not tell where cells end. */
  readonly divided: ReadonlyMap<number, readonly string[]>;
  /** By row. Nothing for files that have texts only. */
  readonly contents: { at(row: number): readonly CellContent[] | undefined };
  /** Numbers of the rows in the sheet. Empty where they count from 1. */
  readonly numbers: readonly number[];
}

/** Characters of text that were left out, by reason. A reason without text is absent. */
export type LeftOut = Readonly<Partial<Record<LeftOutReason, number>>>;

/** Something that a reader of the document has to know, although the document was read. */
export interface DocumentWarning {
  readonly code: IngestionErrorCode;
  /** For the user: what happened, and what to do next. */
  readonly message: string;
  /** Data of text recognition that would help. */
  readonly languages?: readonly string[] | undefined;
}

/** A parsed file. The fields below are not encoded, so that they do not make the document a different one. */
export interface Document extends DocumentContent {
  /** What the file says about itself, such as its author. Only parsing uses it. */
  readonly metadata: Readonly<Record<string, MetadataValue>>;
  readonly leftOut: LeftOut;
  readonly warnings: readonly DocumentWarning[];
  /** What each page brings to the text. Empty for formats without pages. */
  readonly pages: readonly PageRange[];
  /** The words of recognized pages, by their order. */
  readonly recognized: readonly PageWords[];
  /** By the index of the block. */
  readonly tables: ReadonlyMap<number, TableCells>;
}

const MAX_LENGTH = 255;

/** The title of a document on one line, as it can be stored and shown; null if it has none. */
export function titleLine(title: string | null): string | null {
  const line = (title ?? '')
    .toWellFormed()
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim();
  return line === '' ? null : line.slice(0, MAX_LENGTH).toWellFormed();
}

/** A larger share of left out text is a warning. */
export const MAX_SHARE = 1 / 3;

const NAMES: Readonly<Record<LeftOutReason, string>> = {
  running: 'in running heads and page numbers',
  navigation: 'in menus and other parts around the content',
  hidden: 'that no reader sees',
  deleted: 'marked as deleted',
};

/**
 * The warning that a datasource shows beside its content: those of its document, and one when more than a third
 * of the text was left out. Null for none. With several, the code is that of the first.
 *
 * @param options.isPage of the web: its menus do not count, because they are often longer than the content
 */
export function warningOf(
  {
    characters,
    leftOut,
    warnings,
  }: Readonly<{ characters: number; leftOut: LeftOut; warnings: readonly DocumentWarning[] }>,
  { isPage }: { isPage: boolean },
): DatasourceError | null {
  const counted = Object.entries(leftOut).filter(([reason]) => !isPage || reason !== 'navigation');
  const total = counted.reduce((sum, [, count]) => sum + count, 0);
  const all = [...warnings];
  if (total > (characters + total) * MAX_SHARE) all.push(mostlyLeftOut(leftOut));
  const [first] = all;
  if (first === undefined) return null;
  const languages = all.flatMap((warning) => warning.languages ?? []);
  const error = datasourceErrorOf(first.code, all.map(({ message }) => message).join(' '));
  return languages.length === 0 ? error : { ...error, languages };
}

function mostlyLeftOut(leftOut: LeftOut): DocumentWarning {
  const parts = (Object.keys(NAMES) as LeftOutReason[]).flatMap((reason) =>
    leftOut[reason] === undefined ? [] : [`${leftOut[reason].toLocaleString('en')} ${NAMES[reason]}`],
  );
  return {
    code: 'MOSTLY_LEFT_OUT',
    message: `${INGESTION_ERRORS.MOSTLY_LEFT_OUT.sentence} Characters left out: ${parts.join(', ')}.`,
  };
}
