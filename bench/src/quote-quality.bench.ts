// Measures whether the quotes of answers without a chat model answer the questions by themselves, through the API:
//
//   node dist/quote-quality.bench.js [--manual <manual.pdf> --questions <file>] [--faq <collection>] [--xquad <folder> --language en ...]
//                                    [--half odd|even|all] [--checkout <folder>] [--write <file>]
//
// A quote is the text between quotation marks in the answer. Rules were chosen on the odd questions, so the even ones are
// the default. With --checkout, measures another compiled checkout. With --write, writes questions and answers as JSON, to
// be read by a person.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { AgentAnswer } from '@citewell/contracts/schemas';
import { BenchClient } from './product/bench-client.js';
import { engineVariables } from './product/engine-variables.js';
import { REPOSITORY, withStandalone } from './product/standalone-process.js';
import { uploadFiles } from './questions/product-search.js';
import {
  faqQuotes,
  manualQuotes,
  type QuotedQuestion,
  type QuotedText,
  type QuoteSet,
  xquadQuotes,
} from './questions/quote-sets.js';
import { shareWithInterval } from './questions/share-with-interval.js';

/** Questions about the manual of Octave, in everyday words. */
const OCTAVE_QUESTIONS = join(REPOSITORY, 'bench/manual-questions/octave.json');
/** A quote and its citation, as an answer without a chat model has them. */
const QUOTE = /“([^]*?)” \[(\d+)\]/g;

const { values } = parseArgs({
  options: {
    manual: { type: 'string' },
    questions: { type: 'string', default: OCTAVE_QUESTIONS },
    faq: { type: 'string' },
    xquad: { type: 'string' },
    language: { type: 'string', multiple: true, default: ['en', 'de', 'zh', 'ru', 'ar'] },
    half: { type: 'string', default: 'even' },
    checkout: { type: 'string', default: REPOSITORY },
    write: { type: 'string' },
  },
});

interface Asked {
  readonly set: string;
  readonly question: string;
  readonly answer: AgentAnswer;
  readonly quotes: readonly QuotedText[];
  /** Positions of the quotes that answer the question. */
  readonly right: readonly number[];
}

const rows: Record<string, Record<string, string>> = {};
const written: Asked[] = [];
for (const set of await loadSets()) {
  await withStandalone({ repository: values.checkout, variables: engineVariables() }, async ({ url }) => {
    const client = new BenchClient(url);
    const asked = await askAll(client, set);
    rows[set.name] = rowOf(asked);
    written.push(...asked);
    client.close();
  });
}
console.table(rows);
if (values.write !== undefined) await writeFile(values.write, JSON.stringify(written, null, 1));

async function loadSets(): Promise<QuoteSet[]> {
  const { manual, questions, faq, xquad, language } = values;
  return Promise.all([
    ...(manual === undefined ? [] : [manualQuotes(manual, questions)]),
    ...(faq === undefined ? [] : [faqQuotes(faq)]),
    ...(xquad === undefined ? [] : language.map((one) => xquadQuotes(xquad, one))),
  ]);
}

async function askAll(client: BenchClient, { name, files, questions }: QuoteSet): Promise<Asked[]> {
  const { datastoreId } = await uploadFiles(client, files);
  const { id } = await client.json<{ id: string }>('POST', 'agents', {
    name: 'Benchmark',
    datastoreIds: [datastoreId],
  });
  const isAsked = (n: number): boolean => values.half === 'all' || n % 2 === (values.half === 'odd' ? 1 : 0);
  const asked: Asked[] = [];
  for (const one of questions.filter((_, n) => isAsked(n))) {
    const { question } = one;
    const answer = await client.json<AgentAnswer>('POST', `agents/${id}/query`, { query: question });
    const quotes = quotesOf(answer);
    asked.push({ set: name, question, answer, quotes, right: rightOnes(one, quotes) });
  }
  return asked;
}

function quotesOf({ answer, sources }: AgentAnswer): QuotedText[] {
  return Array.from(answer.matchAll(QUOTE), ([, text = '', number]) => ({
    document: sources[Number(number) - 1]?.datasource_name ?? '',
    text,
  }));
}

function rightOnes({ isAnsweredBy }: QuotedQuestion, quotes: readonly QuotedText[]): number[] {
  return quotes.flatMap((quote, n) => (isAnsweredBy(quote) ? [n] : []));
}

function rowOf(asked: readonly Asked[]): Record<string, string> {
  const share = (test: (one: Asked) => boolean): string =>
    shareWithInterval(asked.filter(test).length, asked.length);
  const quotes = asked.flatMap((one) => one.quotes);
  const answered = asked.filter((one) => one.quotes.length > 0).length;
  return {
    questions: String(asked.length),
    'first quote answers': share(({ right }) => right.includes(0)),
    'any quote answers': share(({ right }) => right.length > 0),
    'quotes per answer': (quotes.length / answered).toFixed(2),
    'characters per answer': (quotes.reduce((sum, { text }) => sum + text.length, 0) / answered).toFixed(0),
    abstained: share(({ answer }) => answer.abstained),
  };
}
