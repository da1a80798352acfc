import { existsSync } from 'node:fs';
import { BlobNotFoundError } from '@citewell/blob-store';
import type { DocumentTable, RowCondition, TableRows, TableRowsQuery } from '@citewell/contracts/schemas';
import { DatasourceRepository, type DatasourceView, isGroup, type TenantScope } from '@citewell/database';
import { cellTerm, TableEngine, TableQueryError } from '@citewell/tables';
import { Inject, Injectable } from '@nestjs/common';
import { type FoundFigures, type RangedTable, StoredTables } from '../../answering/tables/stored-tables.js';
import { TableFiles } from '../../answering/tables/table-files.service.js';
import {
  isNumeric,
  marks,
  pageStatement,
  type StoredColumn,
  type StoredTable,
  type Where,
} from '../../answering/tables/table-statements.js';
import { ApiError, found, invalid } from '../../http/api-error.js';
import { readServing, servingRevision } from './datasource-content.service.js';

interface Opened {
  readonly path: string;
  readonly stored: StoredTables;
  readonly tables: readonly StoredTable[];
  readonly revision: number;
}

/** The tables of a datasource, and their rows. */
@Injectable()
export class DocumentTablesService {
  constructor(
    @Inject(DatasourceRepository) private readonly datasources: DatasourceRepository,
    @Inject(TableFiles) private readonly files: Pick<TableFiles, 'pathOf'>,
    @Inject(TableEngine) private readonly engine: Pick<TableEngine, 'query'>,
  ) {}

  /** The tables of the serving revision; empty for a group, and while the datasource has no text. */
  async list(tenant: TenantScope, id: string): Promise<DocumentTable[]> {
    return readServing(this.datasources, { tenant, id }, async (view) => {
      const opened = view.serving === null || isGroup(view) ? null : await this.open(view);
      return opened === null ? [] : opened.tables.map(toDocumentTable);
    });
  }

  /** @throws ApiError `NOT_FOUND`, `GONE`, `INVALID_REQUEST` for a condition that the column cannot have */
  async rows(tenant: TenantScope, id: string, number: string, query: TableRowsQuery): Promise<TableRows> {
    return readServing(this.datasources, { tenant, id }, async (view) => {
      servingRevision(view, query.revision);
      const opened = await this.open(view);
      const table = found(
        opened?.tables.find((each) => String(each.id) === number),
        'table',
      );
      const { path, stored, revision } = found(opened, 'table');
      return answered(path, async () => ({
        revision,
        ...(await rowsOf(stored, await stored.withRanges(table), query)),
      }));
    });
  }

  private async open(view: DatasourceView): Promise<Opened | null> {
    const { serving } = view;
    if (serving === null) return null;
    const path = await this.files.pathOf(serving);
    if (path === null) return null;
    const stored = new StoredTables(this.engine, path);
    const tables = await answered(path, () => stored.tables());
    return { path, stored, tables, revision: serving.revision ?? 0 };
  }
}

/** Turns what the engine cannot do into an error for the caller. */
async function answered<Result>(path: string, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof TableQueryError)) throw error;
    // Another run serves meanwhile, and the files of its predecessor are purged.
    if (!existsSync(path)) throw new BlobNotFoundError(path, { cause: error });
    if (error.code === 'UNREADABLE')
      throw new ApiError('CONTENT_DAMAGED', 'The tables of this document cannot be read.', { cause: error });
    const options = { cause: error, retryAfterSeconds: 5 };
    throw new ApiError('UPSTREAM_UNAVAILABLE', 'These rows take too long to find.', options);
  }
}

async function rowsOf(
  stored: StoredTables,
  table: RangedTable,
  { conditions, show, offset, limit }: TableRowsQuery,
): Promise<Omit<TableRows, 'revision'>> {
  const parts = conditions.map((condition, at) => part(table, condition, `conditions.${at}`));
  const where: Where = {
    sql: ['_total = 0', ...parts.map(({ sql }) => `(${sql})`)].join(' AND '),
    params: parts.flatMap(({ params }) => params),
  };
  const dates = parts.flatMap(({ column }) => (column.type === 'date' ? column : []));
  const figures = await stored.figures(table, where, [...new Set(dates)]);
  const { rows, hasMore } = await stored.ask(
    pageStatement(table, where, { isAll: show === 'all', offset, limit }),
  );
  return {
    count: figures.count,
    rows: rows.map(([row, start, end, total, matches, ...cells]) => ({
      number: Number(row),
      start: Number(start),
      end: Number(end),
      matches: matches === 1,
      is_total: total === 1,
      cells: cells.map((text) => String(text ?? '')),
    })),
    has_more: hasMore,
    figures: toFigures(figures),
    undated: [...figures.undated],
  };
}

