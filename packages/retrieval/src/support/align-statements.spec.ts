import { describe, expect, it } from '@jest/globals';
import { AnalyzedQuestion } from '../question/analyzed-question.js';
import { alignStatements } from './align-statements.js';

const PASSAGES = [
  {
    text: 'The warranty of the P200 lasts 24 months from the date of purchase. It does not cover seals. Repairs are made in our workshop in Bergen, usually within a week.',
  },
  { text: 'The pump weighs 12 kg and moves 40 litres of water a minute. Its housing is made of cast iron.' },
  { text: 'Der Versand kostet fünf Euro und dauert meistens drei Tage. Ab 50 Euro ist er kostenlos.' },
];

/** Statement → number of the passage that is added, null if it is not supported, or the numbers that it cites. */
function aligned(answer: string, question = 'What do you know about the pump?') {
  return alignStatements([new AnalyzedQuestion(question)], answer, PASSAGES)?.map(
    ({ text, cited, added, supported }) => {
      expect(supported).toBe(cited.length > 0 || added !== null);
      return [text, cited.length > 0 ? cited : added];
    },
  );
}

describe('alignStatements', () => {
  it.each([
    ['the passage with the words', 'Repairs are made in the workshop in Bergen.', 1],
    ['a passage in other order', 'Cast iron is what the housing is made of.', 2],
    ['two adjacent sentences', 'It weighs 12 kg, and its housing is made of cast iron.', 2],
    ['no passage with another number', 'The warranty of the P200 lasts 36 months from purchase.', null],
    ['no passage that denies it', 'The warranty does cover seals of the pump.', null],
    ['a passage that denies, too', 'The warranty does not cover the seals.', 1],
    ['no passage for new words', 'The housing is made of stainless steel and rubber.', null],
    [
      'no passage with the words in another relation',
      'The purchase of the P200 lasts 24 months from the warranty date.',
      null,
    ],
    ['no passage for what two passages say', 'The workshop in Bergen weighs 12 kg.', null],
  ])('adds %s', (_, answer, added) => {
    expect(aligned(answer)).toEqual([[answer, added]]);
  });

  it('does not count the words of the question', () => {
    const question = 'Which workshop in Bergen makes the repairs within a week?';
    expect(
      aligned('The workshop in Bergen that makes the repairs within a week is Olsen.', question),
    ).toEqual([['The workshop in Bergen that makes the repairs within a week is Olsen.', null]]);
    expect(aligned('The workshop in Bergen makes the repairs within a week.', question)?.[0]?.[1]).toBe(null);
  });

  it('does not support a statement by one word that is not of the question, unless it is a number', () => {
    const question = 'How much does the pump weigh, and what is its housing made of?';
    expect(aligned('The housing of the pump is made of iron.', question)?.[0]?.[1]).toBe(null);
    expect(aligned('The pump weighs 12 kg.', 'How many kg does the pump weigh?')?.[0]?.[1]).toBe(2);
  });

  it('keeps the citations of the model, right or wrong', () => {
    expect(aligned('It weighs 12 kg [2]. It is blue. [1] It is red [1][2].')).toEqual([
      ['It weighs 12 kg.', [2]],
      ['It is blue.', [1]],
      ['It is red.', [1, 2]],
    ]);
  });

  it('skips headings, code, questions and announcements, and reads lists and emphasis', () => {
    const answer =
      '# The pump weighs 12 kg\n\nThese are its parts:\n\n- **Housing:** is made of *cast iron*.\n\n```\nIt weighs 12 kg.\n```\n\nDo you need more?';
    expect(aligned(answer)).toEqual([['Housing: is made of cast iron.', 2]]);
  });

  it('gives offsets into the answer that include citations', () => {
    const answer = 'Well. It weighs 12 kg. [2]\n1. The housing is made of cast iron.';
    const found = alignStatements([new AnalyzedQuestion('?')], answer, PASSAGES) ?? [];
    expect(found.map(({ start, end }) => answer.slice(start, end))).toEqual([
      'Well.',
      'It weighs 12 kg. [2]',
      'The housing is made of cast iron.',
    ]);
  });

  it('compares German with German, and nothing with passages in other languages', () => {
    expect(aligned('Der Versand dauert meistens drei Tage.', 'Wie lange dauert das?')?.[0]?.[1]).toBe(3);
    expect(aligned('La pompe pèse douze kilos et la garantie est de deux ans.', 'Quel est le poids ?')).toBe(
      undefined,
    );
    expect(alignStatements([], 'It weighs 12 kg.', [])).toBe(null);
  });

  it('skips the head of a table, and compares its rows', () => {
    const answer =
      '| Part | Made of |\n| --- | :-: |\n| Housing of the pump | made of cast iron |\n\n- a | b\n';
    expect(aligned(answer, 'Parts?')?.map(([text]) => text)).toEqual([
      '| Housing of the pump | made of cast iron |',
      'a | b',
    ]);
  });
});
