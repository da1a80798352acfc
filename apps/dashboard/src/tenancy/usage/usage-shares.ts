import type {
  Budgets,
  BudgetState,
  ModelPrices,
  ModelPricesState,
  UsageShare,
  UsageTotals,
} from '@citewell/sdk';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../client.js';
import { daysOf, type Period, type UsageKey } from './usage-days.js';

export const sharesQuery = (by: UsageKey, period: Period) => {
  const { from, to } = daysOf(period);
  return queryOptions({
    queryKey: ['usage', 'shares', by, from, to],
    queryFn: () => request<UsageShare[]>('GET', `/usage/breakdown?by=${by}&from=${from}&to=${to}`),
  });
};

export const ownUsageQuery = queryOptions({
  queryKey: ['usage', 'own'],
  queryFn: () => request<UsageTotals>('GET', '/usage/own'),
});

export const pricesQuery = queryOptions({
  queryKey: ['usage', 'prices'],
  queryFn: () => request<ModelPricesState>('GET', '/usage/prices'),
});
export const savePrices = (prices: ModelPrices) => request<ModelPricesState>('PUT', '/usage/prices', prices);

export const budgetsQuery = queryOptions({
  queryKey: ['usage', 'budgets'],
  queryFn: () => request<BudgetState[]>('GET', '/usage/budgets'),
});
export const saveBudgets = (budgets: Budgets) => request<BudgetState[]>('PUT', '/usage/budgets', budgets);
