import { cellsOf } from '@citewell/retrieval/plain-text';
import type { CellContent } from './column-evidence.js';

/** What the text of a table does not tell. Rows count from 0 and include the header. */
export interface TableCells {
  /** Cells of the rows whose line does not tell where cells end. */
  readonly divided: ReadonlyMap<number, readonly string[]>;
  /** What the cells of a row contain, in workbooks. */
  readonly contents: { at(row: number): readonly CellContent[] | undefined };
  /** Numbers of the rows in the sheet. Empty where they count from 1. */
  readonly numbers: readonly number[];
}

/** The part of a document that has tables. `@citewell/documents` has more. */
export interface TableDocument {
  readonly text: string;
  readonly language: string | null;
  readonly blocks: readonly TableBlock[];
  /** By the index of the block. */
  readonly tables?: ReadonlyMap<number, TableCells> | undefined;
}

export interface TableBlock {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  readonly page?: number;
  readonly headingPath: readonly string[];
  /** The offset where the header row ends. */
  readonly headerEnd?: number;
}

export interface SourceRow {
  readonly cells: readonly string[];
  readonly contents: readonly CellContent[] | undefined;
  readonly from: number;
  readonly to: number;
  readonly number: number;
}

/** The rows of a block. Each line is a row. */
export function* sourceRows(
  text: string,
  { start, end }: TableBlock,
  cells?: TableCells,
): Generator<SourceRow> {
  let index = 0;
  for (let from = start; from < end; index += 1) {
    const next = text.indexOf('\n', from);
    const to = next < 0 || next > end ? end : next;
    yield {
      cells: cells?.divided.get(index) ?? cellsOf(text.slice(from, to)),
      contents: cells?.contents.at(index),
      from,
      to,
      number: cells?.numbers[index] ?? index + 1,
    };
    from = to + 1;
  }
}
