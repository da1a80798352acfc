import { describe, expect, it } from '@jest/globals';
import { onPage, readTurn, withTurn } from './picture-turn.js';

const SIZE = { width: 200, height: 400 };
/** In the top left corner of the turned picture. */
const BOX = { left: 0, top: 0, width: 100, height: 40 };

describe('the turn of a picture', () => {
  it('is read from the first row, and none from the row of another Tesseract', () => {
    const table = '1\t1\t0\t0\t0\t0\t0\t0\t200\t400\t-1\t\n5\t1\t1\t1\t1\t1\t0\t0\t10\t10\t90\tword\n';
    const [first = '', second] = withTurn(table, { quarters: 3, slope: -0.02 }).split('\n');
    expect(readTurn(first.split('\t')[11] ?? '')).toEqual({ quarters: 3, slope: -0.02 });
    expect(second).toBe(table.split('\n')[1]);
    for (const text of ['', 'text', '7 0', '0 99', '1'])
      expect(readTurn(text)).toEqual({ quarters: 0, slope: 0 });
  });

  it.each([
    [0, { left: 0, top: 0, width: 0.5, height: 0.1 }],
    // A picture that was turned clockwise: its top left corner was at the bottom left.
    [1, { left: 0, top: 0.5, width: 0.1, height: 0.5 }],
    [2, { left: 0.5, top: 0.9, width: 0.5, height: 0.1 }],
    [3, { left: 0.9, top: 0, width: 0.1, height: 0.5 }],
  ])('of %d quarters is undone', (quarters, expected) => {
    const found = onPage(BOX, SIZE, { quarters, slope: 0 });
    for (const [side, share] of Object.entries(expected))
      expect(found[side as keyof typeof found]).toBeCloseTo(share);
  });

  it('by an angle is undone around the middle', () => {
    const slope = 0.1;
    const { left, top, width, height } = onPage({ left: 99, top: 99, width: 2, height: 2 }, SIZE, {
      quarters: 0,
      slope,
    });
    // Counterclockwise, a point above the middle moves to the left.
    expect((left + width / 2) * SIZE.width).toBeCloseTo(100 - 100 * Math.sin(slope), 0);
    expect((top + height / 2) * SIZE.height).toBeCloseTo(200 - 100 * Math.cos(slope), 0);
  });
});
