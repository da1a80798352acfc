// Measures whether the product finds the question in the messages that people write, through its API and without a chat
// model:
//
//   node dist/wrapped-questions.bench.js [--language en ...] [--failures] [--checkout <folder>]
//
// The texts, questions and messages are in `wrapped-questions`, one file for each language. With --failures, prints the
// messages that fail. With --checkout, measures another compiled checkout.
import { parseArgs } from 'node:util';
import type { AgentAnswer } from '@citewell/contracts/schemas';
import { BenchClient } from './product/bench-client.js';
import { engineVariables } from './product/engine-variables.js';
import { REPOSITORY, withStandalone } from './product/standalone-process.js';
import {
  loadWrappedQuestions,
  severalQuestions,
  type SeveralQuestions,
  wrap,
  type WrappedQuestions,
} from './questions/wrapped-questions.js';

/** An answer without a chat model has at most so many quotes. */
const QUOTES = 3;

const { values } = parseArgs({
  options: {
    language: { type: 'string', multiple: true },
    failures: { type: 'boolean', default: false },
    checkout: { type: 'string', default: REPOSITORY },
  },
});

type Ask = (query: string) => Promise<AgentAnswer>;

const right: Record<string, Record<string, string>> = {};
const recognised: Record<string, Record<string, string>> = {};
const several: Record<string, Record<string, string>> = {};
const subjects: Record<string, Record<string, string>> = {};
const sets = (await loadWrappedQuestions()).filter(
  ({ language }) => values.language?.includes(language) ?? true,
);
await withStandalone({ repository: values.checkout, variables: engineVariables() }, async ({ url }) => {
  const client = new BenchClient(url);
  for (const set of sets) {
    const ask = await agentOf(client, set.documents);
    right[set.language] = await measureAnswers(ask, set);
    recognised[set.language] = await measureAbstentions(ask, set);
    several[set.language] = await measureSeveral(ask, set);
    subjects[set.language] = await measureSubjects(await agentOf(client, set.subjects.documents), set);
  }
  client.close();
});
console.log('answered right, of those answered bare');
console.table(transposed(right));
console.log('recognised as unanswerable');
console.table(transposed(recognised));
console.log('several questions in one message, answered right');
console.table(transposed(several));
console.log('messages whose background tells the subject');
console.table(transposed(subjects));

async function agentOf(client: BenchClient, documents: WrappedQuestions['documents']): Promise<Ask> {
  const datastoreId = await client.createDatastore();
  const texts = Object.entries(documents).map(([name, text]) => ({ name, text }));
  await client.createTexts(datastoreId, texts);
  await client.waitUntilFinished(datastoreId);
  await client.waitUntilEmbedded(datastoreId);
  const { id } = await client.json<{ id: string }>('POST', 'agents', {
    name: 'Benchmark',
    datastoreIds: [datastoreId],
  });
  return (query) => client.json('POST', `agents/${id}/query`, { query });
}

async function measureAnswers(
  ask: Ask,
  { language, questions, wrappings }: WrappedQuestions,
): Promise<Record<string, string>> {
  const isRight = async (message: string, expected: string, kind: string): Promise<boolean> => {
    const answer = await ask(message);
    const isFound = isQuoted(answer, expected);
    if (!isFound) printFailure(`${language} ${kind}`, message, answer);
    return isFound;
  };
  const bare = await count(questions, ([question, , expected]) => isRight(question, expected, 'bare'));
  const row: Record<string, string> = { bare: share(bare, questions.length) };
  let sum = 0;
  for (const [kind, templates] of Object.entries(wrappings)) {
    const found = await count(questions, (question, n) =>
      isRight(wrap(templates, question, n), question[2], kind),
    );
    row[kind] = share(found, bare);
    sum += found;
  }
  row['all wrapped'] = share(sum, bare * Object.keys(wrappings).length);
  return row;
}

async function measureAbstentions(
  ask: Ask,
  { language, unanswerable, wrappings }: WrappedQuestions,
): Promise<Record<string, string>> {
  const abstains = async (message: string, kind: string): Promise<boolean> => {
    const answer = await ask(message);
    if (!answer.abstained) printFailure(`${language} unanswerable ${kind}`, message, answer);
    return answer.abstained;
  };
  const bare = await count(unanswerable, ([question]) => abstains(question, 'bare'));
  const row: Record<string, string> = { bare: share(bare, unanswerable.length) };
  let sum = 0;
  for (const [kind, templates] of Object.entries(wrappings)) {
    const found = await count(unanswerable, (question, n) => abstains(wrap(templates, question, n), kind));
    row[kind] = share(found, unanswerable.length);
    sum += found;
  }
  row['all wrapped'] = share(sum, unanswerable.length * Object.keys(wrappings).length);
  return row;
}

async function measureSeveral(ask: Ask, set: WrappedQuestions): Promise<Record<string, string>> {
  const row: Record<string, string> = {};
  for (const [kind, messages] of Object.entries(severalQuestions(set)))
    row[kind] = await measureMessages(ask, messages, `${set.language} ${kind}`);
  return row;
}

async function measureSubjects(
  ask: Ask,
  { language, subjects: { messages, unanswerable } }: WrappedQuestions,
): Promise<Record<string, string>> {
  const quotes = await Promise.all(
    messages.map(async ([message, expected]) => {
      const answer = await ask(message);
      const [first] = answer.sources.filter((source) => source.cited);
      if (first?.quote?.text.includes(expected) !== true)
        printFailure(`${language} subject`, message, answer);
      return { first: first?.quote?.text.includes(expected) ?? false, any: isQuoted(answer, expected) };
    }),
  );
  const abstained = await count(unanswerable, async (message) => {
    const answer = await ask(message);
    if (!answer.abstained) printFailure(`${language} subject, unanswerable`, message, answer);
    return answer.abstained;
  });
  return {
    'first quote right': share(quotes.filter(({ first }) => first).length, messages.length),
    'any quote right': share(quotes.filter(({ any }) => any).length, messages.length),
    recognised: share(abstained, unanswerable.length),
  };
}

async function measureMessages(
  ask: Ask,
  messages: readonly SeveralQuestions[],
  label: string,
): Promise<string> {
  let found = 0;
  for (const { text, expected } of messages) {
    const answer = await ask(text);
    const missing = expected.filter((phrase) => !isQuoted(answer, phrase));
    found += expected.length - missing.length;
    if (missing.length > 0) printFailure(`${label}, missing ${missing.join(' | ')}`, text, answer);
  }
  return share(found, messages.length * 3);
}

function isQuoted({ sources }: AgentAnswer, expected: string): boolean {
  const cited = sources.filter((source) => source.cited).slice(0, QUOTES);
  return cited.some(({ quote }) => quote?.text.includes(expected) ?? false);
}

async function count<One>(
  all: readonly One[],
  test: (one: One, n: number) => Promise<boolean>,
): Promise<number> {
  let found = 0;
  for (const [n, one] of all.entries()) if (await test(one, n)) found += 1;
  return found;
}

function share(found: number, all: number): string {
  return (found / all).toFixed(3);
}

function transposed(rows: Record<string, Record<string, string>>): Record<string, Record<string, string>> {
  const turned: Record<string, Record<string, string>> = {};
  for (const [language, row] of Object.entries(rows))
    for (const [kind, value] of Object.entries(row)) turned[kind] = { ...turned[kind], [language]: value };
  return turned;
}

function printFailure(label: string, message: string, { answer }: AgentAnswer): void {
  if (!values.failures) return;
  console.log(`\n[${label}]\n${message}\n  → ${answer.replaceAll(/\s+/g, ' ')}`);
}
