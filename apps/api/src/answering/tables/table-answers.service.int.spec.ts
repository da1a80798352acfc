import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseDocument } from '@citewell/documents';
import { AnalyzedQuestion, detectLanguage } from '@citewell/retrieval';
import { TableEngine, TableQueryError } from '@citewell/tables';
import { typedTables, writeTables } from '@citewell/tables/writer';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FoundPassage } from '../search/retriever.service.js';
import { citedTable, TableAnswers } from './table-answers.service.js';

const CUSTOMERS = ['Müller GmbH', 'Schmidt AG', 'Dupont SA'];
/** 36 orders: 12 of each customer, three in each month of 2026, and a total. */
const ORDERS = [
  'Order no,Date,Customer,Status,Amount,Rebate',
  ...Array.from({ length: 36 }, (_, at) => {
    const month = String(1 + Math.floor(at / 3)).padStart(2, '0');
    const status = at % 2 === 0 ? 'open' : 'paid | sent';
    return `${1001 + at},2026-${month}-15,${CUSTOMERS[at % 3]},${status},${100 + at}.50 €,${at}%`;
  }),
  'Total,,,,4248.00 €,',
].join('\n');
const MIXED = ['City,Price', 'Bern,10 €', 'Bern,$20', 'Paris,30 €', 'Rome,5 €', 'Oslo,7 €'].join('\n');

/** Ten orders in May, nine in June, and one whose date cannot be read. */
const UNDATED = [
  'Order no,Date,Status',
  ...Array.from({ length: 19 }, (_, at) => `${1001 + at},2026-0${at < 10 ? 5 : 6}-15,open`),
  '1020,2026-05-99,open',
].join('\n');

const passageOf = (runId: string, text: string, name: string): FoundPassage =>
  ({ runId, text, start: 0, end: text.length, run: { datasourceName: name } }) as FoundPassage;

