import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AnalyzedQuestion } from '../question/analyzed-question.js';
import { quoteCitations } from './quote-citations.js';

const KETTLE = [
  'The kettle holds two litres.',
  'Its warranty is three years from the day of purchase.',
  'Repairs take a week.',
  'Descale the kettle with vinegar every month, and rinse it twice with cold water afterwards.',
].join('\n\n');
const LAMP = '# Lamp\n\nThe bulb is covered for 500 hours, whichever room it lights and however it is used.';

const cases: readonly [name: string, question: string, answer: string, quotes: Record<number, string>][] = [
  [
    'by the terms of the question',
    'How long is the warranty?',
    'See the manual [1].',
    { 1: 'Its warranty is three years from the day of purchase.' },
  ],
  [
    'by the terms of the sentence that cites',
    'What must I do?',
    'Pour vinegar into it each month [1]. The bulb lasts 500 hours [2].',
    {
      1: 'Descale the kettle with vinegar every month, and rinse it twice with cold water afterwards.',
      2: 'The bulb is covered for 500 hours, whichever room it lights and however it is used.',
    },
  ],
  [
    'by a citation after the full stop',
    'What must I do?',
    'Rinse it with cold water. [1] Buy a lamp.[2]',
    {
      1: 'Descale the kettle with vinegar every month, and rinse it twice with cold water afterwards.',
      2: 'The bulb is covered for 500 hours, whichever room it lights and however it is used.',
    },
  ],
  [
    'by a citation at the start of a line, and by several of one sentence',
    'What must I do?',
    'Buy a bulb.\n[1] says that repairs take a week.\n\n- vinegar, 500 hours [2][1]',
    {
      1: 'Repairs take a week.',
      2: 'The bulb is covered for 500 hours, whichever room it lights and however it is used.',
    },
  ],
  [
    'by the question alone if a line has only citations',
    'How many litres does it hold?',
    'Two.\n\n[1]',
    { 1: 'The kettle holds two litres.' },
  ],
  ['not without a matching sentence', 'Wie lange hält sie?', 'Ein Jahr [1][2].', {}],
  ['not for a number without a passage', 'What about the lamp?', 'It shines [3].', {}],
  ['not for what is not cited', 'What about the kettle?', 'It boils.', {}],
];

describe('quoteCitations', () => {
  it.each(cases)('quotes %s', (_name, question, answer, quotes) => {
    const passages = [
      { text: KETTLE, start: 0 },
      { text: LAMP, start: 0 },
    ];
    const found = [...quoteCitations([new AnalyzedQuestion(question)], answer, passages)];
    expect(Object.fromEntries(found.map(([number, { text }]) => [number, text]))).toEqual(quotes);
  });

  it('compares the first 20 sentences that cite a passage with it', () => {
    const quoteAfter = (count: number) =>
      quoteCitations([new AnalyzedQuestion('What?')], `${'Hm [1].\n'.repeat(count)}The kettle [1].`, [
        { text: KETTLE, start: 0 },
      ]).size;
    expect([quoteAfter(0), quoteAfter(19), quoteAfter(20), quoteAfter(50_000)]).toEqual([1, 1, 0, 0]);
  });

  it('quotes exact slices of bounded length', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 900 }), fc.string(), (text, question) => {
        const quotes = quoteCitations([new AnalyzedQuestion(question)], `${text.slice(0, 100)} [1]`, [
          { text, start: 7 },
        ]);
        for (const { start, end, text: quote } of quotes.values()) {
          expect(quote).toBe(text.slice(start - 7, end - 7));
          expect(quote).not.toBe('');
          expect(quote.length).toBeLessThanOrEqual(360);
        }
      }),
    );
  });
});