const NO_FIGURES = { sum: null, average: null, smallest: null, largest: null };

function toFigures({ figures, mixed, unread }: FoundFigures): TableRows['figures'] {
  return [
    ...figures.map(({ column, sum, average, least, greatest, currency, unit }) => ({
      column,
      sum,
      average,
      smallest: least,
      largest: greatest,
      ...(currency === null ? {} : { currency }),
      ...(unit === '' ? {} : { unit }),
    })),
    ...mixed.map((column) => ({ column, ...NO_FIGURES, reason: 'mixed_currencies' as const })),
    ...unread.map(({ column }) => ({ column, ...NO_FIGURES, reason: 'unread_cells' as const })),
  ];
}

/** A condition in SQL. @throws ApiError `INVALID_REQUEST` */
function part(table: StoredTable, condition: RowCondition, path: string): Where & { column: StoredColumn } {
  const column = table.columns.find(({ name }) => name === condition.column);
  if (column === undefined) throw invalid(`${path}.column`, 'must be the name of a column of the table');
  const { sqlName: name, type } = column;
  const { is, is_not, contains, at_least: least, at_most: most, within } = condition;
  const isRange = least !== undefined || most !== undefined;
  const tests = [is, is_not, contains, within, isRange || undefined].filter((test) => test !== undefined);
  if (tests.length !== 1) throw invalid(path, 'must have one test, such as `is` or `contains`');
  if (is !== undefined) return { column, ...equal(table, column, is) };
  if (is_not !== undefined) {
    const { sql, params } = equal(table, column, is_not);
    return { column, sql: `${name} IS NULL OR NOT (${sql})`, params };
  }
  if (contains !== undefined) return { column, ...containing(table, column, contains) };
  if (within !== undefined) {
    if (type !== 'date') throw invalid(`${path}.within`, 'is for a column of dates');
    const sql = within.map(() => `${name} >= ? AND ${name} < ?`).join(' OR ');
    return { column, sql, params: within.flatMap(({ from = '', to = LAST_DAY }) => [from, to]) };
  }
  if (!isNumeric(column))
    throw invalid(`${path}.${least === undefined ? 'at_most' : 'at_least'}`, 'is for a column of numbers');
  const bounds = [
    ...(least === undefined ? [] : [{ sql: `${name} >= ?`, value: least }]),
    ...(most === undefined ? [] : [{ sql: `${name} <= ?`, value: most }]),
  ];
  return {
    column,
    sql: bounds.map(({ sql }) => sql).join(' AND '),
    params: bounds.map(({ value }) => value),
  };
}

/** After all dates of SQLite. */
const LAST_DAY = '9999-12-32';

/** Whole texts by their terms, so that capitals and accents do not matter. Others have no term. */
function equal(
  { id }: StoredTable,
  { position, sqlName }: StoredColumn,
  values: readonly (string | number)[],
): Where {
  const terms = values.map((value) => cellTerm(String(value)));
  return {
    sql: `${sqlName} IN (${marks(values)}) OR ${sqlName} IN
      (SELECT value FROM cell_terms WHERE term IN (${marks(terms)}) AND table_id = ${id} AND position = ${position})`,
    params: [...values, ...terms],
  };
}

function containing({ id }: StoredTable, { position, sqlName, type }: StoredColumn, text: string): Where {
  if (type !== 'text') return { sql: `instr(lower(${sqlName}_shown), lower(?)) > 0`, params: [text] };
  return {
    sql: `instr(${sqlName}, ?) > 0 OR ${sqlName} IN
      (SELECT value FROM cell_terms WHERE table_id = ${id} AND position = ${position} AND instr(term, ?) > 0)`,
    params: [text, cellTerm(text)],
  };
}

function toDocumentTable({ id, name, sheet, page, rows, totals, columns }: StoredTable): DocumentTable {
  return {
    number: id,
    name,
    ...(sheet === null ? {} : { sheet }),
    ...(page === null ? {} : { page }),
    rows,
    totals,
    columns: columns.map((column) => ({
      name: column.name,
      type: column.type,
      ...(column.currency === null ? {} : { currency: column.currency }),
      ...(column.unit === '' ? {} : { unit: column.unit }),
      ...(column.values === null ? {} : { values: [...column.values] }),
    })),
  };
}
