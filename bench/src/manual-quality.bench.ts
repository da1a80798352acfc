// Measures how well the product answers ordinary questions about a manual, through its API:
//
//   node dist/manual-quality.bench.js <manual.pdf> [questions.json] [--half odd] [--half even] [--failures]
//
// Default: the questions of `manual-questions/octave.json`, which the manual of Octave 7 answers. The variables
// EMBEDDING_MODEL, EMBEDDING_DIMENSIONS and OPENAI_* are passed to the product. Odd questions may be used for tuning, so
// the even ones are the default. With --failures, prints the questions that fail, with what was found.
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import type { AgentAnswer } from '@citewell/contracts/schemas';
import { parseDocument } from '@citewell/documents';
import { engineVariables } from './product/engine-variables.js';
import { REPOSITORY, withStandalone } from './product/standalone-process.js';
import { measureHits } from './questions/hit-rates.js';
import { containsAnswer, loadManualQuestions, type ManualQuestion } from './questions/manual-questions.js';
import { plainBm25 } from './questions/plain-bm25.js';
import { type ScoredText, uploadFiles } from './questions/product-search.js';
import { rocOf } from './questions/roc-curve.js';
import { shareWithInterval } from './questions/share-with-interval.js';
import { BenchClient } from './product/bench-client.js';

const DEFAULT_QUESTIONS = join(REPOSITORY, 'bench/manual-questions/octave.json');
/** Characters of a passage that are printed for a question that fails. */
const EXCERPT_CHARACTERS = 160;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    half: { type: 'string', multiple: true, default: ['even'] },
    failures: { type: 'boolean', default: false },
  },
});
const [manual, questionsFile = DEFAULT_QUESTIONS] = positionals;
if (manual === undefined) {
  console.error(
    'usage: manual-quality.bench.js <manual.pdf> [questions.json] [--half odd] [--half even] [--failures]',
  );
  process.exit(2);
}

/** A question and what the product returned for it. */
interface Asked<Question> {
  readonly question: Question;
  readonly found: readonly ScoredText[];
  readonly answer: AgentAnswer;
}

const bytes = await readFile(manual);
// pdf.js transfers the buffer that it is given, so it gets a copy.
const parsed = await parseDocument(Uint8Array.from(bytes), { fileType: 'application/pdf' });
const all = await loadManualQuestions(questionsFile, parsed.text);
const lexical = plainBm25([['', parsed]]);
await withStandalone({ variables: engineVariables() }, async ({ url }) => {
  const client = new BenchClient(url);
  const { datastoreId, search, byWords, byMeaning } = await uploadFiles(client, [[basename(manual), bytes]]);
  const { id: agentId } = await client.json<{ id: string }>('POST', 'agents', {
    name: 'Benchmark',
    datastoreIds: [datastoreId],
  });
  const ask = async <Question>(question: Question, query: string): Promise<Asked<Question>> => ({
    question,
    found: await search(query),
    answer: await client.json('POST', `agents/${agentId}/query`, { query }),
  });
  for (const half of values.half) {
    const answerable = halfOf(all.answerable, half);
    const unanswerable = halfOf(all.unanswerable, half);
    console.log(`${half}: ${answerable.length} questions with an answer, ${unanswerable.length} without`);
    console.table({
      'plain BM25': await measureHits(lexical, answerable, containsAnswer),
      'by words alone': await measureHits(byWords, answerable, containsAnswer),
      'by meaning alone': await measureHits(byMeaning, answerable, containsAnswer),
      product: await measureHits(search, answerable, containsAnswer),
    });
    const answered: Asked<ManualQuestion>[] = [];
    const others: Asked<string>[] = [];
    for (const question of answerable) answered.push(await ask(question, question.question));
    for (const question of unanswerable) others.push(await ask(question, question));
    console.table(answersRow(answered, others));
    if (values.failures) printFailures(answered, others);
  }
  client.close();
});

/** Questions are numbered from 0. */
function halfOf<Question>(questions: readonly Question[], half: string): Question[] {
  return questions.filter((_, n) => n % 2 === (half === 'odd' ? 1 : 0));
}

function answersRow(
  answered: readonly Asked<ManualQuestion>[],
  others: readonly Asked<string>[],
): Record<string, string> {
  const share = <Question>(
    asked: readonly Asked<Question>[],
    test: (one: Asked<Question>) => boolean,
  ): string => shareWithInterval(asked.filter(test).length, asked.length);
  const roc = rocOf(answered.map(bestScore), others.map(bestScore));
  const cited = answered.flatMap(({ answer }) => firstCited(answer) ?? []);
  return {
    'cited passage right': share(answered, isCitedPassageRight),
    'quoted sentences right': share(answered, ({ question, answer }) => {
      const quote = firstCited(answer)?.quote;
      return quote !== undefined && containsAnswer(question, quote);
    }),
    'characters of the cited passage': (
      cited.reduce((sum, { text }) => sum + text.length, 0) / cited.length
    ).toFixed(0),
    'abstains without an answer': share(others, isAbstained),
    'wrongly refused': share(answered, isAbstained),
    AUROC: roc.area.toFixed(3),
    'recognised if 5 % are refused': roc.recognised.toFixed(3),
    'score there': roc.threshold.toFixed(3),
  };
}

function bestScore({ found }: Asked<unknown>): number {
  return found[0]?.score ?? 0;
}

function isAbstained({ answer }: Asked<unknown>): boolean {
  return answer.abstained;
}

/** The source of the first citation: without a chat model, an answer cites its sources in order. */
function firstCited({ sources }: AgentAnswer): AgentAnswer['sources'][number] | undefined {
  return sources.find(({ cited }) => cited);
}

function isCitedPassageRight({ question, answer }: Asked<ManualQuestion>): boolean {
  const source = firstCited(answer);
  return source !== undefined && containsAnswer(question, source);
}

function printFailures(answered: readonly Asked<ManualQuestion>[], others: readonly Asked<string>[]): void {
  for (const one of answered) {
    const rank = one.found.findIndex((passage) => containsAnswer(one.question, passage)) + 1;
    if (rank === 1 && isCitedPassageRight(one) && !one.answer.abstained) continue;
    const refused = one.answer.abstained ? ', refused' : '';
    console.log(`\n${one.question.question}\n  rank ${rank || 'over 8'}${refused}`);
    printFound(one.found);
  }
  for (const { question, found, answer } of others) {
    if (answer.abstained) continue;
    console.log(`\n${question}\n  answered although the manual has no answer`);
    printFound(found.slice(0, 1));
  }
}

function printFound(found: readonly ScoredText[]): void {
  for (const { score, text } of found) {
    console.log(`  ${score.toFixed(3)} ${text.slice(0, EXCERPT_CHARACTERS).replaceAll(/\s+/g, ' ')}`);
  }
}
