import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseDocument } from '@citewell/documents';
import type { ChatEvent, ChatModel, ChatRequest, ToolCall } from '@citewell/models';
import { TableEngine } from '@citewell/tables';
import { typedTables, writeTables } from '@citewell/tables/writer';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FoundPassage } from '../search/retriever.service.js';
import { queryingModel } from './querying-model.js';
import { type TableOffer, TableQueries } from './table-queries.service.js';

const ORDERS = [
  'Order,Date,Customer,Amount,Rebate',
  ...Array.from(
    { length: 12 },
    (_, at) =>
      `${1001 + at},2026-0${1 + (at % 6)}-15,${at % 2 ? 'Müller GmbH' : 'Schmidt AG'},${100 + at}.50 €,${at}%`,
  ),
  'Total,,,1272.00 €,',
];
const CUSTOMERS = [
  'Name,City',
  'Müller GmbH,Bonn',
  'Schmidt AG,Köln',
  'Dupont SA,Paris',
  'Huber,Wien',
  'Rossi,Rom',
];
const PRICES = ['Place,Price', 'Bern,10 €', 'Oslo,$20', 'Paris,30 €', 'Rome,5 €', 'Kyiv,$7', 'Lima,'];
const BUDGET = [
  'Team,Cost,Size',
  ...Array.from({ length: 40 }, (_, at) => `T${at},${at} CHF,${at % 2 ? at : `${at} or so`}`),
  'Z,3 or 4,5',
];

