import type { DocumentTable, TableCondition } from '@citewell/sdk';

type Column = DocumentTable['columns'][number];
export type RowTest = 'is' | 'isNot' | 'contains' | 'range';

/** From and to, both included, as a person writes them. Empty: open. */
export interface ShownRange {
  readonly from: string;
  readonly to: string;
}

/** A condition as it is edited. Only the values of its test count. */
export interface RowFilter {
  readonly column: string;
  readonly test: RowTest;
  readonly values: readonly string[];
  readonly part: string;
  readonly ranges: readonly ShownRange[];
}

const OPEN: ShownRange = { from: '', to: '' };
const DAY_MS = 86_400_000;

/** The tests that the values of a column can have, the first one for a new condition. */
export function testsOf({ type }: Column): readonly [RowTest, ...RowTest[]] {
  if (type === 'date') return ['range'];
  return type === 'text' || type === 'time' ? ['is', 'isNot', 'contains'] : ['range', 'is', 'isNot'];
}

export function newFilter(column: Column): RowFilter {
  return { column: column.name, test: testsOf(column)[0], values: [], part: '', ranges: [OPEN] };
}

/** Conditions of a citation, to be edited. Those of columns that the table does not have are left out. */
export function filtersOf(
  conditions: readonly TableCondition[],
  columns: readonly Column[],
): readonly RowFilter[] {
  return conditions.flatMap((condition) => {
    const column = columns.find(({ name }) => name === condition.column);
    return column === undefined ? [] : [filterOf(condition, column)];
  });
}

function filterOf(
  { is, is_not, contains, at_least, at_most, within }: TableCondition,
  column: Column,
): RowFilter {
  const empty = newFilter(column);
  const values = (is ?? is_not ?? []).map(String);
  if (contains !== undefined) return { ...empty, test: 'contains', part: contains };
  if (within !== undefined)
    return {
      ...empty,
      test: 'range',
      ranges: within.map(({ from = '', to }) => ({ from, to: dayBefore(to) })),
    };
  if (at_least !== undefined || at_most !== undefined)
    return { ...empty, test: 'range', ranges: [{ from: String(at_least ?? ''), to: String(at_most ?? '') }] };
  return { ...empty, test: is_not === undefined ? 'is' : 'isNot', values };
}

/** What is complete of the filters, for the server. */
export function conditionsOf(
  filters: readonly RowFilter[],
  columns: readonly Column[],
): readonly TableCondition[] {
  return filters.flatMap(({ column, test, values, part, ranges }): TableCondition[] => {
    const isNumeric = ['number', 'money', 'percent'].includes(
      columns.find(({ name }) => name === column)?.type ?? '',
    );
    if (test === 'contains') return part === '' ? [] : [{ column, contains: part }];
    if (test === 'range') return rangeOf(column, ranges, isNumeric);
    const given = isNumeric ? values.flatMap((value) => numberOf(value) ?? []) : [...values];
    if (given.length === 0) return [];
    return [test === 'is' ? { column, is: given } : { column, is_not: given }];
  });
}

function rangeOf(column: string, ranges: readonly ShownRange[], isNumeric: boolean): TableCondition[] {
  const closed = ranges.filter(({ from, to }) => from !== '' || to !== '');
  const [first] = closed;
  if (first === undefined) return [];
  if (isNumeric) {
    const [least, most] = [numberOf(first.from), numberOf(first.to)];
    if (least === null && most === null) return [];
    return [
      { column, ...(least === null ? {} : { at_least: least }), ...(most === null ? {} : { at_most: most }) },
    ];
  }
  const within = closed.map(({ from, to }) => ({
    ...(from === '' ? {} : { from }),
    ...(to === '' ? {} : { to: dayAfter(to) }),
  }));
  return [{ column, within }];
}

/** A number with a point or a comma as its decimal mark. */
function numberOf(text: string): number | null {
  const plain = text.trim().replace(',', '.');
  return plain !== '' && Number.isFinite(Number(plain)) ? Number(plain) : null;
}

/** The end of a range of the server is not part of it. */
function dayBefore(day: string | undefined): string {
  return day === undefined ? '' : moved(day, -1);
}

function dayAfter(day: string): string {
  return moved(day, 1);
}

function moved(day: string, days: number): string {
  const at = Date.parse(day);
  return Number.isNaN(at) ? '' : new Date(at + days * DAY_MS).toISOString().slice(0, 10);
}
