import { expect, it } from '@jest/globals';
import { countShown, withoutCopies } from './passage-copies.js';
import type { FoundPassage } from './retriever.service.js';

const COPY = 'Up to 140 euros.';

it.each<[name: string, texts: Record<string, string>, shown: Record<string, string[]>]>([
  [
    'the third and later copies are left out',
    { a: COPY, b: 'up to  140 euros.\n', c: COPY, x: 'In Oslo.', d: COPY },
    { a: ['c', 'd'], b: [], x: [] },
  ],
  ['two copies are shown', { a: COPY, b: COPY }, { a: [], b: [] }],
  ['another number makes another text', { a: COPY, b: COPY, c: 'Up to 190 euros.' }, { a: [], b: [], c: [] }],
])('%s', (_, texts, shown) => {
  // These functions read no other fields.
  const passages = Object.entries(texts).map(([id, text]) => ({ id, text }) as FoundPassage);
  const distinct = withoutCopies(passages);
  expect(
    Object.fromEntries(distinct.map(({ id, copies = [] }) => [id, copies.map((copy) => copy.id)])),
  ).toEqual(shown);
  expect(countShown(passages)).toBe(distinct.length);
});
