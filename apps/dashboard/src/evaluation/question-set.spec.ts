import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  COLUMNS,
  readQuestionSet,
  removeQuestionSet,
  withQuestion,
  writeQuestionSet,
} from './question-set.js';

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

describe('the set that the browser keeps', () => {
  const descriptor = Object.getOwnPropertyDescriptor(globalThis, 'localStorage');
  beforeEach(() => {
    const items = new Map<string, string>();
    const localStorage = {
      getItem: (key: string) => items.get(key) ?? null,
      setItem: (key: string, value: string) => items.set(key, value),
      removeItem: (key: string) => items.delete(key),
    };
    Object.defineProperty(globalThis, 'localStorage', { value: localStorage, configurable: true });
  });
  afterEach(() => {
    if (descriptor) Object.defineProperty(globalThis, 'localStorage', descriptor);
    else Reflect.deleteProperty(globalThis, 'localStorage');
  });

  it('belongs to one organization, until it is removed', () => {
    writeQuestionSet('a', 'of a');
    writeQuestionSet('b', 'of b');
    expect([readQuestionSet('a'), readQuestionSet('b'), readQuestionSet('c')]).toEqual([
      'of a',
      'of b',
      `${COLUMNS}\n`,
    ]);
    removeQuestionSet('a');
    expect([readQuestionSet('a'), readQuestionSet('b')]).toEqual([`${COLUMNS}\n`, 'of b']);
  });
});
