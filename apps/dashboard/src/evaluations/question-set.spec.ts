import { expect, it } from '@jest/globals';
import { COLUMNS, withQuestion } from './question-set.js';

it.each([
  ['begins a set with the columns', '', 'How long?', `${COLUMNS}\n"How long?",,,\n`],
  ['comes after the last question', `${COLUMNS}\nA,b,,\n\n`, 'C?', `${COLUMNS}\nA,b,,\n"C?",,,\n`],
  [
    'may contain quotes, commas and line breaks',
    COLUMNS,
    'Say "hi",\nnow?',
    `${COLUMNS}\n"Say ""hi"",\nnow?",,,\n`,
  ],
  ['is added once', `${COLUMNS}\n"C?",,,\n`, 'C?', `${COLUMNS}\n"C?",,,\n`],
])('a question of a conversation %s', (_, csv, question, expected) => {
  expect(withQuestion(csv, question)).toBe(expected);
});
