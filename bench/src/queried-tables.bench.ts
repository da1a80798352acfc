// Measures answers for which a chat model queries tables. The model is played by hand, from the prompt alone, with a server of
// the format of OpenAI that writes each request to `NNN.request.json` and streams what `NNN.reply.txt` then has:
//
//   node dist/queried-tables.bench.js sample wtq|tatqa FOLDER OUT [--count 100]   questions and tables of a checkout of the set
//   node dist/queried-tables.bench.js prompts OUT SERVER [--port 38499]           the prompts, as OUT/prompts/ID.txt
//   node dist/queried-tables.bench.js run OUT SERVER [--failures]                 with the queries of OUT/plays.jsonl
//
// SERVER is the script of the played model, called with a folder and a port. A line of plays.jsonl is
// `{ "id": …, "sql": [query, its correction …], "answer": "…" }`, written from the prompts and without a look at OUT/questions.jsonl.
// Without `answer`, the model answers with all cells of its last result. Without queries, it answers from the passages.
//
// Sets: github.com/ppasupat/WikiTableQuestions (pristine-unseen-tables, CC BY-SA 4.0) and github.com/NExTplusplus/TAT-QA (test set
// with gold answers, arithmetic and counts, MIT). Nothing of them is part of this repository.
//
// right       the cells of the result are the known answer
// derivable   each number of the answer is in the result that the source shows, or is calculated from numbers of the source
// supported   the service marked no sentence of a right answer as not supported
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { AgentAnswer, TableQuery } from '@citewell/contracts/schemas';
import { BenchClient } from './product/bench-client.js';
import { withStandalone } from './product/standalone-process.js';

interface Question {
  readonly id: string;
  readonly text: string;
  readonly file: string;
  /** Known answer: one or more values. */
  readonly values: readonly string[];
}

interface Play {
  readonly id: string;
  readonly sql: readonly string[];
  readonly answer?: string;
}

interface Request {
  readonly messages: readonly { readonly content: string }[];
  readonly tools?: readonly unknown[];
}

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '100' },
    port: { type: 'string', default: '38499' },
    failures: { type: 'boolean', default: false },
  },
});
const [mode = '', first = '', second = '', third = ''] = positionals;

const TYPES: Readonly<Record<string, string>> = { '.csv': 'text/csv', '.html': 'text/html' };
const NO_ANSWER = 'NOT_IN_PASSAGES';
/** So that a sample can be drawn again. */
const SEED = 20_260_054;

function* randomNumbers(seed: number): Generator<number> {
  // Numerical Recipes, section 7.1: a linear congruential generator.
  for (let state = seed; ; yield state / 2 ** 32) state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
}

function sampled<Item>(items: readonly Item[], count: number): Item[] {
  const random = randomNumbers(SEED);
  return items
    .map((item) => ({ item, at: random.next().value ?? 0 }))
    .toSorted((a, b) => a.at - b.at)
    .slice(0, count)
    .map(({ item }) => item);
}

function sampleWikiTables(folder: string, out: string, count: number): void {
  const lines = readFileSync(join(folder, 'data/pristine-unseen-tables.tsv'), 'utf8')
    .trim()
    .split('\n')
    .slice(1);
  const unescaped = (text: string): string =>
    text.replaceAll(String.raw`\n`, '\n').replaceAll(String.raw`\p`, '|');
  const questions = sampled(lines, count).map((line): Question => {
    const [id = '', text = '', context = '', target = ''] = line.split('\t');
    const file = context.replace(/^csv\//, '').replaceAll('/', '-');
    // The set escapes quotes with backslashes.
    const csv = readFileSync(join(folder, context), 'utf8').replaceAll(String.raw`\"`, '""');
    writeFileSync(join(out, 'files', file), csv);
    return { id, text: unescaped(text), file, values: target.split('|').map(unescaped) };
  });
  writeFileSync(join(out, 'questions.jsonl'), questions.map((one) => JSON.stringify(one)).join('\n'));
}

interface TatDocument {
  readonly table: { readonly uid: string; readonly table: readonly (readonly string[])[] };
  readonly paragraphs: readonly { readonly text: string }[];
  readonly questions: readonly {
    readonly uid: string;
    readonly question: string;
    readonly answer: unknown;
    readonly answer_type: string;
    readonly answer_from: string;
    readonly scale: string;
  }[];
}

function sampleTatQa(folder: string, out: string, count: number): void {
  const path = join(folder, 'dataset_raw/tatqa_dataset_test_gold.json');
  const documents = JSON.parse(readFileSync(path, 'utf8')) as TatDocument[];
  const all = documents.flatMap(({ table, paragraphs, questions }) =>
    questions
      .filter((one) => ['arithmetic', 'count'].includes(one.answer_type) && one.answer_from === 'table')
      .map((one) => ({ ...one, table, paragraphs })),
  );
  const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const questions = sampled(all, count).map(({ uid, question, answer, table, paragraphs }): Question => {
    const file = `${table.uid}.html`;
    const rows = table.table.map(
      (row, at) =>
        `<tr>${row.map((cell) => (at === 0 ? `<th>${escaped(cell)}</th>` : `<td>${escaped(cell)}</td>`)).join('')}</tr>`,
    );
    const html = `<!doctype html><html lang="en"><title>Report</title><body><h1>Report</h1>
${paragraphs.map(({ text }) => `<p>${escaped(text)}</p>`).join('\n')}
<table>${rows.join('\n')}</table></body></html>`;
    writeFileSync(join(out, 'files', file), html);
    return { id: uid, text: question, file, values: [answer].flat().map(String) };
  });
  writeFileSync(join(out, 'questions.jsonl'), questions.map((one) => JSON.stringify(one)).join('\n'));
}

function linesOf<Item>(path: string): Item[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as Item);
}

