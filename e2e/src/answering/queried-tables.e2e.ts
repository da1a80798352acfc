import { beforeAll, describe, expect, it } from '@jest/globals';
import { Citewell } from '@citewell/sdk';
import { startEmbedded } from '../deployments/embedded.deployment.js';
import { modelFixture } from '../deployments/model.deployment.js';

const QUESTION = 'How many orders did Huber place, and for how much?';
const CSV = [
  'Order,Date,Customer,Amount',
  ...Array.from(
    { length: 40 },
    (_, at) => `${1001 + at},2026-0${1 + (at % 9)}-15,${at % 4 === 0 ? 'Huber' : 'Rossi'},${100 + at}.50 €`,
  ),
].join('\n');
const SQL = "SELECT count(*), sum(amount) FROM t1 WHERE customer = 'Huber'";
const call = (sql: string) =>
  ({ kind: 'chat', deltas: [JSON.stringify({ tool: 'query_tables', arguments: { sql } })] }) as const;
const reply = (...deltas: string[]) => ({ kind: 'chat', deltas }) as const;

describe('a chat model that queries tables', () => {
  const fixture = modelFixture(startEmbedded, { CHAT_MODEL: 'test-chat' });
  let agentId = '';
  beforeAll(async () => {
    const { tenant } = fixture();
    const { id } = await tenant.datastore();
    await tenant.file(id, CSV, 'orders.csv');
    agentId = (await tenant.agent({ datastoreIds: [id] })).id;
  });
  const client = () =>
    new Citewell({ apiKey: fixture().tenant.api.key ?? '', baseUrl: fixture().deployment.origin });

  it('answers with the numbers of the result, which the conversation keeps', async () => {
    const { tenant, model } = fixture();
    model.next(call(SQL), reply('Huber placed 10 orders ', 'for €1,185.00 [1].'));
    const answer = await tenant.ask(agentId, QUESTION);
    const [first, second] = model.requests.slice(-2).map(({ body }) => JSON.stringify(body));
    expect(first).toContain('query_tables');
    expect(second).toContain('Result of the query, to be cited as [1]');
    expect(answer).toMatchObject({
      answer: 'Huber placed 10 orders for €1,185.00 [1].',
      finishReason: 'stop',
      sentences: [{ supported: true }],
    });
    expect(answer.sources[0]).toMatchObject({
      cited: true,
      table: {
        rows: 40,
        conditions: [],
        queries: [
          {
            sql: SQL,
            tables: [{ name: 't1', datasource_name: 'orders.csv' }],
            columns: [{ name: 'count(*)' }, { name: 'sum(amount)', unit: 'EUR' }],
            rows: [[10, 1185]],
            row_count: 1,
          },
        ],
      },
    });
    const { items } = await client().conversations.messages(answer.conversationId, { agentId }).first();
    expect(items[0]?.sources).toEqual(answer.sources);

    // The next question of the conversation is rewritten first.
    model.next(
      reply('How many orders did Rossi place?'),
      call("SELECT count(*) FROM t1 WHERE customer = 'Rossi'"),
      reply('Rossi placed 30 orders [1].'),
    );
    const { conversationId } = answer;
    const next = await tenant.ask(agentId, 'And Rossi?', { conversationId });
    expect(next).toMatchObject({ sentences: [{ supported: true }] });
    const all = await client().conversations.messages(conversationId, { agentId }).first();
    const tables = all.items.flatMap(({ sources }) =>
      (sources ?? []).flatMap(({ table }) => table?.queries ?? []),
    );
    expect(tables.map(({ rows }) => rows)).toEqual([[[30]], [[10, 1185]]]);
  });

  it('has a number marked that no result has, and a failed query corrected', async () => {
    const { tenant, model } = fixture();
    model.next(
      call('SELECT sum(price) FROM t1'),
      call("SELECT sum(amount) FROM t1 WHERE customer = 'Huber'"),
      reply('Huber ordered for €1,285.00 [1].'),
    );
    const answer = await tenant.ask(agentId, QUESTION);
    expect(JSON.stringify(model.requests.at(-2)?.body)).toContain('no such column: price');
    expect(answer.sentences).toMatchObject([{ supported: false }]);
    expect(answer.sources[0]?.table?.queries).toHaveLength(1);
  });

  it('is asked although the words of a question are in no row', async () => {
    const { tenant, model } = fixture();
    model.next(call('SELECT max(date) FROM t1'), reply('It was on 2026-09-15 [1].'));
    const answer = await tenant.ask(agentId, 'When did the newest one arrive?');
    expect(answer).toMatchObject({ abstained: false, sentences: [{ supported: true }] });
  });

  it('is stopped while it is asked again', async () => {
    const { model } = fixture();
    model.next(call(SQL), { kind: 'chat', deltas: ['Huber ', 'placed ', '10 ', 'orders.'], delayMs: 1_000 });
    const stream = client().agents.streamResumable(agentId, { query: QUESTION });
    const started = await stream.next();
    if (started.value?.type !== 'started') throw new Error('no start');
    const { conversationId, messageId } = started.value.start;
    for await (const event of stream) if (event.type === 'text') break;
    await client().agents.stop(agentId, messageId);
    const end = client().agents.follow(agentId, messageId);
    for await (const event of end) void event;
    const { items } = await client().conversations.messages(conversationId, { agentId }).first();
    expect(items[0]).toMatchObject({ state: 'stopped' });
    expect(items[0]?.sources?.[0]?.table?.queries?.[0]?.sql).toBe(SQL);
  });
});
