import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { WINDOW_WORDS, windowsOf } from './chunk-windows.js';

const words = (count: number): string => Array.from({ length: count }, (_, i) => `word${i}`).join(' ');
const wordCounts = (windows: readonly string[]): number[] => windows.map((text) => text.split(/\s+/).length);

describe('windowsOf', () => {
  it.each([
    [1, [1]],
    [89, [89]],
    [90, [45, 45]],
    [120, [60, 60]],
    [271, [55, 54, 54, 54, 54]],
  ])('divides %i words into windows of %j words', (count, expected) => {
    expect(wordCounts(windowsOf(words(count)))).toEqual(expected);
  });

  it('keeps the order and the text of the words', () => {
    const text = `# Title\n\n${words(70)}\n- ${words(70)}`;
    expect(windowsOf(text).join(' ').replace(/\s+/g, ' ')).toBe(text.replace(/\s+/g, ' '));
  });

  it.each(['', ' \n\t'])('makes one empty window of the blank text %j', (text) => {
    expect(windowsOf(text)).toEqual(['']);
  });

  it.each([
    ['Chinese', '海带在春天收获。'],
    ['Japanese', 'コンブは春に収穫されます。'],
    ['Thai', 'สาหร่ายเก็บเกี่ยวในฤดูใบไม้ผลิ'],
    ['Han characters outside of the first plane', '𠀀𠀁𠀂'],
  ])('counts two characters of %s as a word', (_, sentence) => {
    const text = sentence.repeat(Math.ceil((4 * WINDOW_WORDS) / [...sentence].length));
    const windows = windowsOf(text);
    expect(windows.length).toBeGreaterThanOrEqual(2);
    expect(windows.join('')).toBe(text);
  });

  it('never divides a grapheme or a surrogate pair, and omits only white space', () => {
    const grapheme = fc.constantFrom(
      'か\u3099',
      '𠀀',
      'ที่',
      '漢',
      'a',
      ' ',
      '👩‍👩‍👧',
      'e\u0301',
      '\n',
      '葛\u{e0100}',
    );
    const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
    const graphemesOf = (text: string): string[] =>
      Array.from(segmenter.segment(text), ({ segment }) => segment).filter(
        (segment) => segment.trim() !== '',
      );
    fc.assert(
      fc.property(fc.array(grapheme, { minLength: 100, maxLength: 600 }), (graphemes) => {
        const text = graphemes.join('');
        expect(windowsOf(text).flatMap(graphemesOf)).toEqual(graphemesOf(text));
      }),
      { numRuns: 50 },
    );
  });
});
