import { describe, expect, it } from '@jest/globals';
import { changedSentences } from './changed-sentences.js';

describe('changedSentences', () => {
  it.each<[title: string, before: string, after: string, removed: string[], added: string[]]>([
    ['nothing', 'One. Two.', 'One. Two.', [], []],
    [
      'a sentence',
      'It takes 14 days. Call us.',
      'It takes 30 days. Call us.',
      ['It takes 14 days.'],
      ['It takes 30 days.'],
    ],
    ['an addition', 'One.', 'One.\n\nTwo. Three.', [], ['Two.', 'Three.']],
    ['a removal', 'One.\n\nTwo.', 'One.', ['Two.'], []],
    ['only the order of paragraphs', 'One.\n\nTwo.', 'Two.\n\nOne.', [], []],
    ['only the order of sentences', 'One. Two.', 'Two. One.', [], []],
    ['a sentence that moves to another paragraph', 'One. Two.\n\nThree.', 'One.\n\nTwo. Three.', [], []],
    ['only white space', 'It  is\nwarm.', 'It is warm.', [], []],
    ['a sentence that is there more often', 'Stop. Stop.', 'Stop.', ['Stop.'], []],
    ['a whole text', 'One.', 'Two.', ['One.'], ['Two.']],
    ['an empty text', '', 'One.', [], ['One.']],
    ['the case', 'One.', 'ONE.', ['One.'], ['ONE.']],
    [
      'Japanese',
      '期間は14日です。電話してください。',
      '期間は30日です。電話してください。',
      ['期間は14日です。'],
      ['期間は30日です。'],
    ],
    ['words that objects have', 'constructor\n\n__proto__', 'constructor', ['__proto__'], []],
  ])('finds %s', (_, before, after, removed, added) => {
    const counts = { addedCount: added.length, removedCount: removed.length };
    expect(changedSentences(before, after)).toEqual({ added, removed, ...counts });
  });

  it('has 20 sentences, and counts all', () => {
    const text = Array.from({ length: 30 }, (_, n) => `This is number ${n}.`).join(' ');
    const { added, addedCount } = changedSentences('', text);
    expect([added.length, added.at(-1), addedCount]).toEqual([20, 'This is number 19.', 30]);
  });

  it('truncates a long sentence, and no character', () => {
    const [added] = changedSentences('', `${'a'.repeat(297)}😀${'b'.repeat(1_000)}`).added;
    expect(added).toBe(`${'a'.repeat(297)}…`);
  });

  it('shows the difference of long sentences', () => {
    const words = (count: number) => 'word '.repeat(count);
    const { added, removed } = changedSentences(
      `${words(200)}14 ${words(200)}.`,
      `${words(200)}30 ${words(200)}.`,
    );
    expect([removed[0]?.length, removed[0], added[0]]).toEqual([
      300,
      expect.stringContaining('word 14 word'),
      expect.stringContaining('word 30 word'),
    ]);
  });

  it('compares a long table by lines', () => {
    const rows = Array.from({ length: 100 }, (_, n) => `bolt ${n} | ${n} mm`);
    const text = rows.join('\n');
    expect(changedSentences(text, text.replace('70 mm', '71 mm'))).toEqual({
      removed: ['bolt 70 | 70 mm'],
      added: ['bolt 70 | 71 mm'],
      removedCount: 1,
      addedCount: 1,
    });
  });

  it.each([
    ['one paragraph', 'It is number % of many. '],
    ['many paragraphs', 'It is number % of many.\n\n'],
    ['no sentence', 'word% '],
  ])('takes time that is linear in the length of %s', (_, pattern) => {
    const text = (count: number, from: number): string =>
      Array.from({ length: count }, (_, n) => pattern.replace('%', String(n + from))).join('');
    const [before, after] = [text(50_000, 0), text(50_000, 50_000)];
    const start = performance.now();
    changedSentences(before, after);
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});
