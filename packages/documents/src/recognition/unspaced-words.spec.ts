import { describe, expect, it } from '@jest/globals';
import { joinUnspacedWords, layDown, layDownVertical } from './unspaced-words.js';

const row = (line: number, left: number, text: string, confidence = 90): string =>
  [5, 1, 1, 1, line, 1, left, 100, 20, 10, confidence, text].join('\t');

describe('joinUnspacedWords', () => {
  it.each([
    ['Japanese', ['利用', '案', '内'], ['利用案内']],
    ['marks', ['休館', '、', 'また'], ['休館、また']],
    ['other scripts', ['北京', '2008', '年'], ['北京', '2008', '年']],
    ['Korean, which has spaces', ['이용', '안내'], ['이용', '안내']],
    ['English', ['the', 'pool'], ['the', 'pool']],
  ])('%s', (_, words, expected) => {
    const table = words.map((word, index) => row(1, index * 30, word)).join('\n');
    const texts = joinUnspacedWords(table)
      .split('\n')
      .map((line) => line.split('\t').at(-1));
    expect(texts).toEqual(expected);
  });

  it('unites places and confidences, and keeps lines apart', () => {
    const table = [row(1, 0, '利用', 80), row(1, 30, '案', 50), row(2, 0, '内')].join('\n');
    const [first, second] = joinUnspacedWords(table).split('\n');
    expect(first?.split('\t').slice(6)).toEqual(['0', '100', '50', '10', '70.00', '利用案']);
    expect(second).toBe(row(2, 0, '内'));
  });
});

it('lays vertical columns down as lines, the right one first', () => {
  const page = ['1', '1', '0', '0', '0', '0', '0', '0', '1000', '1400', '-1', ''].join('\t');
  const rows = layDown([page, row(1, 900, '右'), row(2, 800, '左')].join('\n')).split('\n');
  const boxes = rows.map((line) => line.split('\t').slice(6, 10).map(Number));
  expect(boxes).toEqual([
    [0, 0, 1400, 1000],
    [100, 80, 10, 20],
    [100, 180, 10, 20],
  ]);
  // Three clockwise turns lead from the page to the laid picture.
  expect(rows[0]?.split('\t').at(-1)).toBe('3 0.00000');
});

describe('layDownVertical', () => {
  const page = ['1', '1', '0', '0', '0', '0', '0', '0', '1000', '1400', '-1', ''].join('\t');
  const line = (places: readonly (readonly [left: number, top: number])[]): string =>
    [page, ...places.map(([left, top]) => [5, 1, 1, 1, 1, 1, left, top, 20, 40, 90, 'word'].join('\t'))].join(
      '\n',
    );

  it.each([
    [
      'words below each other',
      [
        [900, 0],
        [900, 60],
        [902, 120],
      ],
      true,
    ],
    [
      'words side by side',
      [
        [0, 900],
        [60, 902],
        [120, 904],
      ],
      false,
    ],
    [
      'words above each other, of a page turned counterclockwise',
      [
        [100, 900],
        [100, 800],
        [100, 700],
      ],
      false,
    ],
    ['one word', [[100, 900]], false],
  ] as const)('%s', (_, places, isLaid) => {
    const table = line(places);
    expect(layDownVertical(table)).toBe(isLaid ? layDown(table) : table);
  });
});
