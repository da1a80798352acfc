import { expect, it } from '@jest/globals';
import { type Condition, type Field, filtersOf } from './search-conditions.js';

const condition = (field: Field, value: string, key = ''): Condition => ({ field, key, value });

it.each<[name: string, conditions: Condition[], datasourceId: string | null, filters: unknown]>([
  ['nothing', [], null, undefined],
  ['a document', [], 'd1', { datasource_ids: ['d1'] }],
  [
    'names are alternatives',
    [condition('name', 'A.pdf'), condition('name', ' B.pdf ')],
    null,
    { names: ['A.pdf', 'B.pdf'] },
  ],
  [
    'kinds',
    [condition('type', 'file'), condition('type', 'web_page')],
    null,
    { types: ['file', 'web_page'] },
  ],
  ['no kind', [condition('type', 'constructor')], null, undefined],
  [
    'dates must both be met',
    [condition('after', '2024-01-01'), condition('after', '2025-01-01'), condition('before', '2026-02-01')],
    null,
    { created_after: '2025-01-01', created_before: '2026-02-01' },
  ],
  [
    'metadata may be a text, a number or a truth',
    [
      condition('metadata', '2024', 'year'),
      condition('metadata', 'it', 'team'),
      condition('metadata', 'hr', 'team'),
      condition('metadata', 'true', 'draft'),
    ],
    null,
    { metadata: { year: ['2024', 2024], team: ['it', 'hr'], draft: ['true', true] } },
  ],
  [
    'what is not complete is left out',
    [condition('name', ' '), condition('metadata', 'it')],
    null,
    undefined,
  ],
])('%s', (_, conditions, datasourceId, filters) =>
  expect(filtersOf(conditions, datasourceId)).toEqual(filters),
);
