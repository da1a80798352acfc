import {
  type Agent,
  type AgentAnswer,
  type AgentQuery,
  type Citewell,
  ConflictError,
  type DatastoreQueryItem,
  type RequestOptions,
  type Source,
} from '@citewell/sdk';
import { inOneLine, print, printable, printToStderr, style } from '../terminal/output.js';
import { TableLines } from '../terminal/table-lines.js';
import { UsageError } from '../describe-error.js';

const MAX_QUOTE_LENGTH = 360;
/** Rows of a query that are shown. */
const MAX_ROWS = 5;

/** Prints the text of an answer while it arrives. @returns the complete answer */
export async function printAnswer(
  client: Citewell,
  agentId: string,
  question: AgentQuery,
  options?: RequestOptions,
): Promise<AgentAnswer> {
  let hasText = false;
  const tables = new TableLines();
  try {
    for await (const event of client.agents.stream(agentId, question, options)) {
      if (event.type === 'response') return event.response;
      process.stdout.write(tables.push(printable(event.text)));
      hasText = true;
    }
  } finally {
    process.stdout.write(tables.flush());
    // Also after an error, so that its message starts on a new line.
    if (hasText) print();
  }
  // Unreachable: the client throws if the stream has no response event.
  throw new Error('The answer ended without its sources.');
}

/** Prints the sources with the numbers by which the answer cites them, and the sentences that none supports. */
export function printSources(
  { answer, sentences = [], sources, stored }: AgentAnswer,
  includeUncited: boolean,
): void {
  for (const [index, source] of sources.entries())
    if (source.cited || includeUncited) print(`\n${formatPassage(source, index + 1)}`);
  for (const { start, end, supported, contradiction } of sentences) {
    const sentence = inOneLine(answer.slice(start, end), 200);
    if (contradiction !== undefined)
      printToStderr(
        `\nSource [${contradiction.number}] contradicts: ${sentence}\n  It says: ${inOneLine(contradiction.sentence, 200)}`,
      );
    else if (!supported) printToStderr(`\nNo source supports: ${sentence}`);
  }
  if (stored === false)
    printToStderr('\nThe storage of the server is full, so this answer is not part of the conversation.');
}

/** The message of the API for an agent without a datastore is about a request, which this client does not have. */
export async function explainConflict<Answer>(
  { name, datastoreIds }: Agent,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ConflictError) || datastoreIds.length > 0) throw error;
    throw new UsageError(
      `The agent "${inOneLine(name)}" has no datastore. Ask one with --datastore, or give the agent one: see /api/docs of the server.`,
    );
  }
}

/**
 * Formats a passage with everything that a person needs to check it: number, name, page, offsets into the
 * text (`GET /datasources/{id}/text`), headings, address and text. The offsets and the text are those of the quote if
 * there is one. A longer text is truncated.
 */
export function formatPassage(passage: Source | DatastoreQueryItem, number: number): string {
  const {
    datasource_name,
    page_number,
    confidence,
    described,
    heading_path = [],
    source,
    datasource_id,
  } = passage;
  const { start, end, text } = ('quote' in passage && passage.quote) || passage;
  const location = [
    inOneLine(datasource_name, 100),
    ...(page_number === undefined ? [] : [`page ${page_number}`]),
    ...(confidence === undefined ? [] : [`recognized text, confidence ${confidence} %`]),
    ...(described ? ['a picture as a model describes it'] : []),
    `characters ${start}-${end}`,
    ...('revision' in passage ? [`revision ${passage.revision}`] : []),
    `datasource ${datasource_id}`,
    ...('added' in passage && passage.added ? ['not cited by the model'] : []),
  ];
  const lines = [`${style('bold', `[${number}]`)} ${location.join(', ')}`];
  if (heading_path.length > 0) lines.push(inOneLine(heading_path.join(' > '), 100));
  if (source !== datasource_name) lines.push(inOneLine(source));
  lines.push(`"${inOneLine(text, MAX_QUOTE_LENGTH)}"`);
  if ('table' in passage) for (const query of passage.table?.queries ?? []) lines.push(...formatQuery(query));
  return lines.join('\n    ');
}

type Query = NonNullable<NonNullable<Source['table']>['queries']>[number];

/** A query of tables with its first rows. */
function formatQuery({ sql, columns, rows, row_count: count = rows.length }: Query): string[] {
  const names = columns.map(({ name, unit }) => (unit === undefined ? name : `${name} (${unit})`));
  const shown = [names, ...rows.slice(0, MAX_ROWS)].map((row) => row.map((cell) => cell ?? '').join(' | '));
  return [
    `query: ${inOneLine(sql, MAX_QUOTE_LENGTH)}`,
    ...shown.map((row) => `  ${inOneLine(row, 200)}`),
    ...(count > MAX_ROWS ? [`  ${count} rows in all`] : []),
  ];
}