describe('TableAnswers', () => {
  const engine = new TableEngine();
  let directory = '';
  const passages: FoundPassage[] = [];

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'table-answers-'));
    for (const [name, csv] of [
      ['orders.csv', ORDERS],
      ['prices.csv', MIXED],
      ['undated.csv', UNDATED],
    ] as const) {
      const document = await parseDocument(new TextEncoder().encode(csv), { fileType: 'text/csv' });
      writeTables(typedTables(document, { isSpreadsheet: true, delimiter: ',' }), join(directory, name));
      passages.push(passageOf(name, document.text, name));
    }
  });
  afterAll(async () => {
    await engine.close();
    await rm(directory, { recursive: true });
  });

  const find = async (question: string, paths: Record<string, string | null> = {}) => {
    const service = new TableAnswers(
      { pathOf: async ({ id }) => (id in paths ? (paths[id] ?? null) : join(directory, id)) },
      engine,
      { warn: () => undefined },
    );
    const asked = { question: new AnalyzedQuestion(question), numbers: [1, 2] };
    const language = detectLanguage(question);
    const found = await service.find(asked, passages, language);
    return found.flatMap((table) => citedTable(table, asked.numbers, passages, language) ?? []);
  };

  it('counts all rows, shows the first ones, and adds numbers up', async () => {
    const [table, ...others] = await find('How many orders of Müller GmbH are there in 2026?');
    expect(others).toEqual([]);
    expect(table?.text.split('\n\n')[0]).toBe(
      '**12 rows** of orders.csv where Date = 2026 and Customer = Müller GmbH [1]',
    );
    expect(table?.text).toContain(
      String.raw`| 1004 | 2026-02-15 | Müller GmbH | paid \| sent | 103.50 € | 3% |`,
    );
    // 100 + 103 + … + 133, and 12 halves
    expect(table?.text).toContain('| Amount | €1,404.00 | €117.00 | €100.50 | €133.50 |');
    expect(table?.text).toContain('| Rebate |  | 16.5 % | 0 % | 33 % |');
    // Order numbers are not added.
    expect(table?.text).not.toContain('| Order no | 12');
    expect(table?.text).toContain('Rows with totals are not counted.');
    expect(table?.source).toEqual({
      number: 1,
      name: expect.any(String),
      rows: 12,
      conditions: [
        { column: 'Date', within: [{ from: '2026-01-01', to: '2027-01-01' }] },
        { column: 'Customer', is: ['Müller GmbH'] },
      ],
    });
    expect(table?.quote?.text).toBe('1001 | 2026-01-15 | Müller GmbH | open | 100.50 € | 0%');
  });

  it.each([
    ['Wie viele Orders gab es im Mai?', '**3 Zeilen** von orders.csv mit Date = Mai 2026 [1]'],
    [
      'Wie viele open Bestellungen im Mai?',
      '**2 Zeilen** von orders.csv mit Date = Mai 2026 und Status = open [1]',
    ],
    [
      'Combien de commandes de Dupont en mars ?',
      '**1 ligne** de orders.csv où Date = mars 2026 et Customer = Dupont SA [1]',
    ],
    [
      'orders of Müller GmbH on 2 May 2026',
      '**0 rows** of orders.csv where Date = May 2, 2026 and Customer = Müller GmbH [1]',
    ],
    ['What was order 1,004?', '**1 row** of orders.csv where Order no = 1004 [1]'],
    ['How many orders of Huber Ltd?', undefined],
    ['orders over 110.50 €', undefined],
  ])('%s', async (question, sentence) => {
    const [table] = await find(question);
    expect(table?.text.split('\n\n')[0]).toBe(sentence);
  });

  it('shows other rows, too, if a word may exclude rows', async () => {
    const [table] = await find('orders of Müller GmbH minus the open ones');
    expect(table?.text.split('\n\n').slice(0, 3)).toEqual([
      '**6 rows** of orders.csv where Customer = Müller GmbH and Status = open [1]',
      'No condition uses these words of the question: minus.',
      [
        'Other rows:',
        '- **12 rows** of orders.csv where Customer ≠ Müller GmbH and Status = open',
        '- **6 rows** of orders.csv where Customer = Müller GmbH and Status ≠ open',
      ].join('\n'),
    ]);
    // 103 + 109 + … + 133, and 6 halves
    expect(table?.text).toContain('| Amount, Status ≠ open | €711.00 |');
    expect(table?.source.unused_words).toEqual(['minus']);
  });

  it('counts no row with a date that cannot be read, also not as one of another month', async () => {
    const [table] = await find('orders in May minus the open ones', {
      'orders.csv': join(directory, 'undated.csv'),
    });
    expect(table?.text).toContain('**10 rows** of orders.csv where Date = May 2026 and Status = open');
    expect(table?.text).toContain('- **9 rows** of orders.csv where Date ≠ May 2026 and Status = open');
    expect(table?.text).toContain('Date: 1 cells of the table could not be read as dates');
  });

  it('adds no amounts of several currencies', async () => {
    const [table] = await find('What are the prices in Bern?');
    expect(table?.text).toContain('Price: no figures, because the amounts have several currencies.');
    expect(table?.number).toBe(2);
  });

  it('shows twenty rows of more', async () => {
    const [table] = await find('all orders of 2026');
    expect(table?.text.match(/^\| 10\d\d /gmu)).toHaveLength(20);
    expect(table?.text).toContain('The first 20 are shown.');
  });

  it('answers without a table whose rows take too long to find, and warns', async () => {
    const warnings: string[] = [];
    const service = new TableAnswers(
      { pathOf: async ({ id }) => join(directory, id) },
      {
        query: (path, sql, ...rest) =>
          sql.startsWith('SELECT count(*)')
            ? Promise.reject(new TableQueryError('TIMEOUT', 'too long'))
            : engine.query(path, sql, ...rest),
        close: async () => undefined,
      },
      { warn: (_: unknown, message?: string) => void warnings.push(String(message)) },
    );
    const asked = { question: new AnalyzedQuestion('orders of Müller GmbH'), numbers: [1, 2] };
    expect(await service.find(asked, passages, 'en')).toEqual([]);
    expect(warnings).toEqual(['the tables of a document cannot be asked']);
  });

  it('answers without a document whose tables are not there or broken', async () => {
    expect(await find('orders of Müller GmbH', { 'orders.csv': null })).toEqual([]);
    expect(await find('orders of Müller GmbH', { 'orders.csv': join(directory, 'none') })).toEqual([]);
  });
});
