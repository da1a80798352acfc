import { expect, it } from '@jest/globals';
import { daysOf, money, withEmptyDays } from './usage-days.js';

it.each([
  ['thisMonth', '2026-03-15T23:59:59Z', '2026-03-01', '2026-03-15'],
  ['thisMonth', '2026-03-01T00:30:00+02:00', '2026-02-01', '2026-02-28'],
  ['lastMonth', '2026-03-15T12:00:00Z', '2026-02-01', '2026-02-28'],
  ['lastMonth', '2026-01-01T00:00:00Z', '2025-12-01', '2025-12-31'],
  ['year', '2026-03-15T12:00:00Z', '2025-04-01', '2026-03-15'],
] as const)('%s of %s', (period, now, from, to) => {
  expect(daysOf(period, new Date(now))).toEqual({ from, to });
});

it('has a share for each day', () => {
  const share = {
    kind: 'day' as const,
    id: '2026-02-28',
    name: null,
    questions: 2,
    inputTokens: 1,
    outputTokens: 1,
    estimatedTokens: 0,
    costs: [],
    unpricedTokens: 2,
  };
  const days = withEmptyDays([share], { from: '2026-02-27', to: '2026-03-01' });
  expect(days.map(({ id, questions }) => [id, questions])).toEqual([
    ['2026-02-27', 0],
    ['2026-02-28', 2],
    ['2026-03-01', 0],
  ]);
});

it.each([
  ['0', '€0.00'],
  ['0.00000225', '€0.000002'],
  ['0.5', '€0.50'],
  ['12.3456', '€12.35'],
  ['1234567.891', '€1,234,567.89'],
])('%s is %s', (amount, text) => expect(money({ currency: 'EUR', amount }, 'en')).toBe(text));
