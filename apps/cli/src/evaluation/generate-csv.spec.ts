import { describe, expect, it } from '@jest/globals';
import { type DraftedChunk, draftQuestions } from './generate-csv.js';

describe('drafts of questions', () => {
  it.each<[string, DraftedChunk[], [string, string][]]>([
    [
      'take a heading that asks, with the first sentence below it',
      [
        {
          text: 'How long is the warranty?\n\nThe warranty is two years. Keep the bill.',
          heading_path: ['FAQ', 'How long is the warranty?'],
        },
      ],
      [['How long is the warranty?', 'The warranty is two years.']],
    ],
    [
      'take another heading with its parent, for a person to correct',
      [{ text: 'Boil vinegar in the kettle once a month.', heading_path: ['Kettle', 'Cleaning'] }],
      [['Kettle: Cleaning?', 'Boil vinegar in the kettle once a month.']],
    ],
    [
      'take entries of an FAQ without headings, and put them first',
      [
        { text: 'The kettle is made of steel.', heading_path: ['Material'] },
        {
          text: 'Q: Who repairs it?\nA: Our workshop in Bonn repairs it.\n\nQ: What does it cost?\nA: Repairs cost 30 euros.',
        },
      ],
      [
        ['Who repairs it?', 'Our workshop in Bonn repairs it.'],
        ['What does it cost?', 'Repairs cost 30 euros.'],
        ['Material?', 'The kettle is made of steel.'],
      ],
    ],
    [
      'work in Japanese and Chinese',
      [{ text: '保证期是多久？\n保证期为两年，自购买之日起计算。其他条款见合同。' }],
      [['保证期是多久？', '保证期为两年，自购买之日起计算。']],
    ],
    [
      'take a heading once, however many chunks it has',
      ['The first part is here.', 'The second part is here.'].map((text) => ({
        text,
        heading_path: ['Parts'],
      })),
      [['Parts?', 'The first part is here.']],
    ],
    [
      'do not begin with marks of lists or formulas',
      [{ text: '- What is it?\n+ a function of spreadsheets, among others.' }],
      [['What is it?', 'a function of spreadsheets, among others.']],
    ],
    ['leave out a question that is followed by another one', [{ text: 'Why?\nHow do I do that?\n' }], []],
    [
      'leave out code and tables, and what introduces a list',
      [
        {
          text: 'Steps:\nname | value of it\nfromjson? | "(.name)" ?\nThe button starts the pump.',
          heading_path: ['Start'],
        },
      ],
      [['Start?', 'The button starts the pump.']],
    ],
    ['leave out headings without text', [{ text: 'Contents', heading_path: ['Contents'] }], []],
  ])('%s', (_, chunks, expected) => {
    expect(draftQuestions(chunks).map(({ question, expected: answer }) => [question, answer])).toEqual(
      expected,
    );
  });

  it('expect whole words that are in the text as they are', () => {
    const text = `The ${'very '.repeat(40)}long sentence.`;
    const [draft] = draftQuestions([{ text, heading_path: ['Length'] }]);
    expect(text).toContain(draft?.expected);
    expect(draft?.expected).toMatch(/very$/);
  });
});
