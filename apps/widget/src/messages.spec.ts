import { expect, it } from '@jest/globals';
import { fill, MESSAGES } from './messages.js';

const placeholders = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).toSorted();

it.each(Object.entries(MESSAGES))('every message exists in %s, with its placeholders', (_, messages) => {
  expect(Object.keys(messages)).toEqual(Object.keys(MESSAGES.en));
  for (const [key, text] of Object.entries(messages)) {
    expect([key, text.trim()]).not.toEqual([key, '']);
    const english = Object.entries(MESSAGES.en).find(([name]) => name === key)?.[1] ?? '';
    expect([key, placeholders(text)]).toEqual([key, placeholders(english)]);
  }
});

it('fills placeholders literally', () => {
  expect(fill('Source {number}: {name}', { number: 1, name: '$& {number}' })).toBe('Source 1: $& {number}');
});
