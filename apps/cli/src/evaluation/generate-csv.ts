import { ARCHIVE_TYPE } from '@citewell/contracts/schemas';
import type { Citewell, Datasource } from '@citewell/sdk';
import { stringify } from 'csv-stringify/sync';
import { showProgress } from '../terminal/output.js';

const MAX_QUESTION_LENGTH = 200;
const MAX_EXPECTED_LENGTH = 120;
const MIN_EXPECTED_LENGTH = 12;

/** Of code and tables. A bar also separates the expected texts of a CSV. */
const MARK_UP = /[|{}<>=\\$`]/;

const ENDS_AS_QUESTION = /[?？؟]\s*$/u;

/** "Q:", "Frage 3.", "問:" */
const QUESTION_LABEL =
  /^\s*(?:\d+[.):]\s*)?(?:(?:q|a|question|answer|frage|antwort|réponse|pregunta|respuesta|質問|回答|問|答|问|答案)\s*(?:\d+\s*)?[:：.)]\s*)?/iu;

/** What spreadsheets would run as a formula, and marks of lists. */
const LEADING_MARKS = /^[^\p{L}\p{N}¿"„“«(]+/u;

const SENTENCE_END = /(?<=[.!。！])\s+|(?<=[。！])/u;

/** Documents that drafts are made of, the newest ones. */
const MAX_DOCUMENTS = 200;
/** Chunks of a document that are read. */
const MAX_CHUNKS = 300;
const PAGE = { limit: 100 };

/**
 * Drafts questions about the documents of a datastore, as CSV for `citewell eval`. Each document has its share.
 *
 * @param limit maximum number of questions
 */
export async function generateCsv(client: Citewell, datastoreId: string, limit: number): Promise<string> {
  const rounds: (Draft & { datasource: Datasource })[][] = [];
  let read = 0;
  for await (const datasource of documentsOf(client, datastoreId)) {
    if (read === MAX_DOCUMENTS) break;
    read += 1;
    showProgress(`${read} documents were read`);
    for (const [round, draft] of draftQuestions(await chunksOf(client, datasource)).entries())
      (rounds[round] ??= []).push({ ...draft, datasource });
  }
  showProgress('');
  const rows = rounds
    .flat()
    .slice(0, limit)
    .map(({ question, expected, kind, datasource }) => ({
      question,
      expected,
      document: datasource.customId ?? datasource.id,
      answerable: 'yes',
      note: `draft from ${kind === 'faq' ? 'a question' : 'a heading'} of ${datasource.name}`,
    }));
  return stringify(rows, {
    header: true,
    columns: ['question', 'expected', 'document', 'answerable', 'note'],
    record_delimiter: 'windows',
    // Spreadsheets take files without a mark for another encoding.
    bom: true,
  });
}

/** Also the pages of sites and the files of archives. */
async function* documentsOf(client: Citewell, datastoreId: string): AsyncGenerator<Datasource> {
  for await (const datasource of client.datasources.list({ ...PAGE, datastoreId })) {
    const isGroup = datasource.type === 'web_site' || datasource.mimeType === ARCHIVE_TYPE;
    if (!isGroup) yield datasource;
    else yield* client.datasources.list({ ...PAGE, datastoreId, groupId: datasource.id });
  }
}

async function chunksOf(client: Citewell, { id, lastSynch }: Datasource) {
  const chunks = [];
  if (lastSynch === null) return [];
  for await (const chunk of client.datasources.chunks(id, PAGE)) {
    chunks.push(chunk);
    if (chunks.length === MAX_CHUNKS) break;
  }
  return chunks;
}

/** A question that a person has to correct. */
interface Draft {
  question: string;
  /** Words of the text that answers it. */
  expected: string;
  kind: 'faq' | 'heading';
}

/** The fields of a chunk that drafts are made of. */
export interface DraftedChunk {
  readonly text: string;
  readonly heading_path?: readonly string[] | undefined;
}

/**
 * Drafts questions from the chunks of a document: each entry of an FAQ with its answer, and each heading with the first
 * sentence below it. A heading that is no question becomes one only with the help of a person.
 */
export function draftQuestions(chunks: readonly DraftedChunk[]): Draft[] {
  const drafts = new Map<string, Draft>();
  const add = (draft: Draft | null): void => {
    if (draft !== null && !drafts.has(draft.question)) drafts.set(draft.question, draft);
  };
  const headings = new Set<string>();
  for (const { text, heading_path: path = [] } of chunks) {
    const lines = text.split('\n').map((line) => line.trim());
    const heading = path.at(-1);
    const key = path.join('\n');
    if (heading !== undefined && !headings.has(key)) {
      headings.add(key);
      add(headingDraft(path, firstProse(lines, path)));
    }
    for (const [index, line] of lines.entries())
      if (ENDS_AS_QUESTION.test(line) && line !== heading)
        add(faqDraft(line, firstProse(lines.slice(index + 1), path)));
  }
  // Entries of an FAQ are what people ask.
  return [...drafts.values()].toSorted(
    (one, other) => Number(one.kind === 'heading') - Number(other.kind === 'heading'),
  );
}

function headingDraft(path: readonly string[], prose: string): Draft | null {
  const heading = cleanedLine(path.at(-1) ?? '');
  if (ENDS_AS_QUESTION.test(heading)) return faqDraft(heading, prose);
  const parent = cleanedLine(path.at(-2) ?? '');
  return draftOf(parent === '' ? `${heading}?` : `${parent}: ${heading}?`, prose, 'heading');
}

function faqDraft(question: string, answer: string): Draft | null {
  return draftOf(cleanedLine(question), answer, 'faq');
}

function draftOf(question: string, answer: string, kind: Draft['kind']): Draft | null {
  const expected = beginningOf(cleanedLine(answer));
  const isUsable =
    question.length <= MAX_QUESTION_LENGTH &&
    question.length >= 4 &&
    expected.length >= MIN_EXPECTED_LENGTH &&
    !MARK_UP.test(question);
  return isUsable ? { question, expected, kind } : null;
}

/** The first line of prose; empty if a question comes before. */
function firstProse(lines: readonly string[], headings: readonly string[]): string {
  const line = lines.find(
    (text) => isProse(text) && !headings.includes(cleanedLine(text)) && !headings.includes(text),
  );
  return line === undefined || ENDS_AS_QUESTION.test(line) ? '' : line;
}

/** Neither empty, nor code, nor a table, nor the introduction of a list. */
function isProse(line: string): boolean {
  return line !== '' && !MARK_UP.test(line) && !/[:：]$/u.test(line);
}

/** The first sentence, or as many whole words as fit: a part of the text as it is. */
function beginningOf(text: string): string {
  const [sentence = ''] = text.split(SENTENCE_END);
  if (sentence.length <= MAX_EXPECTED_LENGTH) return sentence.trim();
  const cut = sentence.slice(0, MAX_EXPECTED_LENGTH);
  const lastSpace = cut.lastIndexOf(' ');
  return (lastSpace > MIN_EXPECTED_LENGTH ? cut.slice(0, lastSpace) : cut).toWellFormed().trim();
}

function cleanedLine(text: string): string {
  return text.replace(QUESTION_LABEL, '').replace(LEADING_MARKS, '').trim();
}
