import { describe, expect, it } from '@jest/globals';
import { AnswerKey, type JudgeablePassage } from './answer-key.js';

const passage = (text: string, of: Partial<JudgeablePassage> = {}): JudgeablePassage => ({
  text,
  datasourceId: 'id',
  datasourceName: 'Manual',
  ...of,
});

describe('a passage is right', () => {
  it.each<[string, ConstructorParameters<typeof AnswerKey>[0], JudgeablePassage, boolean]>([
    ['if it contains the expected text', { expected: ['two years'] }, passage('It is two years.'), true],
    ['in other case and white space', { expected: ['Two  years'] }, passage('It is TWO\nyears.'), true],
    ['in other forms of characters', { expected: ['A4 ½'] }, passage('Ａ４ ½ page'), true],
    ['if it contains one of several', { expected: ['a b', '24 months'] }, passage('24 months'), true],
    ['not if it contains none', { expected: ['two years'] }, passage('three years'), false],
    [
      'if its document is expected, by custom id',
      { documents: { d: 1 } },
      passage('x', { customId: 'd' }),
      true,
    ],
    ['by id', { documents: { id: 1 } }, passage('x'), true],
    ['by name', { documents: { Manual: 2 } }, passage('x'), true],
    [
      'by address',
      { documents: { 'https://a.example/': 1 } },
      passage('x', { url: 'https://a.example/' }),
      true,
    ],
    ['not if its grade is 0', { documents: { Manual: 0 } }, passage('x'), false],
    [
      'not with the text in another document',
      { expected: ['x'], documents: { other: 1 } },
      passage('x'),
      false,
    ],
    ['with text and document', { expected: ['x'], documents: { Manual: 1 } }, passage('x'), true],
    ['never if nothing is expected', {}, passage('x'), false],
  ])('%s', (_, question, found, expected) => {
    expect(new AnswerKey(question).isRight(found)).toBe(expected);
  });
});

describe('a ranking', () => {
  it('has one thing to find if a text is expected, however many passages contain it', () => {
    const key = new AnswerKey({ expected: ['kelp'] });
    expect(key.judge([passage('tide'), passage('kelp'), passage('more kelp')])).toEqual({
      ranking: ['passage 0', 'answer', 'answer'],
      gains: new Map([['answer', 1]]),
    });
  });

  it('is one of documents, with their grades, if documents are expected', () => {
    const key = new AnswerKey({ documents: { a: 2, b: 1 } });
    const found = ['x', 'b', 'b', 'a'].map((customId) => passage('', { customId, datasourceId: customId }));
    expect(key.judge(found)).toEqual({
      ranking: ['datasource x', 'b', 'b', 'a'],
      gains: new Map([
        ['a', 2],
        ['b', 1],
      ]),
    });
  });
});
