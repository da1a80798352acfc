import type { UsageShare, UsageTotals } from '@citewell/sdk';

export const KEYS = ['day', 'person', 'agent'] as const;
export type UsageKey = (typeof KEYS)[number];

export const PERIODS = ['thisMonth', 'lastMonth', 'year'] as const;
export type Period = (typeof PERIODS)[number];

/** The first and the last day of a period, in UTC, as the server counts. */
export function daysOf(period: Period, now = new Date()): { from: string; to: string } {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  const day = (monthsLater: number, date: number): string =>
    new Date(Date.UTC(year, month + monthsLater, date)).toISOString().slice(0, 10);
  const today = now.toISOString().slice(0, 10);
  switch (period) {
    case 'thisMonth':
      return { from: day(0, 1), to: today };
    case 'lastMonth':
      return { from: day(-1, 1), to: day(0, 0) };
    case 'year':
      return { from: day(-11, 1), to: today };
  }
}

/** The shares with a share for each day between: a day without questions is shown, too. */
export function withEmptyDays(
  shares: readonly UsageShare[],
  { from, to }: { from: string; to: string },
): UsageShare[] {
  const known = new Map(shares.map((share) => [share.id, share]));
  const days: UsageShare[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += 86_400_000) {
    const id = new Date(at).toISOString().slice(0, 10);
    days.push(known.get(id) ?? { ...EMPTY, kind: 'day', id, name: null });
  }
  return days;
}

const EMPTY: UsageTotals = {
  questions: 0,
  inputTokens: 0,
  outputTokens: 0,
  estimatedTokens: 0,
  costs: [],
  unpricedTokens: 0,
};

/** An amount in the way of the language, with as many decimals as small costs need. */
export function money({ currency, amount }: { currency: string; amount: string }, language: string): string {
  const value = Number(amount);
  const digits = value !== 0 && Math.abs(value) < 1 ? 6 : 2;
  const options = {
    style: 'currency',
    currency,
    minimumFractionDigits: 2,
    maximumFractionDigits: digits,
  } as const;
  return new Intl.NumberFormat(language, options).format(value);
}
