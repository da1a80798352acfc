import type { DocumentTable, TableCondition } from '@citewell/sdk';
import { describe, expect, it } from '@jest/globals';
import { conditionsIn } from './citations.js';
import { conditionsOf, filtersOf, newFilter } from './row-filters.js';

const COLUMNS: DocumentTable['columns'] = [
  { name: 'Customer', type: 'text' },
  { name: 'Date', type: 'date' },
  { name: 'Amount', type: 'money' },
];

describe('row filters', () => {
  it.each<[name: string, condition: TableCondition]>([
    ['texts', { column: 'Customer', is: ['Müller GmbH', 'Acme, Inc.'] }],
    ['texts that are left out', { column: 'Customer', is_not: ['Acme'] }],
    ['a part of a text', { column: 'Customer', contains: 'gmbh' }],
    ['a month', { column: 'Date', within: [{ from: '2026-05-01', to: '2026-06-01' }] }],
    [
      'the same month of two years, over the end of a year',
      {
        column: 'Date',
        within: [
          { from: '2025-12-01', to: '2026-01-01' },
          { from: '2024-12-01', to: '2025-01-01' },
        ],
      },
    ],
    ['all days since one', { column: 'Date', within: [{ from: '2026-05-01' }] }],
    ['numbers', { column: 'Amount', is: [12.5, 0] }],
    ['an amount and more', { column: 'Amount', at_least: 0 }],
    ['a negative range', { column: 'Amount', at_least: -10.5, at_most: -1 }],
  ])('keep %s', (_name, condition) => {
    expect(conditionsOf(filtersOf([condition], COLUMNS), COLUMNS)).toEqual([condition]);
  });

  it('show the last day of a range', () => {
    const [filter] = filtersOf(
      [{ column: 'Date', within: [{ from: '2026-05-01', to: '2026-06-01' }] }],
      COLUMNS,
    );
    expect(filter?.ranges).toEqual([{ from: '2026-05-01', to: '2026-05-31' }]);
  });

  it('leave out what is not complete, and columns that are not there', () => {
    const filters = COLUMNS.map(newFilter);
    expect(conditionsOf(filters, COLUMNS)).toEqual([]);
    expect(filtersOf([{ column: 'Other', is: ['x'] }], COLUMNS)).toEqual([]);
    const wrong = filters.map((filter) => ({ ...filter, ranges: [{ from: 'x', to: '' }] }));
    expect(conditionsOf(wrong.slice(2), COLUMNS)).toEqual([]);
  });

  it('read numbers with a comma', () => {
    const filters = [{ ...newFilter({ name: 'Amount', type: 'money' }), ranges: [{ from: '1,5', to: '' }] }];
    expect(conditionsOf(filters, COLUMNS)).toEqual([{ column: 'Amount', at_least: 1.5 }]);
  });

  it('are read from an address', () => {
    expect(conditionsIn([{ column: 'A', is: ['x'] }, 'no', null, { is: [1] }])).toEqual([
      { column: 'A', is: ['x'] },
    ]);
    expect(conditionsIn('x')).toBeUndefined();
  });
});
