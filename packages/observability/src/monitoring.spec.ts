import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { Metrics } from './metrics.js';

const read = (file: string): string =>
  readFileSync(new URL(`../../../infra/monitoring/${file}`, import.meta.url), 'utf8');

it.each(['alerts.yml', 'alerts.test.yml', 'dashboard.json'])('%s names metrics that exist', async (file) => {
  const known = new Set((await new Metrics('api').read()).map(({ name }) => name));
  const named = [...read(file).matchAll(/\b(?:citewell|process)_\w+/g)].map(([name]) => name);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !known.has(name.replace(/_(?:bucket|count|sum)$/, '')))).toEqual([]);
});

it('the dashboard shows every metric', async () => {
  const own = (await new Metrics('api').read())
    .map(({ name }) => name)
    .filter((name) => name.startsWith('citewell_') && name !== 'citewell_rerankings_total');
  const dashboard = read('dashboard.json');
  expect(own.filter((name) => !dashboard.includes(name))).toEqual([]);
});