/** The model that is played: what it is asked is read from files, and what it replies is written to files. */
class PlayedModel {
  private readonly folder = mkdtempSync(join(tmpdir(), 'played-model-'));
  private count = 0;
  private readonly process: ChildProcess;
  isStopped = false;

  constructor(script: string, port: string) {
    this.process = spawn(process.execPath, [script, this.folder, port], { stdio: 'inherit' });
  }

  /** Replies to all requests until it is stopped. */
  async play(reply: (request: Request) => string): Promise<void> {
    while (!this.isStopped) {
      const name = join(this.folder, String(this.count + 1).padStart(3, '0'));
      const request = existsSync(`${name}.request.json`) ? parsedRequest(`${name}.request.json`) : null;
      if (request === null) await sleep(20);
      else {
        this.count += 1;
        writeFileSync(`${name}.part`, reply(request));
        renameSync(`${name}.part`, `${name}.reply.txt`);
      }
    }
  }

  stop(): void {
    this.isStopped = true;
    this.process.kill();
  }
}

/** Null while the file is written. */
function parsedRequest(path: string): Request | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Request;
  } catch {
    return null;
  }
}

/** Asks all questions, each with the documents of its own file. */
async function askAll(
  out: string,
  script: string,
  reply: (question: Question, request: Request) => string,
  onAnswer: (question: Question, answer: AgentAnswer) => void,
): Promise<void> {
  const questions = linesOf<Question>(join(out, 'questions.jsonl'));
  const model = new PlayedModel(script, options.port);
  let asked = questions[0];
  const playing = model.play((request) => (asked === undefined ? NO_ANSWER : reply(asked, request)));
  const variables = {
    OPENAI_BASE_URL: `http://127.0.0.1:${options.port}/v1`,
    OPENAI_API_KEY: 'played',
    CHAT_MODEL: 'played',
  };
  try {
    await withStandalone({ variables }, async ({ url }) => {
      const client = new BenchClient(url);
      const agents = new Map<string, string>();
      for (const question of questions) {
        const { file } = question;
        asked = question;
        const agent = agents.get(file) ?? (await agentFor(client, join(out, 'files', file)));
        agents.set(file, agent);
        onAnswer(question, await client.json('POST', `agents/${agent}/query`, { query: question.text }));
      }
      client.close();
    });
  } finally {
    model.stop();
    await playing;
  }
}

async function agentFor(client: BenchClient, path: string): Promise<string> {
  const datastoreId = await client.createDatastore(basename(path));
  const mimeType = TYPES[extname(path)] ?? '';
  await client.upload(datastoreId, { name: basename(path), content: readFileSync(path), mimeType });
  await client.waitUntilFinished(datastoreId);
  const settings = { name: basename(path), datastoreIds: [datastoreId] };
  return (await client.json<{ id: string }>('POST', 'agents', settings)).id;
}

async function writePrompts(out: string, script: string): Promise<void> {
  mkdirSync(join(out, 'prompts'), { recursive: true });
  let offered = 0;
  await askAll(
    out,
    script,
    ({ id }, { messages, tools }) => {
      if (tools) offered += 1;
      writeFileSync(join(out, 'prompts', `${id}.txt`), messages.map(({ content }) => content).join('\n\n'));
      return NO_ANSWER;
    },
    () => undefined,
  );
  console.log(`tables were offered for ${offered} questions`);
}

