import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { outline, parse } from '../test-files/parse.js';

describe('plainTextParser', () => {
  it('divides at blank lines and keeps line breaks', async () => {
    assert.deepEqual(outline(await parse('\ufeffone\r\ntwo\r\n \t\r\n\r\nthree\ffour', 'text/plain')), [
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
    assert.deepEqual(outline(await parse(text, 'text/plain')), [
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
