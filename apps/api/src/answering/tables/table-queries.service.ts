import type { SourceTable, TableQuery } from '@citewell/contracts/schemas';
import { LOGGER } from '@citewell/infrastructure';
import type { Logger } from '@citewell/observability';
import { type QueryResult, type SqlValue, TableEngine, TableQueryError } from '@citewell/tables';
import { Inject, Injectable } from '@nestjs/common';
import type { FoundPassage } from '../search/retriever.service.js';
import {
  addedTextReason,
  describeTables,
  formsRead,
  mixedColumnReason,
  notesOf,
  type OfferedColumn,
  type OfferedTable,
  tablesRead,
  viewsOf,
} from './offered-tables.js';
import { TableFiles } from './table-files.service.js';
import { MAX_TABLES } from './table-statements.js';

/** Documents whose tables are offered: those of the best passages. SQLite attaches ten files. */
const MAX_DOCUMENTS = 6;
/** Tables that are offered for an answer. */
const MAX_OFFERED = 8;
/** Of a document with at most so many tables, all are offered if one is. */
const MAX_TOGETHER = 4;
const MAX_COLUMNS = 2_000;
/** Rows of a result, and characters of their texts, which the model receives. */
const MAX_ROWS = 50;
const MAX_CHARACTERS = 8_000;
/** Longer texts of a result are truncated. */
const MAX_CELL = 300;
/** CPU time of a query that finds the forms of a result, or counts its rows. */
const CHECK_TIMEOUT_MS = 1_000;
/** Units whose numbers are found in a result. */
const MAX_FORMS = 4;

/**
 * Numbers of one form are multiplied by this factor to find the form of a result. Near to 1, so that conditions such as
 * `amount > 100` select the same rows, and exact in binary numbers.
 */
const FACTOR = 1 + 2 ** -10;
/** A result that is rounded to two decimals has still this factor. */
const TOLERANCE = 2e-4;

/** What a query of a model gives: rows, or why there are none. Both are for the model. */
export type QueryOutcome =
  | { readonly query: TableQuery; readonly numbers: readonly number[]; readonly notes: readonly string[] }
  | { readonly error: string };

/** Tables that a model may query for one answer. */
export interface TableOffer {
  /** Of the passages from which the tables are. */
  readonly numbers: readonly number[];
  /** Their names, columns and first rows, for the prompt. */
  readonly text: string;
  /** Never rejects, except with the reason of the signal. */
  query(sql: string, signal: AbortSignal): Promise<QueryOutcome>;
  /** The queries so far, by the number of the passage that is cited for each table that they read. */
  sources(): ReadonlyMap<number, SourceTable>;
}

interface Document {
  /** `d1`. */
  readonly schema: string;
  readonly path: string;
  /** Best first. */
  readonly passages: readonly { readonly number: number; readonly passage: FoundPassage }[];
}