async function run(out: string, script: string): Promise<void> {
  const plays = new Map(linesOf<Play>(join(out, 'plays.jsonl')).map((play) => [play.id, play]));
  const steps = new Map<string, number>();
  const counts = { asked: 0, played: 0, right: 0, derivable: 0, supported: 0 };
  const reply = (question: Question, { messages, tools }: Request): string => {
    const play = plays.get(question.id);
    const step = steps.get(question.id) ?? 0;
    const last = messages.at(-1)?.content ?? '';
    steps.set(question.id, step + 1);
    const sql = play?.sql[step];
    const isCorrection = step === 0 || last.includes('The query failed');
    if (sql !== undefined && tools && isCorrection)
      return JSON.stringify({ tool: 'query_tables', arguments: { sql } });
    if (play?.sql.length === 0) return play.answer ?? NO_ANSWER;
    return play === undefined || last.includes('The query failed') || step === 0
      ? NO_ANSWER
      : answerText(last, play);
  };
  await askAll(out, script, reply, (question, answer) => {
    counts.asked += 1;
    if (!plays.has(question.id)) return;
    counts.played += 1;
    const queries = answer.sources.flatMap(({ table }) => table?.queries ?? []);
    const isRight = isAnswer(question, queries.at(-1), answer.answer);
    if (isRight) counts.right += 1;
    const isDerivable = numbersOf(answer.answer).every((number) => isDerived(number, queries, answer));
    if (isDerivable) counts.derivable += 1;
    if (isRight && answer.sentences?.every(({ supported }) => supported) === true) counts.supported += 1;
    if (
      options.failures &&
      (!isRight || !isDerivable || answer.sentences?.some(({ supported }) => !supported))
    )
      console.log(
        `${question.id} ${isRight ? '' : 'wrong '}${question.text}\n  ${queries.at(-1)?.sql ?? 'no query'}\n  ${answer.answer}\n  ${JSON.stringify(queries.at(-1)?.rows ?? [])} known: ${question.values.join(' | ')}`,
      );
  });
  console.table([{ ...counts, share: (counts.right / counts.played).toFixed(3) }]);
}

/** The answer from a result that the prompt has. */
function answerText(prompt: string, { answer = 'The answer is {cells} {cite}.' }: Play): string {
  const json = /<passage>\n(.*)\n<\/passage>/.exec(prompt)?.[1] ?? '{"rows":[]}';
  const { rows } = JSON.parse(json) as { rows: (string | number | null)[][] };
  const cells = rows.flat().filter((cell) => cell !== null);
  const cite = /to be cited as ((?:\[\d+\])+)/.exec(prompt)?.[1] ?? '';
  return answer.replace('{cells}', () => cells.join(', ')).replace('{cite}', () => cite);
}

/** Without a query, the numbers of the answer are compared. */
function isAnswer({ values }: Question, query: TableQuery | undefined, answer: string): boolean {
  const cells = query ? query.rows.flat().filter((cell) => cell !== null) : numbersOf(answer);
  const known = values.filter((value) => value !== '');
  return (
    cells.length === known.length &&
    known.every((value) => cells.some((cell) => isEqual(String(cell), value)))
  );
}

/** Numbers as far as the known one is rounded, dates as dates, and other texts if they have the known letters and digits. */
function isEqual(found: string, known: string): boolean {
  const [a, b] = [numberOf(found), numberOf(known)];
  if (a !== null && b !== null) {
    const decimals = /\.(\d+)/.exec(known)?.[1]?.length ?? 0;
    return Math.abs(Math.abs(a) - Math.abs(b)) <= 0.5 * 10 ** -decimals * (decimals === 0 ? 1e-6 : 1.01);
  }
  const plain = (text: string): string =>
    text
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '');
  if (plain(known) !== '' && plain(found).includes(plain(known))) return true;
  const date = Date.parse(`${known} UTC`);
  return /^\d{4}-\d{2}-\d{2}$/.test(found) && date === Date.parse(found);
}

/** A whole text that is a number, perhaps with a currency or a unit of a word. */
function numberOf(text: string): number | null {
  const [, digits] = /^[^\d-]{0,3}(-?\d[\d,]*(?:\.\d+)?)\s*(?:%|[a-z]+)?$/i.exec(text.trim()) ?? [];
  return digits === undefined ? null : Number(digits.replaceAll(',', ''));
}

function numbersOf(answer: string): number[] {
  return Array.from(answer.replace(/\[\d+\]/g, '').matchAll(/-?\d+(?:\.\d+)?/g), ([digits]) =>
    Number(digits),
  );
}

function isDerived(number: number, queries: readonly TableQuery[], { sentences = [] }: AgentAnswer): boolean {
  const shown = queries.flatMap(({ rows }) => rows.flat().flatMap((cell) => numbersOf(String(cell))));
  return (
    shown.some((one) => Math.abs(one - number) < 1e-9) ||
    sentences.some(({ calculated }) => calculated?.some((text) => numbersOf(text).includes(number)))
  );
}

if (mode === 'sample') {
  mkdirSync(join(third, 'files'), { recursive: true });
  const sample = first === 'wtq' ? sampleWikiTables : sampleTatQa;
  sample(second, third, Number(options.count));
} else if (mode === 'prompts') await writePrompts(first, second);
else await run(first, second);
