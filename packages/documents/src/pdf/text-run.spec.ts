import { describe, expect, it } from '@jest/globals';
import { type TextRun, withVerticalLines } from './text-run.js';

/** Letters at one place, each below the one before. */
const letters = (text: string, x: number, step = -12): TextRun[] =>
  [...text].map((letter, index) => ({
    text: letter,
    x: step === 0 ? x + index * 12 : x,
    y: 700 + index * step,
    width: 12,
    fontSize: 12,
    font: 'f1',
    isMonospaced: false,
    isRightToLeft: false,
    quarterTurns: 0,
  }));

describe('withVerticalLines', () => {
  it('joins letters that are drawn one below the other', () => {
    const runs = withVerticalLines([...letters('点検の手順', 300), ...letters('まず電源', 270)]);
    expect(runs.map(({ text, quarterTurns }) => [text, quarterTurns])).toEqual([
      ['点検の手順', -1],
      ['まず電源', -1],
    ]);
    const [first, second] = runs;
    expect(first?.y).toBeGreaterThan(second?.y ?? Infinity);
    expect(first?.width).toBe(60);
  });

  it('keeps a number that is drawn within a vertical line in its place', () => {
    const [number] = letters('1', 300).map((run) => ({ ...run, text: '12', y: 664 }));
    const line = [...letters('会議は', 300), ...(number ? [number] : []), ...letters('月に開く', 300)];
    const placed = line.map((run, index) => ({ ...run, y: 700 - index * 12 }));
    expect(withVerticalLines(placed).map(({ text }) => text)).toEqual(['会議は12月に開く']);
  });

  it('joins two letters only on a page with vertical lines', () => {
    const short = letters('以上', 240);
    expect(withVerticalLines(short)).toEqual(short);
    expect(withVerticalLines([...letters('点検の手順', 300), ...short]).at(-1)?.text).toBe('以上');
  });

  it.each<[kind: string, runs: TextRun[]]>([
    ['letters beside each other', letters('横書きの文', 72, 0)],
    ['single letters in rows of a table', letters('一二三四', 72, -24)],
    ['letters of other scripts', letters('NORTH', 72)],
  ])('keeps %s', (_, runs) => {
    expect(withVerticalLines(runs)).toEqual(runs);
  });
});
