// `npm run size`: lines of the crawler by part, and of its tests. ADR 6 has the table.
import { globSync, readFileSync } from 'node:fs';

const CRAWL_SQL = [
  'packages/database/src/crawling/**/*.ts',
  'packages/database/src/runs/site-*.ts',
  'packages/database/src/fixtures/{crawl,site}.fixtures.ts',
];
const PARTS = {
  'the crawl': ['apps/worker-crawler/src/{crawl-site,page,fetching}/**/*.ts', ...CRAWL_SQL],
  'worker-crawler, web and SQL of the crawl': [
    'apps/worker-crawler/src/**/*.ts',
    'packages/web/src/**/*.ts',
    ...CRAWL_SQL,
  ],
};
const TEST = /\.(spec|fixtures)\.ts$/;

const rows = {};
for (const [part, patterns] of Object.entries(PARTS)) {
  const files = globSync(patterns);
  const production = linesOf(files.filter((file) => !TEST.test(file)));
  const tests = linesOf(files.filter((file) => TEST.test(file)));
  rows[part] = { production, tests, 'tests per line': Math.round((tests / production) * 100) / 100 };
}
console.table(rows);

function linesOf(files) {
  return files.reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length - 1, 0);
}
