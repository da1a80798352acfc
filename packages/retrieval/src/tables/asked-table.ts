import type { DateRange } from './question-dates.js';
import type { CellValue } from './question-words.js';

export interface AskedColumn {
  /** From 1. */
  readonly position: number;
  readonly name: string;
  readonly type: 'number' | 'money' | 'percent' | 'date' | 'time' | 'text';
  /** ISO 4217, or the symbol of several currencies. Null: several, or not money. */
  readonly currency: string | null;
  /** The smallest and the greatest value of numbers and dates. Null without any. */
  readonly least: number | string | null;
  readonly greatest: number | string | null;
}

/** What has to be known of a table to find the conditions of a question; see `tableLookups`. */
export interface AskedTable {
  /** Of the document, the sheet and the table. */
  readonly names: readonly string[];
  readonly columns: readonly AskedColumn[];
  /** Different texts of cells. Others than those of the lookups do no harm. */
  readonly texts: readonly CellValue<string>[];
  readonly numbers: readonly CellValue<number>[];
}

/** All rows whose cell in a column has one of the values, or none of them. Exactly one of the lists is not empty. */
export interface TableCondition {
  /** Of the column, from 1. */
  readonly position: number;
  readonly texts: readonly string[];
  readonly numbers: readonly number[];
  readonly ranges: readonly DateRange[];
  /** Default: false. */
  readonly isNot?: boolean;
}

export interface TableConditions {
  /** All of them hold for a row. Each is about another column. */
  readonly conditions: readonly TableCondition[];
  /** How many parts of the question they use. */
  readonly used: number;
  /** How many other words of the question refer to the name of a column, the table or its document. */
  readonly named: number;
  /** Whether the question names the table, a column, or a value of several words, so that no other evidence is needed. */
  readonly isTold: boolean;
  /**
   * Words of the question that neither a condition nor a name explains, and values of the sentences beside it. They may exclude the
   * rows: "orders minus the open ones".
   */
  readonly unused: readonly string[];
}

/** By column. */
export function inOrder(conditions: Iterable<TableCondition>): TableCondition[] {
  return [...conditions].sort((a, b) => a.position - b.position);
}

/** The rows of one condition or the other. Both are about the same column. */
export function united(a: TableCondition, b: TableCondition): TableCondition {
  const { position } = a;
  return {
    position,
    texts: [...new Set([...a.texts, ...b.texts])],
    numbers: [...new Set([...a.numbers, ...b.numbers])],
    ranges: [...a.ranges, ...b.ranges],
  };
}
