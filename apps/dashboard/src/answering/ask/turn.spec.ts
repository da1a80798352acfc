import type { Message, MessageState } from '@citewell/sdk';
import { describe, expect, it } from '@jest/globals';
import { shownQuote, tellsOfModels, turnsOf } from './turn.js';

const question = (text: string): Message => ({ id: text, from: 'human', text, createdAt: '', sources: [] });
const answer = (text: string, more: Partial<Message> = {}): Message => ({
  id: text,
  from: 'agent',
  text,
  createdAt: '',
  sources: [],
  ...more,
});

it.each([
  ['answering', 'streaming'],
  ['complete', 'complete'],
  ['stopped', 'stopped'],
  ['failed', 'failed'],
  // Of an older server.
  [undefined, 'complete'],
] as const)('an answer that is %s', (state: MessageState | undefined, expected) => {
  expect(turnsOf([question('a?'), answer('a', { state })])).toMatchObject([
    { question: 'a?', text: 'a', messageId: 'a', state: expected },
  ]);
});

it('an answer that failed has the reason', () => {
  const error = { code: 'ANSWER_INTERRUPTED', message: 'x' };
  expect(turnsOf([question('a?'), answer('', { state: 'failed', error })])).toMatchObject([{ error }]);
});

it('several turns, and a question without an answer', () => {
  expect(turnsOf([question('a?'), answer('a'), question('b?')])).toMatchObject([
    { text: 'a', state: 'complete' },
    { question: 'b?', text: '', state: 'stopped', messageId: null },
  ]);
});

it('the first answers without a model, and with one that failed, tell of models', () => {
  const reasons = ['stop', 'no_model', 'no_model', 'model_failed', undefined, 'model_failed'] as const;
  const turns = reasons.map((finishReason) => ({ finishReason }));
  expect(turns.map((_, index) => tellsOfModels(turns, index))).toEqual([
    false,
    true,
    false,
    true,
    false,
    false,
  ]);
});

describe('shownQuote', () => {
  it.each([
    ['## Warranty\nThe warranty lasts two years.', 'Warranty\nThe warranty lasts two years.'],
    [
      'The warranty lasts\ntwo years,\nfrom the purchase.',
      'The warranty lasts two years, from the purchase.',
    ],
    ['Tray\n12 euros\nHose', 'Tray\n12 euros\nHose'],
    ['It ends.\nIt begins.', 'It ends.\nIt begins.'],
    ['N-1 | Ulm\nN-2 | Bern', 'N-1 · Ulm\nN-2 · Bern'],
  ])('shows %j', (text, shown) => expect(shownQuote(text)).toBe(shown));
});
