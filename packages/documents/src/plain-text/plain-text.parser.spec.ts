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
      '-----',
    ].join('\n\n');
    expect(outline(await parse(text, 'text/plain'))).toEqual([
      ['heading1', 'The manual'],
      ['heading2', 'WHAT THIS IS'],
      ['paragraph', 'Words.'],
      ['heading2', '2.1 First steps'],
      ['paragraph', '1. This is a sentence of a list.'],
      ['heading2', 'NASA ESA'],
      ['paragraph', '-----'],
    ]);
  });

  it('keeps indentation', async () => {
    const code = 'def f():\n    x = 1\n\n    return x\n\n\ty\nend';
    expect(outline(await parse(`a:\n\n  - b\n\n  - c\nd:\n  e\n\n${code}`, 'text/plain'))).toEqual([
      ['paragraph', 'a:'],
      ['code', '  - b'],
      ['code', '  - c\nd:\n  e'],
      ['paragraph', 'def f():\n    x = 1'],
      ['code', '    return x'],
      ['paragraph', 'y\nend'],
    ]);
  });

  it.each([
    ['progress bars', 'a\nLoad 10% |#  |\rLoad 20% |## |\nb', 'a\nLoad 20% |## |\nb', 13],
    ['other line breaks', 'pump 1\rpump 2\nb\r\r\nc\r\n\r\nd', 'pump 1\npump 2\nb\nc\n\nd', undefined],
    ['percentages in lines that end in both ways', 'Rent 5%\rTax 7%\nb', 'Rent 5%\nTax 7%\nb', undefined],
    ['line breaks of old computers', '10%\r20%', '10%\n20%', undefined],
  ])('reads %s', async (_what, source, text, hidden) => {
    const document = await parse(source, 'text/plain');
    expect(document.text).toBe(text);
    expect(document.leftOut.hidden).toBe(hidden);
  });
});
