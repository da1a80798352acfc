import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { DatasourceItem, EvaluationQuestion } from '@citewell/sdk';
import { UsageError } from '../usage-error.js';

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
