import type { SourceTable } from '@citewell/contracts/schemas';
import { LOGGER } from '@citewell/infrastructure';
import type { Logger } from '@citewell/observability';
import {
  type AskedQuestion,
  type AskedTable,
  type Language,
  type OtherRows,
  type QuotedTable,
  tableAnswer,
  type TableCondition,
  tableConditions,
  type TableLookups,
  tableLookups,
  type TableResult,
} from '@citewell/retrieval';
import { type SqlValue, TableEngine } from '@citewell/tables';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { FoundPassage } from '../search/retriever.service.js';
import { TableFiles } from './table-files.service.js';
import { type RangedTable, StoredTables } from './stored-tables.js';
import {
  begunStatement,
  isNumeric,
  MAX_BEGUN,
  numbersStatement,
  rowsStatement,
  shownColumns,
  type StoredTable,
  textsStatement,
  whereOf,
} from './table-statements.js';

/** What a table has for a question. */
export interface FoundTable {
  readonly runId: string;
  readonly table: Pick<StoredTable, 'id' | 'name' | 'sheet' | 'page'>;
  readonly result: TableResult;
  /** Offsets of the rows that are shown. */
  readonly ranges: readonly { readonly start: number; readonly end: number }[];
}

/** What a table has for a question, and the citation of it. */
export interface CitedTable extends QuotedTable {
  readonly source: SourceTable;
  /** The first row that was found, if the cited passage has one. */
  readonly quote: { readonly start: number; readonly end: number; readonly text: string } | null;
}

/** Documents whose tables are asked: those of the best passages. */
const MAX_DOCUMENTS = 6;
/** Tables that are part of an answer. */
const MAX_ANSWERING = 4;
/** Rows that are shown; of several tables, fewer of each. */
const SHOWN_ROWS = 20;
const SHOWN_ROWS_OF_SEVERAL = 5;
/** Longer texts of cells are truncated. */
const MAX_CELL = 120;

/** A table with the conditions that the question sets for it. */
interface Candidate {
  readonly stored: StoredTables;
  readonly table: RangedTable;
  readonly title: string;
  readonly conditions: readonly TableCondition[];
  readonly used: number;
  readonly named: number;
  readonly isTold: boolean;
  readonly unused: readonly string[];
  readonly runId: string;
}

interface NumberedPassage {
  readonly number: number;
  readonly passage: FoundPassage;
}

