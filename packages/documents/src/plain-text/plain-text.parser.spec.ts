import { describe, expect, it } from '@jest/globals';
import { outline, parse } from '../test-files/parse.js';

describe('plainTextParser', () => {
  it('divides at blank lines and keeps line breaks', async () => {
    expect(outline(await parse('\ufeffone\r\ntwo\r\n \t\r\n\r\nthree\ffour', 'text/plain'))).toEqual([
      ['paragraph', 'one\ntwo'],
      ['paragraph', 'three'],
      ['paragraph', 'four'],
    ]);
  });

  it('recognizes simple headings and nothing else', async () => {
    const text = [
      'The manual\n==========',
      'WHAT THIS IS',
      'Words.',
      '2.1 First steps',
      '1. This is a sentence of a list.',
      'NASA ESA',
      'Chapter IV',
      'Chapter 4 was long.',
      '-----',
    ].join('\n\n');
    expect(outline(await parse(text, 'text/plain'))).toEqual([
      ['heading1', 'The manual'],
      ['heading2', 'WHAT THIS IS'],
      ['paragraph', 'Words.'],
      ['heading2', '2.1 First steps'],
      ['paragraph', '1. This is a sentence of a list.'],
      ['heading2', 'NASA ESA'],
      ['heading1', 'Chapter IV'],
      ['paragraph', 'Chapter 4 was long.'],
      ['paragraph', '-----'],
    ]);
  });
});