/** Offers the tables of documents to chat models, and answers their queries. */
@Injectable()
export class TableQueries {
  constructor(
    @Inject(TableFiles) private readonly files: Pick<TableFiles, 'pathOf'>,
    @Inject(TableEngine) private readonly engine: Pick<TableEngine, 'query'>,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  /**
   * The tables from which passages are. Only passages that the asker may read are in a prompt, and so only tables that the asker
   * may read are offered.
   *
   * @param passages numbered from 1
   * @returns null if no passage is from a table, or the tables cannot be read
   */
  async offer(passages: readonly FoundPassage[]): Promise<TableOffer | null> {
    const documents = await this.documents(passages);
    if (documents.length === 0) return null;
    const paths = documents.map(({ path }) => path);
    try {
      const tables: OfferedTable[] = [];
      for (const document of documents)
        tables.push(...(await this.tables(paths, document, MAX_OFFERED - tables.length, tables.length)));
      return tables.length === 0 ? null : this.offerOf(paths, tables);
    } catch (error) {
      // The passages are enough for an answer.
      this.logger.warn({ err: error }, 'the tables of documents cannot be offered to the model');
      return null;
    }
  }

  private async documents(passages: readonly FoundPassage[]): Promise<Document[]> {
    const numbered = passages.map((passage, index) => ({ number: index + 1, passage }));
    const groups = [...Map.groupBy(numbered, ({ passage }) => passage.runId).values()].slice(
      0,
      MAX_DOCUMENTS,
    );
    const documents: Document[] = [];
    for (const group of groups) {
      const { organizationId, datasourceId, runId: id } = group[0]?.passage ?? {};
      if (organizationId === undefined || datasourceId === undefined || id === undefined) continue;
      const path = await this.files.pathOf({ organizationId, datasourceId, id });
      if (path !== null) documents.push({ schema: `d${documents.length + 1}`, path, passages: group });
    }
    return documents;
  }

  private offerOf(paths: readonly string[], tables: readonly OfferedTable[]): TableOffer {
    const done: Extract<QueryOutcome, { query: unknown }>[] = [];
    return {
      numbers: [...new Set(tables.map(({ number }) => number))],
      text: describeTables(tables),
      query: async (sql, signal) => {
        const outcome = await this.query(paths, tables, sql);
        signal.throwIfAborted();
        if ('query' in outcome) done.push(outcome);
        return outcome;
      },
      sources: () => sourcesOf(tables, done),
    };
  }

  /** The offered tables of a document. @param taken names so far */
  private async tables(
    paths: readonly string[],
    { schema, passages }: Document,
    limit: number,
    taken: number,
  ): Promise<OfferedTable[]> {
    const ask = async (sql: string, max: number): Promise<QueryResult['rows']> =>
      (await this.engine.query(paths, sql, [], { limit: max })).rows;
    const stored = await ask(
      `SELECT id, sql_name, name, sheet, page, row_count, total_count FROM ${schema}.tables ORDER BY id`,
      MAX_TABLES,
    );
    if (stored.length === 0 || limit <= 0) return [];
    const bounds = stored.map(
      ([id, name]) =>
        `SELECT ${Number(id)}, (SELECT _from FROM ${schema}.${String(name)} ORDER BY rowid LIMIT 1),
         (SELECT _to FROM ${schema}.${String(name)} ORDER BY rowid DESC LIMIT 1)`,
    );
    const places = await ask(bounds.join(' UNION ALL '), MAX_TABLES);
    const numberOf = (id: SqlValue | undefined): number | undefined => {
      const [, from, to] = places.find(([table]) => table === id) ?? [];
      return passages.find(({ passage }) => passage.start < Number(to) && passage.end > Number(from))?.number;
    };
    const isAny = stored.some(([id]) => numberOf(id) !== undefined);
    const isTogether = isAny && stored.length <= MAX_TOGETHER;
    const columns = await ask(
      `SELECT table_id, name, sql_name, type, currency, mixed_currencies, unit, unread_cells, distinct_values
       FROM ${schema}.columns ORDER BY table_id, position`,
      MAX_COLUMNS,
    );
    const offered: OfferedTable[] = [];
    for (const [id, sqlName, title, sheet, page, rows, totals] of stored) {
      const number = numberOf(id) ?? (isTogether ? passages[0]?.number : undefined);
      const run = passages[0]?.passage.run;
      if (number === undefined || run === undefined || offered.length >= limit) continue;
      const name = `${schema}.${String(sqlName)}`;
      const table: OfferedTable = {
        name: `t${taken + offered.length + 1}`,
        stored: name,
        title: String(title),
        sheet: sheet == null ? null : String(sheet),
        page: page == null ? null : Number(page),
        rowCount: Number(rows),
        totalCount: Number(totals),
        columns: await Promise.all(
          columns.filter(([table]) => table === id).map((column) => this.column(paths, name, column)),
        ),
        firstRows: [],
        number,
        datasourceId: run.datasourceId,
        datasourceName: run.datasourceName,
      };
      const first = { limit: 3, views: viewsOf([table]) };
      const { rows: firstRows } = await this.engine.query(paths, `SELECT * FROM ${table.name}`, [], first);
      offered.push({ ...table, firstRows });
    }
    return offered;
  }

  private async column(
    paths: readonly string[],
    table: string,
    [, name, sqlName, type, currency, mixed, unit, unread, values]: readonly SqlValue[],
  ): Promise<OfferedColumn> {
    return {
      name: String(name),
      sqlName: String(sqlName),
      type: String(type),
      currency: currency == null ? null : String(currency),
      currencies: mixed === 1 ? await this.currencies(paths, table, String(sqlName)) : null,
      unit: unit == null ? '' : String(unit),
      unreadCells: Number(unread),
      values: typeof values === 'string' ? (JSON.parse(values) as string[]) : null,
    };
  }

  /** The currencies of a column with several. Empty if it is too large: then its numbers are not offered. */
  private async currencies(paths: readonly string[], table: string, column: string): Promise<string[]> {
    const sql = `SELECT DISTINCT currency_of("${column}_shown") FROM ${table} WHERE "${column}" IS NOT NULL`;
    const found = await this.engine.query(paths, sql, [], { limit: 50 }).catch(() => null);
    return found?.rows.flatMap(([currency]) => (typeof currency === 'string' ? [currency] : [])) ?? [];
  }

  private async query(
    paths: readonly string[],
    tables: readonly OfferedTable[],
    sql: string,
  ): Promise<QueryOutcome> {
    const reason = addedTextReason(tables, sql);
    if (reason !== null) return { error: reason };
    try {
      const result = await this.engine.query(paths, sql, [], { limit: MAX_ROWS, views: viewsOf(tables) });
      const forms = await this.forms(paths, tables, sql, result);
      const used = tablesRead(tables, result.reads);
      const rows = withinCharacters(result.rows.map((row) => row.map(shortened)));
      return {
        query: {
          sql,
          tables: used.map(({ name, title, sheet, page, datasourceId, datasourceName }) => ({
            name,
            datasource_id: datasourceId,
            datasource_name: datasourceName,
            table: title,
            ...(sheet === null ? {} : { sheet }),
            ...(page === null ? {} : { page }),
          })),
          columns: result.columns.map((name, at) => {
            const form = forms[at];
            return form == null ? { name } : { name, unit: form };
          }),
          rows,
          ...(await this.rowCount(paths, tables, sql, result)),
        },
        numbers: [...new Set(used.map(({ number }) => number))],
        notes: notesOf(tables, result.reads),
      };
    } catch (error) {
      if (!(error instanceof TableQueryError)) throw error;
      return { error: mixedColumnReason(tables, error.message) ?? error.message };
    }
  }

  /** Not counted by the model, which may not have received all rows. */
  private async rowCount(
    paths: readonly string[],
    tables: readonly OfferedTable[],
    sql: string,
    { rows, hasMore }: QueryResult,
  ): Promise<{ row_count?: number }> {
    if (!hasMore) return { row_count: rows.length };
    const statement = `SELECT count(*) FROM (${withoutEnd(sql)}\n)`;
    const counting = { views: viewsOf(tables), timeoutMs: CHECK_TIMEOUT_MS };
    const counted = await this.engine.query(paths, statement, [], counting).catch(() => null);
    const count = counted?.rows[0]?.[0];
    return typeof count === 'number' ? { row_count: count } : {};
  }

  /**
   * The form of each column of a result: with all amounts of a currency a little larger, sums and averages of them are larger by
   * the same factor, and counts are not. A number that changes with several currencies is not theirs to add.
   *
   * @throws TableQueryError if amounts of several currencies are combined
   */
  private async forms(
    paths: readonly string[],
    tables: readonly OfferedTable[],
    sql: string,
    { reads, rows, columns }: QueryResult,
  ): Promise<(string | null)[]> {
    const [currencies, others] = partition(formsRead(tables, reads), (form) => isCurrency(tables, form));
    const forms = [...currencies, ...others.slice(0, MAX_FORMS)];
    const areSeveral = currencies.length > 1;
    const found: (string | null)[] = columns.map(() => null);
    const changedBy = columns.map((): string[] => []);
    for (const form of forms) {
      const views = viewsOf(tables, { form, factor: FACTOR });
      const scaled = await this.engine
        .query(paths, sql, [], { limit: MAX_ROWS, views, timeoutMs: CHECK_TIMEOUT_MS })
        .catch(() => null);
      // Other rows are found, or it takes too long, so the numbers cannot be compared.
      if (scaled?.rows.length !== rows.length) {
        if (areSeveral)
          throw notAllowed('The query reads amounts in several currencies. Ask for one at a time.');
        continue;
      }
      for (const at of columns.keys()) {
        const ratios = rows.flatMap((row, index) => ratioOf(row[at], scaled.rows[index]?.[at]));
        if (ratios.length > 0 && ratios.every((ratio) => Math.abs(ratio - FACTOR) < TOLERANCE))
          found[at] = form;
        if (ratios.some((ratio) => ratio !== 1)) changedBy[at]?.push(form);
      }
    }
    const mixed = changedBy.find((changes) => changes.filter((form) => isCurrency(tables, form)).length > 1);
    if (mixed)
      throw notAllowed(
        `The query combines amounts in ${mixed.join(' and ')} in one number. Amounts in different currencies are not added or compared: select one number for each currency.`,
      );
    return found;
  }
}

/** Without semicolons at the end. */
function withoutEnd(sql: string): string {
  let end = sql.length;
  while (/[\s;]/.test(sql[end - 1] ?? '')) end -= 1;
  return sql.slice(0, end);
}

function partition(texts: readonly string[], isFirst: (text: string) => boolean): [string[], string[]] {
  return [texts.filter(isFirst), texts.filter((text) => !isFirst(text))];
}

function notAllowed(message: string): TableQueryError {
  return new TableQueryError('NOT_ALLOWED', message);
}

function isCurrency(tables: readonly OfferedTable[], form: string): boolean {
  return tables.some(({ columns }) =>
    columns.some(({ currency, currencies }) => currency === form || currencies?.includes(form) === true),
  );
}

/** How much larger a number is in the second result. Counts that change are numbers of other rows. */
function ratioOf(before: SqlValue | undefined, after: SqlValue | undefined): number[] {
  if (typeof before !== 'number' || typeof after !== 'number' || before === 0) return [];
  const isOther = before !== after && Number.isInteger(before) && Number.isInteger(after);
  return isOther ? [] : [after / before];
}

function sourcesOf(
  tables: readonly OfferedTable[],
  outcomes: readonly Extract<QueryOutcome, { query: unknown }>[],
): ReadonlyMap<number, SourceTable> {
  const sources = new Map<number, SourceTable>();
  for (const { query, numbers } of outcomes)
    for (const number of numbers) {
      const table = tables.find(
        (one) => one.number === number && query.tables.some(({ name }) => name === one.name),
      );
      if (table === undefined) continue;
      const { title, sheet, page, rowCount } = table;
      const before = sources.get(number);
      sources.set(number, {
        name: before?.name ?? title,
        ...(sheet === null ? {} : { sheet }),
        ...(page === null ? {} : { page }),
        rows: before?.rows ?? rowCount,
        conditions: [],
        queries: [...(before?.queries ?? []), query],
      });
    }
  return sources;
}

/** A sum of decimal fractions has a binary error behind the decimals that count. */
function shortened(value: SqlValue): SqlValue {
  if (typeof value === 'number') return Number(value.toPrecision(14));
  return typeof value === 'string' && value.length > MAX_CELL
    ? `${value.slice(0, MAX_CELL).toWellFormed()}…`
    : value;
}

function withinCharacters(rows: readonly SqlValue[][]): SqlValue[][] {
  let left = MAX_CHARACTERS;
  return rows.filter(
    (row) => (left -= row.reduce((sum: number, cell) => sum + String(cell).length + 3, 0)) >= 0,
  );
}