/** Answers questions with the rows of tables, without a model. */
@Injectable()
export class TableAnswers implements OnApplicationShutdown {
  constructor(
    @Inject(TableFiles) private readonly files: Pick<TableFiles, 'pathOf'>,
    @Inject(TableEngine) private readonly engine: Pick<TableEngine, 'query' | 'close'>,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  /**
   * The rows that a question names, of the tables of the documents of its passages. Only passages that the asker may read were
   * found, and so only tables that the asker may read are asked.
   *
   * @param relevant how many of the passages are relevant to the question, if not all. Of the other ones, a table counts only if
   *   the question names it, one of its columns, its document, or a value of several words
   * @returns empty if the question sets no condition for them, or the tables cannot be read
   */
  async find(
    { question, numbers }: Pick<AskedQuestion, 'question' | 'numbers'>,
    passages: readonly FoundPassage[],
    language: Language,
    relevant = numbers.length,
  ): Promise<FoundTable[]> {
    const lookups = tableLookups(question, language);
    if (lookups.texts.length === 0) return [];
    const candidates: Candidate[] = [];
    for (const document of documentsOf(numbers, passages).slice(0, MAX_DOCUMENTS)) {
      try {
        const found = await this.candidates(question, lookups, document, language);
        const isRelevant = document.some(({ number }) => numbers.indexOf(number) < relevant);
        candidates.push(...found.filter(({ isTold }) => isRelevant || isTold));
      } catch (error) {
        this.warn(error, document[0]?.passage.runId);
      }
    }
    return this.answerFrom(best(candidates));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.engine.close();
  }

  /** The tables of a document for which the question sets conditions. */
  private async candidates(
    question: AskedQuestion['question'],
    lookups: TableLookups,
    passages: readonly NumberedPassage[],
    language: Language,
  ): Promise<Candidate[]> {
    const [first] = passages;
    if (first === undefined) return [];
    const { organizationId, datasourceId, runId: id, run } = first.passage;
    const path = await this.files.pathOf({ organizationId, datasourceId, id });
    if (path === null) return [];
    const stored = new StoredTables(this.engine, path);
    const tables = await stored.tables();
    const texts = await this.texts(stored, lookups);
    const candidates: Candidate[] = [];
    for (const each of tables) {
      const table = await stored.withRanges(each);
      const asked: AskedTable = {
        names: [run.datasourceName, table.name, table.sheet ?? ''],
        columns: table.columns,
        texts: texts.filter(({ tableId }) => tableId === table.id),
        numbers: await this.numbers(stored, table, lookups),
      };
      const found = tableConditions(question, asked, language);
      const title = tables.length > 1 ? `${run.datasourceName}, ${table.name}` : run.datasourceName;
      if (found) candidates.push({ stored, table, title, runId: id, ...found });
    }
    return candidates;
  }

  private async texts(
    stored: StoredTables,
    lookups: TableLookups,
  ): Promise<{ tableId: number; position: number; value: string }[]> {
    const rows = [...(await stored.rows(textsStatement(lookups)))];
    for (const beginning of lookups.beginnings) {
      const { rows: begun, hasMore } = await stored.ask(begunStatement(beginning));
      if (!hasMore && begun.length < MAX_BEGUN) rows.push(...begun);
    }
    return rows.map(([tableId, position, value]) => ({
      tableId: Number(tableId),
      position: Number(position),
      value: String(value),
    }));
  }

  private async numbers(
    stored: StoredTables,
    table: StoredTable,
    { numbers }: TableLookups,
  ): Promise<{ position: number; value: number }[]> {
    const columns = table.columns.filter(isNumeric);
    if (numbers.length === 0 || columns.length === 0) return [];
    const rows = await stored.rows(numbersStatement(table, columns, numbers));
    return rows.map(([position, value]) => ({ position: Number(position), value: Number(value) }));
  }

  private async answerFrom(candidates: readonly Candidate[]): Promise<FoundTable[]> {
    const limit = candidates.length > 1 ? SHOWN_ROWS_OF_SEVERAL : SHOWN_ROWS;
    const results = await Promise.all(
      candidates.map((one) =>
        this.resultOf(one, limit).catch((error: unknown) => this.warn(error, one.runId)),
      ),
    );
    const found = results.filter((result) => result !== undefined);
    // A table without such a row says nothing beside one that has some.
    const isAny = found.some(({ result }) => result.count > 0);
    return found.filter(({ result }) => result.count > 0 || !isAny);
  }

  /** Quotes are an answer, too. */
  private warn(error: unknown, runId: string | undefined): void {
    this.logger.warn({ err: error, runId }, 'the tables of a document cannot be asked');
  }

  private async resultOf(
    { stored, table, title, conditions, unused, runId }: Candidate,
    limit: number,
  ): Promise<FoundTable> {
    const shown = shownColumns(table, conditions);
    const asked = new Set(conditions.map(({ position }) => position));
    const dates = table.columns.filter(({ position, type }) => asked.has(position) && type === 'date');
    const where = whereOf(table, conditions);
    const found = await stored.figures(table, where, dates);
    const rows = await stored.rows(rowsStatement(table, where, shown, limit));
    const hasSeveral = found.count > 1;
    const named = conditions.map((condition) => ({
      ...condition,
      column: table.columns.find(({ position }) => position === condition.position)?.name ?? '',
    }));
    const others: OtherRows[] = [];
    for (const [at, one] of unused.length > 0 ? named.entries() : []) {
      const condition = { ...one, isNot: true };
      const all = named.with(at, condition);
      const { count, figures } = await stored.figures(table, whereOf(table, all), []);
      if (count > 0) others.push({ condition, conditions: all, count, figures: count > 1 ? figures : [] });
    }
    const result: TableResult = {
      name: title,
      conditions: named,
      count: found.count,
      unused,
      others,
      header: shown.map(({ name }) => name),
      rows: rows.map((row) => row.slice(3).map((text) => shortened(text))),
      figures: hasSeveral ? found.figures : [],
      mixed: hasSeveral ? found.mixed : [],
      unread: found.unread,
      undated: found.undated,
      hasTotals: table.totals > 0,
    };
    const ranges = rows.map(([, start, end]) => ({ start: Number(start), end: Number(end) }));
    return { runId, table, result, ranges };
  }
}

/** The passages of each document, in their order. */
function documentsOf(numbers: readonly number[], passages: readonly FoundPassage[]): NumberedPassage[][] {
  const documents = new Map<string, NumberedPassage[]>();
  for (const number of numbers) {
    const passage = passages[number - 1];
    if (passage) documents.set(passage.runId, [...(documents.get(passage.runId) ?? []), { number, passage }]);
  }
  return [...documents.values()];
}

/** The tables for which most is used of the question. */
function best(candidates: readonly Candidate[]): Candidate[] {
  const most = (all: readonly Candidate[], countOf: (one: Candidate) => number): Candidate[] => {
    const greatest = Math.max(...all.map(countOf));
    return all.filter((one) => countOf(one) === greatest);
  };
  const specific = most(candidates, ({ used }) => used);
  return most(specific, ({ named }) => named).slice(0, MAX_ANSWERING);
}

/**
 * The text and the citation of a table.
 *
 * @param numbers of the passages for the question, best first
 * @returns null if none of them is of the document
 */
export function citedTable(
  { runId, table, result, ranges }: FoundTable,
  numbers: readonly number[],
  passages: readonly FoundPassage[],
  language: Language,
): CitedTable | null {
  const own = documentsOf(numbers, passages).find(([first]) => first?.passage.runId === runId) ?? [];
  const within = ({ passage }: NumberedPassage) =>
    ranges.filter(({ start, end }) => passage.start <= start && end <= passage.end);
  const cited = own.toSorted((a, b) => within(b).length - within(a).length)[0];
  if (cited === undefined) return null;
  const [row] = within(cited);
  const { number, passage } = cited;
  return {
    text: tableAnswer(result, number, language),
    number,
    numbers: own.map((one) => one.number),
    source: {
      number: table.id,
      name: table.name,
      ...(table.sheet === null ? {} : { sheet: table.sheet }),
      ...(table.page === null ? {} : { page: table.page }),
      rows: result.count,
      ...(result.unused.length > 0 ? { unused_words: [...result.unused] } : {}),
      conditions: result.conditions.map(({ column, texts, numbers: equal, ranges: dates }) => ({
        column,
        ...(texts.length + equal.length > 0 ? { is: [...texts, ...equal] } : {}),
        ...(dates.length > 0 ? { within: [...dates] } : {}),
      })),
    },
    quote: row
      ? { ...row, text: passage.text.slice(row.start - passage.start, row.end - passage.start) }
      : null,
  };
}

function shortened(text: SqlValue | undefined): string {
  const whole = text == null ? '' : String(text);
  return whole.length <= MAX_CELL ? whole : `${whole.slice(0, MAX_CELL).toWellFormed().trimEnd()}…`;
}
