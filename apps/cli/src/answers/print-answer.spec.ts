import type { AgentAnswer, Source } from '@citewell/sdk';
import { afterEach, expect, it, jest } from '@jest/globals';
import { printSources } from './print-answer.js';

const SOURCE: Source = {
  chunk_id: 'c',
  datasource_id: 'd',
  datasource_name: 'pumps.pdf',
  datasource_type: 'file',
  source: 'pumps.pdf',
  score: 0.9,
  text: 'The pump weighs 12 kg.',
  start: 0,
  end: 22,
  revision: 1,
  cited: true,
};

afterEach(() => void jest.restoreAllMocks());

it('tells which sources the model did not cite, and which sentences have none', () => {
  const out = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  const err = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  const answer: AgentAnswer = {
    answer: 'It weighs 12 kg. It is blue.',
    conversationId: 'c',
    visitorId: 'v',
    messageId: 'm',
    abstained: false,
    finishReason: 'stop',
    sources: [{ ...SOURCE, added: true }],
    sentences: [
      { start: 0, end: 16, supported: true, citations: [{ number: 1, added: true }] },
      { start: 17, end: 28, supported: false, citations: [] },
    ],
  };
  printSources(answer, false);
  expect(out.mock.calls.join('')).toContain(
    '[1] pumps.pdf, characters 0-22, revision 1, datasource d, not cited by the model',
  );
  expect(err.mock.calls.join('')).toBe('\nNo source supports: It is blue.\n');
});

it('shows the queries of tables and their rows', () => {
  const out = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  const query = {
    sql: 'SELECT customer,\n sum(amount) FROM t1 GROUP BY 1',
    tables: [{ name: 't1', datasource_id: 'd', datasource_name: 'orders.csv', table: 'Orders' }],
    columns: [{ name: 'customer' }, { name: 'sum(amount)', unit: 'EUR' }],
    rows: Array.from({ length: 6 }, (_, at) => [`C${at}`, at === 0 ? null : at]),
    row_count: 80,
  };
  const table = { name: 'Orders', rows: 90, conditions: [], queries: [query] };
  const answer = { answer: '80 [1]', sources: [{ ...SOURCE, table }] } as unknown as AgentAnswer;
  printSources(answer, false);
  expect(out.mock.calls.join('')).toContain(
    [
      'query: SELECT customer, sum(amount) FROM t1 GROUP BY 1',
      'customer | sum(amount) (EUR)',
      'C0 |',
      'C1 | 1',
      'C2 | 2',
      'C3 | 3',
      'C4 | 4',
      '80 rows in all',
    ].join('\n      '),
  );
});
