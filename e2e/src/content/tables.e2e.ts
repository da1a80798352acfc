import {
  type Datasource,
  documentTableSchema,
  type TableRowsQuery,
  tableRowsSchema,
} from '@citewell/contracts/schemas';
import { chromiumForTests } from '@citewell/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { z } from 'zod';
import { ApiClient } from '../client/api-client.js';
import { Tenant } from '../client/tenant.js';
import { expectSoon } from '../dashboard/expect-soon.js';
import { launchChromium, signInWithKey, Window } from '../dashboard/browser-fixture.js';
import { API_KEY, type Deployment } from '../deployments/deployment.js';
import { startEmbedded } from '../deployments/embedded.deployment.js';

const executablePath = await chromiumForTests();

const CUSTOMERS = ['Müller GmbH', 'Acme, Inc.', 'Café Łódź'];
/** 120 orders, ten in each month of 2026, and their total. */
const AMOUNTS = Array.from({ length: 120 }, (_, at) => 10 + at);
const ORDERS = [
  'Order,Date,Customer,Amount',
  ...AMOUNTS.map(
    (amount, at) =>
      `N-${1000 + at},2026-${String(1 + (at % 12)).padStart(2, '0')}-${at < 60 ? 15 : 31 - 3},"${CUSTOMERS[at % 3]}",€${amount}.50`,
  ),
  `Total,,,€${AMOUNTS.reduce((sum, amount) => sum + amount, 60)}.00`,
].join('\n');

describe('tables of documents', () => {
  let deployment: Deployment;
  let tenant: Tenant;
  let orders: Datasource;
  beforeAll(async () => {
    deployment = await startEmbedded({ CITEWELL_API_KEY: API_KEY });
    tenant = new Tenant(new ApiClient(deployment.baseUrl, API_KEY), '');
    const { id } = await tenant.datastore('Sales');
    const file = { name: 'orders.csv', mimeType: 'text/csv', content: new TextEncoder().encode(ORDERS) };
    orders = await tenant.waitUntilSynched((await tenant.upload(id, file)).id);
  });
  afterAll(() => deployment.stop());

  const post = (query: TableRowsQuery | Record<string, unknown>, number: number | string = 1) =>
    tenant.api.post(`/datasources/${orders.id}/tables/${number}/rows`, query);

  it('have types, and the values of columns that have few', async () => {
    const tables = (await tenant.api.get(`/datasources/${orders.id}/tables`)).as(
      z.array(documentTableSchema.strict()),
    );
    expect(tables).toMatchObject([{ number: 1, rows: 120, totals: 1 }]);
    expect(tables[0]?.columns.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'Order text',
      'Date date',
      'Customer text',
      'Amount money',
    ]);
    expect(tables[0]?.columns[2]?.values?.toSorted()).toEqual(CUSTOMERS.toSorted());
  });

  it.each<[conditions: TableRowsQuery['conditions'], count: number]>([
    [[], 120],
    [[{ column: 'Customer', is: ['CAFE LODZ'] }], 40],
    [[{ column: 'Customer', is_not: ['muller gmbh'] }], 80],
    [[{ column: 'Customer', contains: 'INC' }], 40],
    [[{ column: 'Date', within: [{ from: '2026-05-01', to: '2026-06-01' }] }], 10],
    [[{ column: 'Date', within: [{ from: '2026-12-01' }] }], 10],
    [[{ column: 'Amount', at_least: 100, at_most: 109.5 }], 10],
    [[{ column: 'Amount', is: [10.5] }], 1],
    [
      [
        { column: 'Customer', is: ['Müller GmbH'] },
        { column: 'Date', within: [{ to: '2026-02-01' }, { from: '2026-04-01', to: '2026-05-01' }] },
      ],
      20,
    ],
    [[{ column: 'Customer', is: ["x' OR 1=1 --"] }], 0],
  ])('count the rows of %j', async (conditions, count) => {
    const found = (await post({ conditions, limit: 3 })).as(tableRowsSchema.strict());
    expect(found.count).toBe(count);
    expect(found.rows).toHaveLength(Math.min(3, count));
    expect(found.has_more).toBe(count > 3);
  });

  it('have figures over all rows, without totals', async () => {
    const { figures, rows } = (await post({ show: 'all', offset: 119, limit: 5 })).as(
      tableRowsSchema.strict(),
    );
    const sum = AMOUNTS.reduce((before, amount) => before + amount + 0.5, 0);
    expect(figures).toEqual([
      { column: 'Amount', sum, average: sum / 120, smallest: 10.5, largest: 129.5, currency: 'EUR' },
    ]);
    expect(rows.map((row) => [row.number, row.is_total, row.matches])).toEqual([
      [121, false, true],
      [122, true, false],
    ]);
    const text = (
      await tenant.api.get(`/datasources/${orders.id}/text?start=${rows[0]?.start}&end=${rows[0]?.end}`)
    ).as(z.object({ text: z.string() }));
    expect(text.text).toBe(rows[0]?.cells.join(' | '));
  });

  it('refuse what a column cannot have', async () => {
    for (const condition of [
      { column: 'None', is: ['x'] },
      { column: 'Customer' },
      { column: 'Customer', is: ['x'], contains: 'y' },
      { column: 'Customer', at_least: 5 },
      { column: 'Amount', within: [{ from: '2026-01-01' }] },
      { column: 'Date', within: [{ from: '2026-13-01' }] },
    ])
      (await post({ conditions: [condition] })).assertError('INVALID_REQUEST');
    (await post({}, 2)).assertError('NOT_FOUND');
    (await post({}, 'tables; DROP')).assertError('NOT_FOUND');
    (await post({ revision: 9 })).assertError('NOT_FOUND');
  });

  (executablePath === null ? it.skip : it)('open at the rows that an answer counted', async () => {
    await tenant.agent({ datastoreIds: [orders.datastoreId] });
    const browser: Browser = await launchChromium(executablePath ?? '');
    const window = await Window.open(browser, deployment.origin);
    const { page } = window;
    await page.goto(`${deployment.origin}/ask`);
    await signInWithKey(page, API_KEY);
    const field = page.getByLabel('Ask a question about your documents');
    await field.fill('How many orders of Müller GmbH in April?');
    await field.press('Enter');
    await page.getByText('10 rows').waitFor();
    await page
      .getByRole('link', { name: /^Source \d+: orders.csv/ })
      .first()
      .click();
    const beside = page.getByRole('complementary', { name: 'Document' });
    await beside.getByText('10 rows').waitFor();
    await beside.getByRole('link', { name: 'Open its page' }).click();
    const [date, customer] = [1, 2].map((number) =>
      page.getByRole('group', { name: `Condition ${number}`, exact: true }),
    );
    expect(await date?.getByLabel('To').inputValue()).toBe('2026-04-30');
    expect(await window.seriousViolations()).toEqual([]);
    // With the keyboard alone.
    await date?.getByLabel('To').focus();
    await page.keyboard.type('05312026');
    await customer?.getByRole('button', { name: 'Remove condition 2' }).press('Enter');
    await page.getByText('20 rows').waitFor();
    await page.getByRole('cell', { name: '€1,' }).first().waitFor();
    await page.getByRole('switch', { name: 'Show the other rows, too' }).press('Space');
    await page.getByRole('rowheader', { name: /^5\b.*Satisfies the conditions$/ }).waitFor();
    await page.getByRole('button', { name: 'Next rows' }).press('Enter');
    await page.getByText('51 to 100').waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    await expectSoon(
      () => page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'),
      true,
    );
    expect(await window.seriousViolations()).toEqual([]);
    await window.close();
    await browser.close();
  });
});
