import { useState } from 'react';

/** How a table is sorted. Null: in the order of the server. */
export interface Sorting<Column extends string> {
  readonly column: Column;
  readonly isDescending: boolean;
}

/** The value of a row in a column. Texts are compared by the rules of the language. */
export type SortValues<Row, Column extends string> = Readonly<Record<Column, (row: Row) => string | number>>;

/** Clicks on a header sort in ascending order, in descending order, and again in the order of the server. */
export function nextSorting<Column extends string>(
  sorting: Sorting<Column> | null,
  column: Column,
): Sorting<Column> | null {
  if (sorting?.column !== column) return { column, isDescending: false };
  return sorting.isDescending ? null : { column, isDescending: true };
}

/** Rows with equal values keep their order. */
export function sortRows<Row, Column extends string>(
  rows: readonly Row[],
  sorting: Sorting<Column> | null,
  values: SortValues<Row, Column>,
  language: string,
): readonly Row[] {
  if (sorting === null) return rows;
  const { compare } = new Intl.Collator(language, { numeric: true });
  const valueOf = values[sorting.column];
  const sign = sorting.isDescending ? -1 : 1;
  return rows.toSorted((first, second) => {
    const [a, b] = [valueOf(first), valueOf(second)];
    return sign * (typeof a === 'number' && typeof b === 'number' ? a - b : compare(String(a), String(b)));
  });
}

/**
 * Sorts the rows of a table in the browser. Give it all rows of a list, never a part: the first rows of a sorted part are
 * not the first rows of the list.
 */
export function useSorting<Row, Column extends string>(
  rows: readonly Row[],
  values: SortValues<Row, Column>,
  language: string,
) {
  const [sorting, setSorting] = useState<Sorting<Column> | null>(null);
  const sorted = sortRows(rows, sorting, values, language);
  const sortBy = (column: Column): void => setSorting((current) => nextSorting(current, column));
  return { sorted, sorting, sortBy };
}
