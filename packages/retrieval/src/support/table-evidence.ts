import type { AnalyzedQuestion } from '../question/analyzed-question.js';
import { detectLanguage } from '../question/detect-language.js';
import { readQuantities } from './read-quantities.js';

/** A query of tables and what it gave. */
export interface QueriedRows {
  readonly sql: string;
  /** Of the tables and their documents. */
  readonly names: readonly string[];
  readonly columns: readonly { readonly name: string; readonly unit?: string | undefined }[];
  readonly rows: readonly (readonly (string | number | null)[])[];
  /** Of all rows. */
  readonly rowCount?: number | undefined;
}

/** A text in quotes of SQL, and a number that is no part of a name. */
const LITERAL = /'((?:[^']|'')*)'|(?<![\w.])(\d+(?:\.\d+)?)(?![\w.])/g;
const MONTH = /^(\d{4}-\d{2})(?:-?%?)$/;
const DATE = /\d{4}-\d{2}/;
/** May 2026, 2026 */
const CALENDAR = /(?:\p{L}{3,9}\.? )?(?:19|20)\d\d(?!\d)/gu;

/**
 * What the rows of a query say, as sentences that a statement can be compared with: the words of the questions, the values that
 * the query compares, and the numbers of a row with their units. Numbers of a question are no evidence: it may be wrong.
 */
export function tableEvidence(questions: readonly AnalyzedQuestion[], queried: QueriedRows): string {
  const { sql, names, columns, rows, rowCount = rows.length } = queried;
  const literals = Array.from(sql.matchAll(LITERAL), ([, text, number]) =>
    text === undefined ? (number ?? '') : literalText(text),
  );
  const hasDates = rows.some((row) => row.some((cell) => typeof cell === 'string' && DATE.test(cell)));
  const words = questions.flatMap(({ text }) => [
    withoutQuantities(text),
    ...(hasDates ? [] : Array.from(text.matchAll(CALENDAR), ([word]) => word)),
  ]);
  const head = [...names, ...words, ...literals].join(' ').replace(/[.!?;:\n|]+/g, ' ');
  const lines = rows.map((row) =>
    row
      .map((cell, at) => {
        const { name = '', unit } = columns[at] ?? {};
        return `${/^[\p{L}\p{N}_ ]+$/u.test(name) ? name.replaceAll('_', ' ') : ''} ${cell ?? ''}${unit === undefined ? '' : ` ${unit}`}`;
      })
      .join(', '),
  );
  // The number of one row is no number of things.
  return [...lines, ...(rowCount === 1 ? [] : [String(rowCount)])]
    .map((line) => `${head}, ${line.replace(/\n/g, ' ')}.`)
    .join('\n');
}

function withoutQuantities(text: string): string {
  let left = text;
  for (const { start, text: quantity } of readQuantities(text, detectLanguage(text)).toReversed())
    left = `${left.slice(0, start)} ${left.slice(start + quantity.length)}`;
  return left;
}

function literalText(text: string): string {
  const month = MONTH.exec(text)?.[1];
  return month === undefined ? text.replaceAll('%', ' ').replaceAll("''", "'") : `${month}-01`;
}
