import { describe, expect, it } from '@jest/globals';
import { AnalyzedQuestion } from '../question/analyzed-question.js';
import { tableLookups } from './table-lookups.js';

describe('tableLookups', () => {
  it('has each run of words, the beginnings of content words, and the numbers', () => {
    const { texts, beginnings, numbers } = tableLookups(
      new AnalyzedQuestion('Offene Bestellungen bei Müller GmbH & Co. KG über 1.250 €?'),
      'de',
    );
    expect(texts).toEqual(expect.arrayContaining(['Müller GmbH', 'Müller GmbH & Co. KG', 'Offene']));
    expect(beginnings).toEqual(expect.arrayContaining(['off', 'bestellun', 'mul']));
    expect(numbers).toEqual([1250, 1.25]);
  });
});
