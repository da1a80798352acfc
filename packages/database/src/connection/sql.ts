import type { DataSource, EntityManager, EntityTarget, ObjectLiteral } from 'typeorm';

/** Sends statements: the data source, or the manager of a transaction. */
export type Executor = Pick<DataSource | EntityManager, 'query'>;

/** A piece of SQL with its parameters in place. Made by {@link sql}. */
export class Sql {
  constructor(
    /** The text between the parameters: one more than there are {@link values}. */
    readonly strings: readonly string[],
    readonly values: readonly unknown[],
  ) {}

  /** The text with `$1`, `$2`, … for the parameters. */
  get text(): string {
    return this.strings.reduce((text, string, index) => `${text}$${index}${string}`);
  }
}

/**
 * Template tag for hand-written SQL. A `${value}` becomes a parameter of the statement, and a `${fragment}`
 * made by `sql` becomes part of its text. Values are never quoted into the text.
 *
 *     const isOurs = sql`id = ${run.id} AND lease_owner = ${owner}`;
 *     await execute(manager, sql`UPDATE runs SET space = ${space} WHERE ${isOurs}`);
 */
export function sql(strings: TemplateStringsArray, ...values: readonly unknown[]): Sql {
  const text = [strings[0] ?? ''];
  const parameters: unknown[] = [];
  const append = (piece: string): void => {
    text.push((text.pop() ?? '') + piece);
  };
  for (const [index, value] of values.entries()) {
    if (value instanceof Sql) {
      append(value.strings[0] ?? '');
      text.push(...value.strings.slice(1));
      parameters.push(...value.values);
    } else {
      text.push('');
      parameters.push(value);
    }
    append(strings[index + 1] ?? '');
  }
  return new Sql(text, parameters);
}

/**
 * Whether a column contains a text. Capital and small letters are the same, and so are composed and decomposed ones, as
 * in file names of macOS. The letters of other alphabets need ICU: the locale of a database may be C.
 */
export function containsText(column: Sql, part: string): Sql {
  const folded = (text: Sql): Sql =>
    /^\p{ASCII}*$/u.test(part) ? sql`lower(${text})` : sql`lower(${text} COLLATE "und-x-icu")`;
  const [composed, decomposed] = (['NFC', 'NFD'] as const).map(
    (form) => sql`strpos(${folded(sql`(${column})`)}, ${folded(sql`${part.normalize(form)}::text`)}) > 0`,
  ) as [Sql, Sql];
  return part.normalize('NFC') === part.normalize('NFD') ? composed : sql`(${composed} OR ${decomposed})`;
}

/**
 * Rows as JSON, for functions such as `jsonb_to_recordset`. Absent columns and nulls become NULL. Lone surrogates become
 * U+FFFD, as they do in parameters of type text: Postgres refuses them in JSON.
 */
export function jsonOfRows(rows: readonly object[]): string {
  return JSON.stringify(rows, (_, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed() : value,
  );
}

/** The rows that a statement returns, also of `UPDATE … RETURNING` and `DELETE … RETURNING`. */
export async function queryRows<Row>(executor: Executor, statement: Sql): Promise<Row[]> {
  return (await send(executor, statement)).rows as Row[];
}

/** The first row that a statement returns; null when it returns none. */
export async function queryRow<Row>(executor: Executor, statement: Sql): Promise<Row | null> {
  const [row] = await queryRows<Row>(executor, statement);
  return row ?? null;
}

/** Sends an `UPDATE` or `DELETE`. @returns how many rows it changed; 0 for other statements */
export async function execute(executor: Executor, statement: Sql): Promise<number> {
  return (await send(executor, statement)).affected;
}

/** TypeORM returns `[rows, affected]` for `UPDATE` and `DELETE`, and rows for everything else. */
async function send(
  executor: Executor,
  { text, values }: Sql,
): Promise<{ rows: unknown[]; affected: number }> {
  const result = await executor.query<unknown[]>(text, [...values]);
  const [rows, affected] = result;
  return Array.isArray(rows) && typeof affected === 'number'
    ? { rows, affected }
    : { rows: result, affected: 0 };
}

/** Turns rows as the driver returns them (`RETURNING *`, `SELECT t.*`) into entities. */
export function hydrate<Entity extends ObjectLiteral>(
  dataSource: DataSource,
  target: EntityTarget<Entity>,
  rows: readonly Record<string, unknown>[],
): Entity[] {
  const { columns } = dataSource.getMetadata(target);
  return rows.map((row) => {
    const entity = dataSource.manager.create(target);
    for (const column of columns) {
      column.setEntityValue(entity, dataSource.driver.prepareHydratedValue(row[column.databaseName], column));
    }
    return entity;
  });
}

/** As {@link hydrate}, for one row; null without a row. */
export function hydrateOne<Entity extends ObjectLiteral>(
  dataSource: DataSource,
  target: EntityTarget<Entity>,
  row: Record<string, unknown> | null | undefined,
): Entity | null {
  return row ? (hydrate(dataSource, target, [row])[0] ?? null) : null;
}
