import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Citewell,
  CitewellError,
  type CreateEvaluation,
  type DatasourceItem,
  type EvaluationQuestion,
} from '@citewell/sdk';
import { UsageError } from '../describe-error.js';
import { sendItems } from '../add/add-all.js';
import { datastoresOf, findByIdOrName } from '../named-collection.js';
import { printToStderr, showProgress } from '../terminal/output.js';

const QUERIES = 'queries.jsonl';
const CORPUS = 'corpus.jsonl';
const JUDGEMENTS = 'qrels';

/**
 * The judged questions of a folder in the format of BEIR (Thakur et al., 2021): `queries.jsonl` and `qrels/test.tsv`. Questions
 * without a relevant document are left out, as in BEIR.
 */
export async function readBeirQuestions(folder: string): Promise<EvaluationQuestion[]> {
  const grades = new Map<string, Map<string, number>>();
  for await (const { text, place } of linesOf(await judgementsOf(folder))) {
    const [query = '', document = '', score = ''] = text.split('\t');
    const grade = Number(score);
    // The first line names the columns.
    if (query === 'query-id') continue;
    if (document === '' || score === '' || !Number.isFinite(grade))
      throw new UsageError(`${place} must have three columns, separated by tabs: query, document and grade.`);
    const ofQuery = grades.get(query) ?? new Map<string, number>();
    grades.set(query, ofQuery.set(document, Math.max(0, grade)));
  }
  const questions: EvaluationQuestion[] = [];
  for await (const record of recordsOf(join(folder, QUERIES))) {
    const ofQuery = grades.get(record.id);
    if (ofQuery && [...ofQuery.values()].some((grade) => grade > 0))
      questions.push({ question: record.text, documents: Object.fromEntries(ofQuery) });
  }
  if (questions.length === 0) throw new UsageError(`${folder} has no question with a relevant document.`);
  return questions;
}

/** The documents of the folder, as texts whose custom ids are those of the judgements. */
export async function* readBeirCorpus(folder: string): AsyncGenerator<DatasourceItem> {
  for await (const { id, title, text } of recordsOf(join(folder, CORPUS))) {
    const content = [title, text].filter((part) => part !== '').join('\n\n');
    if (content.trim() === '') continue;
    yield {
      type: 'text',
      name: (title === '' ? id : title).replace(/\p{Cc}+/gu, ' ').slice(0, 255),
      text: content,
      custom_id: id,
      upsert: true,
    };
  }
}

interface BeirRecord {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

async function* recordsOf(path: string): AsyncGenerator<BeirRecord> {
  for await (const { text, place } of linesOf(path)) {
    const record = parsed(text, place);
    const id = record['_id'];
    const content = record['text'];
    if (typeof id !== 'string' || typeof content !== 'string')
      throw new UsageError(`${place} must be an object with "_id" and "text".`);
    yield { id, title: typeof record['title'] === 'string' ? record['title'] : '', text: content };
  }
}

function parsed(line: string, place: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null) return { ...value };
  } catch {
    // The sentence below names the line.
  }
  throw new UsageError(`${place} is not a JSON object.`);
}

/** `test.tsv`, or the only file of judgements. */
async function judgementsOf(folder: string): Promise<string> {
  const files = (await readdir(join(folder, JUDGEMENTS))).filter((name) => name.endsWith('.tsv'));
  const [only] = files;
  if (files.includes('test.tsv')) return join(folder, JUDGEMENTS, 'test.tsv');
  if (only === undefined || files.length > 1)
    throw new UsageError(`${join(folder, JUDGEMENTS)} must have a file test.tsv, or only one .tsv file.`);
  return join(folder, JUDGEMENTS, only);
}

async function* linesOf(path: string): AsyncGenerator<{ text: string; place: string }> {
  let number = 0;
  for await (const text of createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Infinity })) {
    number += 1;
    if (text.trim() !== '') yield { text, place: `Line ${number} of ${path}` };
  }
}

const BATCH = 500;
const MAX_BATCH_CHARACTERS = 4_000_000;
const POLL_MS = 1_000;

/**
 * Fills the datastore with the name of a folder in the format of BEIR from its `corpus.jsonl`, and waits until it is indexed.
 * Documents that are there already, with the same text, are not indexed again.
 *
 * @returns the id of the datastore
 * @throws CitewellError if a document is refused: figures without it would be wrong
 */
export async function fillFromBeir(client: Citewell, folder: string): Promise<string> {
  const name = basename(resolve(folder)).slice(0, 255);
  const existing = await findByIdOrName(datastoresOf(client), name);
  const { id } = existing ?? (await client.datastores.create({ name }));
  printToStderr(`Filling the datastore "${name}".`);
  let batch: DatasourceItem[] = [];
  let characters = 0;
  let sent = 0;
  const send = async (): Promise<void> => {
    for (const result of await sendItems(client, id, batch))
      if (result instanceof CitewellError) throw result;
    sent += batch.length;
    showProgress(`${sent} documents were sent`);
    batch = [];
    characters = 0;
  };
  for await (const item of readBeirCorpus(folder)) {
    batch.push(item);
    characters += JSON.stringify(item).length;
    if (batch.length === BATCH || characters > MAX_BATCH_CHARACTERS) await send();
  }
  if (batch.length > 0) await send();
  await waitUntilIndexed(client, id);
  return id;
}

async function waitUntilIndexed(client: Citewell, id: string): Promise<void> {
  for (;;) {
    const { total, statuses } = await client.datastores.progress(id);
    const left = statuses.unsynched + statuses.running;
    const failed = statuses.error + statuses.usage_limit_reached;
    if (left === 0) {
      showProgress('');
      if (failed > 0)
        printToStderr(`${failed} of ${total} documents failed. The figures count them as not found.`);
      return;
    }
    showProgress(`${total - left} of ${total} documents are indexed`);
    await sleep(POLL_MS);
  }
}

/** The questions of an evaluation, as the API takes them. */
type QuestionSet = Pick<CreateEvaluation, 'csv' | 'questions'>;

/** Reads a CSV file, or the questions of a folder in the format of BEIR. @throws {@link UsageError} */
export async function readQuestionSet(path: string): Promise<QuestionSet & { isBeir: boolean }> {
  const isFolder = (await stat(path)).isDirectory();
  if (isFolder) return { questions: await readBeirQuestions(path), isBeir: true };
  const bytes = await readFile(path);
  try {
    return { csv: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), isBeir: false };
  } catch {
    throw new UsageError(`${path} is not text in UTF-8. Save it as "CSV UTF-8" in the spreadsheet.`);
  }
}
