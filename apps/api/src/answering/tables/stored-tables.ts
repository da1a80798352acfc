import type { AskedColumn, TableResult } from '@citewell/retrieval';
import type { SqlValue, TableEngine } from '@citewell/tables';
import {
  COLUMNS,
  figuresStatement,
  identifiersStatement,
  isNumeric,
  numericColumns,
  rangesStatement,
  type Statement,
  type StoredColumn,
  type StoredTable,
  TABLES,
  type Where,
} from './table-statements.js';

export type RangedColumn = StoredColumn & AskedColumn;

/** A table, with the smallest and the greatest values of its columns. */
export interface RangedTable extends StoredTable {
  readonly columns: readonly RangedColumn[];
}

/** The figures of all rows that satisfy conditions. */
export interface FoundFigures extends Pick<TableResult, 'count' | 'mixed' | 'unread' | 'undated'> {
  readonly figures: TableResult['figures'];
}

/** Reads a file of tables. Every method throws TableQueryError. */
export class StoredTables {
  constructor(
    private readonly engine: Pick<TableEngine, 'query'>,
    private readonly path: string,
  ) {}

  async tables(): Promise<StoredTable[]> {
    const [tables, columns] = [await this.rows(TABLES), await this.rows(COLUMNS)];
    return tables.map(([id, sqlName, name, sheet, page, totals, rows]) => ({
      id: Number(id),
      sqlName: String(sqlName),
      name: String(name),
      sheet: sheet === null ? null : String(sheet),
      page: page === null ? null : Number(page),
      rows: Number(rows),
      totals: Number(totals),
      columns: columns.filter(([tableId]) => tableId === id).map(columnOf),
    }));
  }

  async withRanges(table: StoredTable): Promise<RangedTable> {
    const ranged = table.columns.filter((column) => isNumeric(column) || column.type === 'date');
    const [values = []] = ranged.length > 0 ? await this.rows(rangesStatement(table, ranged)) : [];
    const columns = table.columns.map((column) => {
      const at = 2 * ranged.indexOf(column);
      return { ...column, least: values[at] ?? null, greatest: values[at + 1] ?? null };
    });
    return { ...table, columns };
  }

  /** @param dates the columns of dates in the conditions */
  async figures(table: RangedTable, where: Where, dates: readonly StoredColumn[]): Promise<FoundFigures> {
    const numeric = await this.countable(table);
    const summed = numeric.filter((column) => !column.hasMixedCurrencies);
    const [[count = 0, ...values] = []] = await this.rows(figuresStatement(table, where, summed, dates));
    const figures = summed.map((column, at) => ({
      column,
      hasNumbers: values[5 * at] !== null,
      values: values.slice(5 * at, 5 * at + 5).map(Number),
    }));
    const isRead = (one: (typeof figures)[number]): boolean => one.values[4] === 0;
    return {
      count: Number(count),
      figures: figures.filter((one) => isRead(one) && one.hasNumbers).map(figuresOf),
      mixed: numeric.filter((column) => column.hasMixedCurrencies).map(({ name }) => name),
      unread: figures
        .filter((one) => !isRead(one))
        .map((one) => ({ column: one.column.name, count: one.values[4] ?? 0 })),
      undated: dates
        .map(({ name }, at) => ({ column: name, count: Number(values[5 * summed.length + at]) }))
        .filter((one) => one.count > 0),
    };
  }

  async rows(statement: Statement): Promise<readonly (readonly SqlValue[])[]> {
    return (await this.ask(statement)).rows;
  }

  ask({ sql, params, limit }: Statement) {
    return this.engine.query(this.path, sql, params, { limit });
  }

  /** The numeric columns, without order numbers in the first column. */
  private async countable(table: RangedTable): Promise<RangedColumn[]> {
    const columns = numericColumns(table.columns);
    const [first] = columns;
    if (first?.position !== 1 || first.type !== 'number') return columns;
    const [[isIdentifier] = []] = await this.rows(identifiersStatement(table, first));
    return isIdentifier === 1 ? columns.slice(1) : columns;
  }
}

function columnOf([
  ,
  position,
  name,
  sqlName,
  type,
  currency,
  mixed,
  unit,
  values,
]: readonly SqlValue[]): StoredColumn {
  return {
    position: Number(position),
    name: String(name),
    sqlName: String(sqlName),
    // Written by `writeTables`.
    type: String(type) as StoredColumn['type'],
    currency: currency == null ? null : String(currency),
    hasMixedCurrencies: mixed === 1,
    unit: unit == null ? '' : String(unit),
    values: values == null ? null : (JSON.parse(String(values)) as string[]),
  };
}

function figuresOf({
  column,
  values,
}: {
  column: RangedColumn;
  values: readonly number[];
}): TableResult['figures'][number] {
  const [sum = 0, average = 0, least = 0, greatest = 0] = values;
  const isPercent = column.type === 'percent';
  return {
    column: column.name,
    sum: isPercent ? null : sum,
    average,
    least,
    greatest,
    currency: column.type === 'money' ? column.currency : null,
    unit: isPercent ? '%' : column.unit,
  };
}