describe('TableQueries', () => {
  const engine = new TableEngine();
  let folder = '';
  const passages: FoundPassage[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'table-queries-'));
    const all = {
      'orders.csv': ORDERS,
      'customers.csv': CUSTOMERS,
      'prices.csv': PRICES,
      'budget.csv': BUDGET,
    };
    for (const [name, lines] of Object.entries(all)) {
      const bytes = new TextEncoder().encode(lines.join('\n'));
      const document = await parseDocument(bytes, { fileType: 'text/csv' });
      writeTables(typedTables(document, { isSpreadsheet: true, delimiter: ',' }), join(folder, name));
      const { text } = document;
      passages.push({
        runId: name,
        organizationId: 'o',
        datasourceId: name,
        text,
        start: 0,
        end: text.length,
        run: { datasourceId: name, datasourceName: name },
      } as unknown as FoundPassage);
    }
    await writeFile(join(folder, 'broken'), 'no database'.repeat(1_000));
  });
  afterAll(async () => {
    await engine.close();
    await rm(folder, { recursive: true });
  });

  const service = new TableQueries(
    { pathOf: async ({ id }) => (id === 'text.pdf' ? null : join(folder, id)) },
    engine,
    { warn: () => undefined },
  );
  const { signal } = new AbortController();
  const offered = async (): Promise<TableOffer> => {
    const offer = await service.offer(passages);
    if (offer === null) throw new Error('no tables');
    return offer;
  };

  it('describes the tables of the passages', async () => {
    const { text } = await offered();
    const [first = ''] = text.split('\n\n');
    expect(first).toMatch(/^\[1\] t1\n<passage>\n.*\n<\/passage>$/);
    const table = JSON.parse(first.split('\n')[2] ?? '') as Record<string, unknown>;
    expect(table).toMatchObject({
      table: 't1',
      rows: 12,
      rows_of_totals: '1 in t1_totals',
      document: 'orders.csv',
      columns: [
        { name: '_row' },
        { name: 'c_order', title: 'Order', type: 'number' },
        { name: 'date', type: 'date, text as 2026-05-31' },
        { name: 'customer', values: ['Schmidt AG', 'Müller GmbH'] },
        { name: 'amount', type: 'money in EUR' },
        { name: 'rebate', type: 'percent, 12.5 is 12.5 %' },
      ],
    });
    expect((table['first_rows'] as unknown[])[0]).toEqual([2, 1001, '2026-01-15', 'Schmidt AG', 100.5, 0]);
    expect(text).toContain('"name":"price_eur","title":"Price","type":"money in EUR"');
    expect(text).toContain('"name":"price_symbol","title":"Price","type":"money in $');
  });

  it.each<[sql: string, rows: unknown[][], units: (string | undefined)[], numbers: number[]]>([
    // A total is not counted with its parts.
    ['SELECT count(*), sum(amount) FROM t1', [[12, 1272]], [undefined, 'EUR'], [1]],
    ['SELECT amount FROM t1_totals', [[1272]], ['EUR'], [1]],
    [
      'SELECT round(avg(amount), 2) a, max(rebate) FROM t1 WHERE amount > 105',
      [[108.5, 11]],
      ['EUR', '%'],
      [1],
    ],
    ['SELECT amount * 2 AS twice FROM t1 LIMIT 1', [[201]], ['EUR'], [1]],
    ['SELECT sum(amount) / sum(amount) FROM t1', [[1]], [undefined], [1]],
    // Two documents.
    [
      'SELECT t2.city, sum(t1.amount) FROM t1 JOIN t2 ON t2.name = t1.customer GROUP BY 1 ORDER BY 1',
      [
        ['Bonn', 639],
        ['Köln', 633],
      ],
      [undefined, 'EUR'],
      [1, 2],
    ],
    ['SELECT sum(price_eur), sum(price_symbol) FROM t3;', [[45, 27]], ['EUR', '$'], [3]],
    ["SELECT price_shown FROM t3 WHERE place = 'Oslo'", [['$20']], [undefined], [3]],
    ['SELECT cost_shown FROM t4 WHERE cost IS NULL', [['3 or 4']], [undefined], [4]],
    [
      "WITH c AS (SELECT CAST(size AS REAL) AS size FROM t4 WHERE size LIKE '%or so') SELECT sum(size) FROM c",
      [[380]],
      [undefined],
      [4],
    ],
    ['```sql\nSELECT 1\n```', [[1]], [undefined], []],
    ["SELECT count(*) FROM t1 WHERE date >= '2026-05-01' AND date < '2026-06-01'", [[2]], [undefined], [1]],
  ])('%s', async (sql, rows, units, numbers) => {
    const offer = await offered();
    const { prompts } = await run(offer, [{ sql }]);
    const query = [...offer.sources().values()][0]?.queries?.[0];
    if (numbers.length > 0) {
      expect(query?.rows).toEqual(rows);
      expect(query?.columns.map(({ unit }) => unit)).toEqual(units);
    }
    expect([...offer.sources().keys()]).toEqual(numbers);
    expect(prompts[1]).toContain(
      numbers.length > 0 ? `cited as ${numbers.map((n) => `[${n}]`).join('')}` : 'Result of the query',
    );
  });

  it.each([
    [
      'SELECT sum(price) FROM t3',
      /price has amounts in several currencies \(EUR, \$\).*price_eur, price_symbol\./,
    ],
    ['SELECT sum(price_eur) + sum(price_symbol) FROM t3', /combines amounts in EUR and \$ in one number/],
    ['SELECT sum(coalesce(price_eur, price_symbol)) FROM t3', /combines amounts in EUR and \$/],
    ['SELECT sum(amount) + (SELECT sum(cost) FROM t4) FROM t1', /combines amounts in EUR and CHF/],
    ['SELECT sum(size) FROM t4', /size is text, which cannot be added/],
    ['SELECT avg(DISTINCT t4."cost_shown") FROM t4', /cost_shown is text/],
    ['SELECT total FROM t1', /no such column: total/],
    ['SELEC 1', /syntax error/],
    ['', /failed/],
  ])('refuses %s with a reason', async (sql, reason) => {
    const offer = await offered();
    const { prompts } = await run(offer, [{ sql }]);
    expect(prompts[1]?.replaceAll('\\"', '"')).toMatch(reason);
    expect(offer.sources().size).toBe(0);
  });

  it('tells the model of cells without a number', async () => {
    const { prompts } = await run(await offered(), [{ sql: 'SELECT max(cost) FROM t4' }]);
    expect(prompts[1]).toContain(
      '1 cells of cost are no money, so they are NULL. cost_shown has their text.',
    );
  });

  it('gives fifty rows, and says that there are more', async () => {
    const offer = await offered();
    const { prompts } = await run(offer, [{ sql: 'SELECT a.amount, b.amount FROM t1 a, t1 b' }]);
    expect(offer.sources().get(1)?.queries?.[0]).toMatchObject({ row_count: 144 });
    expect(offer.sources().get(1)?.queries?.[0]?.rows).toHaveLength(50);
    expect(prompts[1]).toContain('Only the first 50 rows are here.');
  });

  it('answers after four queries, or two that failed', async () => {
    const good = { sql: 'SELECT count(*) FROM t1' };
    const offer = await offered();
    const { prompts, text } = await run(offer, [good, good, good, good]);
    expect(prompts).toHaveLength(5);
    expect(prompts[4]).toContain('No further query is possible.');
    expect(text).toBe('Done.');
    expect(offer.sources().get(1)?.queries).toHaveLength(4);
    const bad = await run(await offered(), [{ sql: 'x' }, { sql: 'y' }]);
    expect(bad.prompts[1]).toContain('may be corrected once');
    expect(bad.prompts[2]).toContain('from the passages, without a query');
    await expect(run(await offered(), [good, good, good, good, good])).rejects.toThrow('again and again');
    await expect(run(await offered(), [{}, { sql: 5 }, good])).rejects.toThrow('again and again');
  });

  it('runs several queries of one reply', async () => {
    const offer = await offered();
    const sql = 'SELECT count(*) FROM t1';
    const { prompts } = await run(offer, [[{ sql }, { sql: 'SELECT count(*) FROM t2' }]]);
    expect(prompts[1]?.match(/Result of the query/g)).toHaveLength(2);
    expect([...offer.sources().keys()]).toEqual([1, 2]);
  });

  it('adds up tokens, and ends when it is aborted', async () => {
    const { events } = await run(await offered(), [{ sql: 'SELECT 1' }]);
    expect(events.at(-1)).toEqual({ usage: { inputTokens: 20, outputTokens: 4 } });
    const controller = new AbortController();
    const aborted = run(await offered(), [{ sql: 'SELECT 1' }], controller.signal, () => controller.abort());
    await expect(aborted).rejects.toThrow('aborted');
  });

  it('offers nothing without tables, and none of a document whose tables are broken', async () => {
    const of = (runId: string, range = {}): FoundPassage => ({
      ...(passages[0] as FoundPassage),
      runId,
      ...range,
    });
    expect(await service.offer([])).toBeNull();
    expect(await service.offer([of('text.pdf')])).toBeNull();
    expect(await service.offer([of('broken')])).toBeNull();
    expect(await service.offer([of('missing')])).toBeNull();
    // The passage is not from the table.
    expect(await service.offer([of('orders.csv', { start: 9_000, end: 9_100 })])).toBeNull();
  });

  /** Lets a model call the tool with these arguments, one reply after the other, and then answer. */
  async function run(
    offer: TableOffer,
    replies: readonly (object | readonly object[])[],
    within = signal,
    onRequest: () => void = () => undefined,
  ) {
    const prompts: string[] = [];
    const model: ChatModel = {
      name: 'played',
      async *stream({ messages }: ChatRequest): AsyncGenerator<ChatEvent> {
        const turn = prompts.push(messages.at(-1)?.content ?? '') - 1;
        onRequest();
        const calls = replies[turn];
        for (const args of calls === undefined ? [] : [calls].flat())
          yield { toolCall: { name: 'query_tables', arguments: args as ToolCall['arguments'] } };
        if (calls === undefined) yield { text: 'Done.' };
        yield { finishReason: calls === undefined ? 'stop' : 'tool_calls' };
        yield { usage: { inputTokens: 10, outputTokens: 2 } };
      },
    };
    const events: ChatEvent[] = [];
    const request = { messages: [{ role: 'user' as const, content: 'How many?' }] };
    for await (const event of queryingModel(model, offer).stream(request, { signal: within }))
      events.push(event);
    const text = events.map((event) => ('text' in event ? event.text : '')).join('');
    return { prompts, events, text };
  }
});
