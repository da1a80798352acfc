import { expect, it } from '@jest/globals';
import { historyOf } from './stored-history.js';

const question = (text: string) => ({ author: 'human' as const, text, state: 'complete' as const });
const answer = (text: string, state: 'answering' | 'complete' | 'stopped' | 'failed' = 'complete') => ({
  author: 'agent' as const,
  text,
  state,
});

it.each([
  ['complete turns', [question('a?'), answer('a'), question('b?'), answer('b')], ['a?', 'a', 'b?', 'b']],
  ['a stopped answer', [question('a?'), answer('a', 'stopped')], ['a?', 'a']],
  ['no answer that was stopped before its text', [question('a?'), answer('', 'stopped')], []],
  ['no failed answer', [question('a?'), answer('half', 'failed'), question('b?'), answer('b')], ['b?', 'b']],
  [
    'no answer in progress',
    [question('a?'), answer('a'), question('b?'), answer('h', 'answering')],
    ['a?', 'a'],
  ],
  ['no empty answer', [question('a?'), answer('')], []],
  [
    'an answer whose question is on an earlier page',
    [answer('a'), question('b?'), answer('b')],
    ['a', 'b?', 'b'],
  ],
  ['nothing', [], []],
])('the history contains %s', (_, messages, texts) => {
  expect(historyOf(messages).map(({ text }) => text)).toEqual(texts);
});
