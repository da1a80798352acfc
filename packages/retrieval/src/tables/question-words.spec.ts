import { expect, it } from '@jest/globals';
import { isRelated, wordsOf } from './question-words.js';

it.each([
  ['delivered', 'delivery', true],
  ['geliefert', 'Lieferdatum', true],
  ['Kundenbestellungen', 'Bestellung', true],
  ['invoices', 'Invoice date', true],
  ['Uhren', 'Uhr', true],
  // They have an ending in common.
  ['donations', 'locations', false],
  ['Kategorisierungen', 'Finanzierungen', false],
  ['modifications', 'verifications', false],
])('whether %s refers to %s', (word, name, expected) => {
  const [asked] = wordsOf(word);
  expect(asked !== undefined && wordsOf(name).some((part) => isRelated(asked, part))).toBe(expected);
});
