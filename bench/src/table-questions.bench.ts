// Measures the answers from tables without a model, through the API of the product:
//
//   node dist/table-questions.bench.js [--failures]
//
// 276 questions in English, German and French about 46 sheets (`questions`). 216 of them are held out: they were written before the
// rules were tried on them. The right rows and sums are computed from the values of the sheets.
//
// right      the rows that are meant were counted, and the answer has their sum if it was asked for; nothing was counted if the
//            question asks for what conditions on cells cannot say
// labelled   rows were counted for such a question, with the words that no condition uses and the numbers of the other rows
// silent     nothing was counted although rows are meant
// wrong      other rows were counted, or another sum was shown
import { parseArgs } from 'node:util';
import type { AgentAnswer } from '@citewell/contracts/schemas';
import { BenchClient } from './product/bench-client.js';
import { engineVariables } from './product/engine-variables.js';
import { withStandalone } from './product/standalone-process.js';
import { HELD_OUT_QUESTIONS } from './questions/held-out-questions.js';
import { HELD_OUT_SHEETS } from './questions/held-out-sheets.js';
import { FIFTH_QUESTIONS, FIFTH_SHEETS, SIXTH_QUESTIONS, SIXTH_SHEETS } from './questions/later-rounds.js';
import { FOURTH_QUESTIONS, FOURTH_SHEETS } from './questions/fourth-round.js';
import { QUESTIONS, type Sheet, SHEETS, type TableQuestion } from './questions/table-questions.js';

/** Each set has a datastore of its own. */
const SETS = [
  { sheets: [...SHEETS, ...HELD_OUT_SHEETS], questions: [...QUESTIONS, ...HELD_OUT_QUESTIONS] },
  { sheets: FOURTH_SHEETS, questions: FOURTH_QUESTIONS },
  { sheets: FIFTH_SHEETS, questions: FIFTH_QUESTIONS },
  { sheets: SIXTH_SHEETS, questions: SIXTH_QUESTIONS },
];

type Outcome = 'right' | 'labelled' | 'silent' | 'wrong';

const { values } = parseArgs({ options: { failures: { type: 'boolean', default: false } } });
const counts = new Map<string, Record<Outcome | 'asked', number>>();
await withStandalone({ variables: engineVariables() }, async ({ url }) => {
  const client = new BenchClient(url);
  for (const set of SETS) await askSet(client, set);
  client.close();
});
console.table(Object.fromEntries(counts));

async function askSet(client: BenchClient, { sheets, questions }: (typeof SETS)[number]): Promise<void> {
  const datastoreId = await client.createDatastore();
  for (const { name, content, mimeType } of sheets)
    await client.upload(datastoreId, { name, content, mimeType });
  await client.waitUntilFinished(datastoreId);
  const { id } = await client.json<{ id: string }>('POST', 'agents', {
    name: 'Tables',
    datastoreIds: [datastoreId],
  });
  for (const question of questions) {
    const answer = await client.json<AgentAnswer>('POST', `agents/${id}/query`, { query: question.text });
    const outcome = outcomeOf(question, sheets, answer);
    for (const kind of [
      question.kind,
      ...(question.round === undefined ? [] : [`held out, round ${question.round}`]),
      'all',
    ]) {
      const row = counts.get(kind) ?? { asked: 0, right: 0, labelled: 0, silent: 0, wrong: 0 };
      row.asked += 1;
      row[outcome] += 1;
      counts.set(kind, row);
    }
    if (values.failures && outcome !== 'right')
      console.log(
        `${outcome}: ${question.text}\n${answer.answer.split('\n\n').slice(0, 4).join('\n').slice(0, 600)}\n`,
      );
  }
}

function outcomeOf(
  { sheet, where, sum }: TableQuestion,
  sheets: readonly Sheet[],
  { answer, sources }: AgentAnswer,
): Outcome {
  const tables = sources.flatMap((source) =>
    source.table ? [{ ...source.table, name: source.datasource_name }] : [],
  );
  const isLabelled = tables.every(({ unused_words }) => unused_words !== undefined);
  if (sheet === null) return tables.length === 0 ? 'right' : isLabelled ? 'labelled' : 'wrong';
  if (tables.length === 0) return 'silent';
  const rows = sheets.find(({ name }) => name === sheet)?.rows.filter(where) ?? [];
  const [table] = tables;
  if (tables.length > 1 || table?.name !== sheet || table.rows !== rows.length) return 'wrong';
  if (sum === undefined || rows.length < 2) return 'right';
  const total = rows.reduce((before, row) => before + Number(row[sum]), 0);
  // Digits alone, as the languages have other marks.
  const digits = (text: string): string => text.replace(/\P{Nd}/gu, '');
  const line = answer.split('\n').find((text) => text.startsWith(`| ${sum} |`)) ?? '';
  const shown = digits(line.split('|')[2] ?? '');
  // Binary fractions do not add up exactly.
  return [total.toFixed(2), String(Number(total.toPrecision(12)))].some((text) => digits(text) === shown)
    ? 'right'
    : 'wrong';
}
