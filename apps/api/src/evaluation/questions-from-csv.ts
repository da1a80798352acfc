import {
  type EvaluationQuestion,
  evaluationQuestionSchema,
  MAX_EVALUATION_QUESTIONS,
} from '@citewell/contracts/schemas';
import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { ApiError } from '../http/api-error.js';
import { issueSentence } from '../http/issue-sentence.js';

const MAX_DETAILS = 20;
/** Between several expected texts, or documents, of a question. */
const SEPARATOR = /\s\|\s/u;
const YES = new Set(['yes', 'true', '1', '']);
const NO = new Set(['no', 'false', '0']);

interface Row {
  readonly info: { readonly lines: number };
  readonly record: Readonly<Record<string, string>>;
}

/**
 * The questions of a table with the columns `question`, `expected`, `document` and `answerable`. Other columns are ignored, and
 * so are lines without any value. The delimiter is a comma, a semicolon or a tab.
 *
 * @throws {@link ApiError} `INVALID_REQUEST` with the lines that are wrong: none is left out
 */
export function questionsFromCsv(csv: string): EvaluationQuestion[] {
  const rows = rowsOf(csv);
  if (rows.length === 0) throw new ApiError('INVALID_REQUEST', 'The CSV has no questions.');
  if (rows.length > MAX_EVALUATION_QUESTIONS)
    throw new ApiError(
      'INVALID_REQUEST',
      `The CSV has ${rows.length} questions. An evaluation has at most ${MAX_EVALUATION_QUESTIONS}.`,
    );
  if (!rows.some(({ record }) => 'question' in record))
    throw new ApiError(
      'INVALID_REQUEST',
      'The first line of the CSV must name its columns: question is missing.',
    );
  const problems: { path: string; message: string }[] = [];
  const questions = rows.flatMap((row) => {
    const { questions: read, problem } = toQuestion(row);
    if (problem !== null) problems.push({ path: `csv line ${row.info.lines}`, message: problem });
    return read;
  });
  const [first] = problems;
  if (first === undefined) return questions;
  const others = problems.length === 1 ? '' : ` ${problems.length - 1} more lines are wrong.`;
  throw new ApiError(
    'INVALID_REQUEST',
    `Line ${first.path.split(' ').at(-1)} of the CSV: ${first.message}.${others}`,
    {
      details: problems.slice(0, MAX_DETAILS),
    },
  );
}

function toQuestion({ record }: Row): { questions: EvaluationQuestion[]; problem: string | null } {
  const { question = '', expected = '', document = '', answerable = '' } = record;
  const isAnswerable = answerable.toLowerCase();
  if (!YES.has(isAnswerable) && !NO.has(isAnswerable))
    return { questions: [], problem: 'answerable must be yes or no' };
  const documents = partsOf(document);
  const parsed = evaluationQuestionSchema.safeParse(
    {
      question,
      expected: partsOf(expected),
      documents: Object.fromEntries(documents.map((name) => [name, 1])),
      ...(NO.has(isAnswerable) ? { answerable: false } : {}),
    },
    { error: issueSentence },
  );
  if (parsed.success) return { questions: [parsed.data], problem: null };
  const [issue] = parsed.error.issues;
  const column = issue?.path[0] === 'documents' ? 'document' : String(issue?.path[0] ?? 'the line');
  // The sentence of the schema names the fields of JSON.
  const message =
    column === 'expected' && partsOf(expected).length === 0 ? MISSING : `${column} ${issue?.message}`;
  return { questions: [], problem: message };
}

const MISSING = 'write an expected text or a document, or "no" into the column answerable';

function partsOf(cell: string): string[] {
  return cell
    .split(SEPARATOR)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function rowsOf(csv: string): Row[] {
  try {
    // `info` and lower-case names of the columns make the records rows.
    return parse(csv, {
      bom: true,
      columns: (names: string[]) => names.map((name) => name.trim().toLowerCase()),
      delimiter: delimiterOf(csv),
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      trim: true,
    }) as unknown as Row[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new ApiError('INVALID_REQUEST', `The CSV cannot be read: ${error.message}`, { cause: error });
  }
}

/** The one of the first line: names of columns contain none of them. */
function delimiterOf(csv: string): string {
  const [head = ''] = csv.split(/\r?\n/, 1);
  return [';', '\t'].find((delimiter) => head.includes(delimiter)) ?? ',';
}
