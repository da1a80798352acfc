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
      if (cited.length === 0) expect(supported).toBe(added !== null);
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

  it.each([
    ['supported', 'The housing is cast iron [1].', 'The housing is made of cast iron.'],
    ['supported', 'It costs 1.8 million [1].', 'It costs 1,800,000 dollars to build.'],
    ['supported', 'It is valid from 4 July 2024 [1].', 'It is valid from 2024-07-04 on.'],
    ['supported', 'The warranty is two years [1].', 'The warranty lasts 24 months.'],
    ['supported', 'Two adults pay 24 euros [1].', 'Adults pay 12 euros each.'],
    ['supported', 'Adults and children pay 17 euros [1].', 'Adults pay 12 euros and children pay 5 euros.'],
    ['supported', 'Seals are not covered by the warranty [1].', 'The warranty does not cover seals.'],
    [
      'supported',
      'The pump weighs 12 kg and is sold in Bergen [1].',
      'The pump weighs 12 kg. It is sold in Bergen.',
    ],
    ['unsupported', 'It is delivered by balloon [1].', 'The housing is made of cast iron.'],
    ['unsupported', 'Olsen sells the pump in Oslo [1].', 'Olsen sells the pump in Bergen.'],
    ['unsupported', 'Hansen repairs the pump in Bergen [1].', 'Olsen repairs the pump in Bergen.'],
    ['unsupported', 'The KX300 pump is made of iron [1].', 'The KX200 pump is made of iron.'],
    [
      'number',
      'The compressor has a warranty of 12 years and is free of charge [1].',
      'The compressor has a warranty of seven years.',
    ],
    [
      'number',
      'Adults pay 17 euros and children pay 5 euros [1].',
      'Adults pay 12 euros and children pay 5 euros.',
    ],
    ['number', 'It opened on 14 July 2024 [1].', 'It opened on 4 July 2024.'],
    ['number', 'It weighs 12 g [1].', 'It weighs 12 kg.'],
    ['negation', 'The warranty covers seals [1].', 'The warranty does not cover seals.'],
    ['negation', 'Dogs are not allowed in the park [1].', 'Dogs are allowed in the park.'],
    ['number', 'Die Garantie beträgt zwölf Jahre [1].', 'Die Garantie beträgt sieben Jahre.'],
    ['negation', 'Hunde sind im Park erlaubt [1].', 'Hunde sind im Park nicht erlaubt.'],
    ['unsupported', 'Die Pumpe wird in Oslo gebaut [1].', 'Die Pumpe wird in Bergen gebaut.'],
    ['supported', 'Für Gäste kostet der Eintritt fünf Euro [1].', 'Der Eintritt kostet für Gäste 5 €.'],
    ['number', '水泵的保修期为十二年 [1]。', '水泵的保修期为七年。'],
    ['negation', '保修包括密封件 [1]。', '保修不包括密封件。'],
    ['unsupported', '水泵由奥斯陆的工厂制造 [1]。', '水泵由卑尔根的工厂制造。'],
    ['supported', '保修期为24个月 [1]。', '水泵的保修期为两年。'],
  ])('finds %s: %s', (expected, answer, text) => {
    const [{ supported, contradiction } = { supported: false }] =
      alignStatements([], answer, [{ text }]) ?? [];
    expect(supported ? 'supported' : (contradiction?.kind ?? 'unsupported')).toBe(expected);
  });

  it('tells what differs, and what is calculated', () => {
    const [wrong] = alignStatements([], 'The pump weighs 21 kg [2].', PASSAGES) ?? [];
    expect(wrong?.contradiction).toEqual({
      kind: 'number',
      number: 2,
      stated: '21 kg',
      found: '12 kg',
      sentence: 'The pump weighs 12 kg and moves 40 litres of water a minute.',
    });
    const [sum] =
      alignStatements([], 'Both pumps together weigh 17 kg [1].', [
        { text: 'The small and the big pumps weigh 5 kg and 12 kg together in both boxes.' },
      ]) ?? [];
    expect([sum?.supported, sum?.calculated]).toEqual([true, ['17 kg']]);
  });

  it('takes the subject from the name of the document and the headings', () => {
    const text = 'It weighs 12 kg and is made of iron.';
    const supported = (passage: { headingPath?: string[]; datasourceName?: string }) =>
      alignStatements(
        [new AnalyzedQuestion('What?')],
        'The Aker pump weighs 12 kg and is made of iron [1].',
        [{ text, ...passage }],
      )?.[0]?.supported;
    expect(supported({})).toBe(false);
    expect(supported({ headingPath: ['The Aker pump'] })).toBe(true);
    expect(supported({ datasourceName: 'Aker pump.pdf' })).toBe(true);
  });
});
