import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../http/api-error.js';
import { questionsFromCsv } from './questions-from-csv.js';

describe('questions from CSV', () => {
  it.each<[string, string, unknown]>([
    [
      'has an expected text, a document, or neither of them',
      'question,expected,document,answerable\nHow long?,two years,,\nWhere?,,a.pdf,yes\nWho?,,,no\n',
      [
        { question: 'How long?', expected: ['two years'], documents: {} },
        { question: 'Where?', expected: [], documents: { 'a.pdf': 1 } },
        { question: 'Who?', expected: [], documents: {}, answerable: false },
      ],
    ],
    [
      'has several texts and documents, separated by bars',
      'question,expected,document\nQ,a | b|c,x | y\n',
      [{ question: 'Q', expected: ['a', 'b|c'], documents: { x: 1, y: 1 } }],
    ],
    [
      'with much white space in a cell',
      `question,expected\nQ,a${' '.repeat(1_000_000)}|  b\n`,
      [{ question: 'Q', expected: ['a', 'b'], documents: {} }],
    ],
    [
      'as spreadsheets write it: with a mark, semicolons, quotes and line breaks in cells',
      '\uFEFFQuestion;Expected;Comment\r\n"Say ""hi""\nnow?";a, b;x\r\n;;\r\n',
      [{ question: 'Say "hi"\nnow?', expected: ['a, b'], documents: {} }],
    ],
    [
      'with columns in any order',
      'expected\tquestion\na\tQ',
      [{ question: 'Q', expected: ['a'], documents: {} }],
    ],
    [
      'with a document that is named like a property of objects',
      'question,document\nQ,constructor\n',
      [{ question: 'Q', expected: [], documents: { constructor: 1 } }],
    ],
  ])('%s', (_, csv, expected) => {
    expect(questionsFromCsv(csv)).toEqual(expected);
  });

  it.each([
    [
      'a line without an answer after empty lines',
      'question,expected\n\n\nA,b\n\nC,\n',
      /^Line 6 of the CSV/,
    ],
    [
      'a line without an answer',
      'question,expected\nA,b\nC,\n',
      /^Line 3 of the CSV: write an expected text/,
    ],
    [
      'a line without a question',
      'question,expected\n,b\n',
      /^Line 2 of the CSV: question must not be empty/,
    ],
    [
      'an answer to a question without one',
      'question,expected,answerable\nA,b,no\n',
      /^Line 2 of the CSV: answerable must not be false/,
    ],
    ['another word than yes or no', 'question,answerable\nA,maybe\n', /answerable must be yes or no\.$/],
    ['several such lines', 'question\nA\nB\nC\n', /2 more lines are wrong\.$/],
    ['no column question', 'frage,expected\nA,b\n', /question is missing/],
    ['no question', 'question,expected\n', /has no questions/],
    ['an open quote', 'question,expected\n"A,b\n', /^The CSV cannot be read: /],
    ['too many', `question,answerable\n${'A,no\n'.repeat(2_001)}`, /has 2001 questions/],
  ])('refuses %s', (_, csv, message) => {
    expect(() => questionsFromCsv(csv)).toThrow(ApiError);
    expect(() => questionsFromCsv(csv)).toThrow(message);
  });
});
