import { publicAnswerSchema, type Source } from '@citewell/contracts/schemas';
import { expect, it } from '@jest/globals';
import { toPublicAnswer } from './public-answer.mapper.js';

const SOURCE: Source = {
  chunk_id: 'chunk',
  datasource_id: 'datasource',
  datasource_name: 'Manual.pdf',
  title: 'Manual',
  datasource_type: 'file',
  source: 'https://a.example/manual#page=2',
  source_url: 'https://a.example/manual',
  score: 0.7,
  text: 'Two years. No more.',
  custom_id: 'internal-7',
  page_number: 2,
  start: 10,
  end: 29,
  revision: 3,
  cited: true,
  quote: { start: 10, end: 20, text: 'Two years.' },
  recognized: true,
  confidence: 93,
  table: {
    number: 1,
    name: 'Orders',
    rows: 9,
    conditions: [],
    queries: [
      {
        sql: 'SELECT count(*) FROM t1',
        tables: [{ name: 't1', datasource_id: 'datasource', datasource_name: 'Orders.csv', table: 'Orders' }],
        columns: [{ name: 'count(*)' }],
        rows: [[9]],
      },
    ],
  },
  metadata: { price: 9 },
};

it('a public answer has the cited sources by number, without internal fields', () => {
  const answer = {
    answer: 'Two years [2].',
    conversationId: 'c',
    visitorId: 'v',
    messageId: 'm',
    abstained: false,
    finishReason: 'length' as const,
    usage: { inputTokens: 1, outputTokens: 1 },
    sources: [{ ...SOURCE, cited: false }, SOURCE],
  };
  const mapped = toPublicAnswer(answer, 'token');
  expect(publicAnswerSchema.strict().parse(mapped)).toEqual({
    answer: 'Two years [2].',
    conversationId: 'c',
    visitorId: 'v',
    messageId: 'm',
    abstained: false,
    finishReason: 'length',
    visitorToken: 'token',
    sources: [
      {
        number: 2,
        datasource_name: 'Manual.pdf',
        title: 'Manual',
        source: 'https://a.example/manual#page=2',
        source_url: 'https://a.example/manual',
        text: 'Two years. No more.',
        page_number: 2,
        recognized: true,
        confidence: 93,
        quote: { start: 10, end: 20, text: 'Two years.' },
        table: {
          name: 'Orders',
          rows: 9,
          conditions: [],
          queries: [
            {
              sql: 'SELECT count(*) FROM t1',
              tables: [{ name: 't1', datasource_name: 'Orders.csv', table: 'Orders' }],
              columns: [{ name: 'count(*)' }],
              rows: [[9]],
            },
          ],
        },
      },
    ],
  });
});
