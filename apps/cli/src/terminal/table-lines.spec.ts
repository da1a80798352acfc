import { expect, it } from '@jest/globals';
import { TableLines } from './table-lines.js';

const TEXT = [
  'Two rows [1]',
  '',
  '| Name | City |',
  '| --- | --- |',
  '| A \\| B | Ulm |',
  '| C | Bern |',
  '',
  'End',
].join('\n');

it.each([1, 3, 1_000])('draws tables as columns, in pieces of %d characters', (size) => {
  const lines = new TableLines();
  let shown = '';
  for (let at = 0; at < TEXT.length; at += size) shown += lines.push(TEXT.slice(at, at + size));
  shown += lines.flush();
  expect(shown.replace(/ +$/gm, '')).toBe('Two rows [1]\n\nName   City\nA | B  Ulm\nC      Bern\n\nEnd');
});

it('passes other text at once, and ends an open table', () => {
  const lines = new TableLines();
  expect(lines.push('a | b')).toBe('a | b');
  expect(lines.push('\n| c |')).toBe('\n');
  expect(lines.flush()).toBe('c\n');
});
