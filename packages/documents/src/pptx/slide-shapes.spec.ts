import { describe, expect, it } from '@jest/globals';
import { positionOrder } from './slide-shapes.js';

/** Names of boxes with left, top, width and height. */
type Boxes = Readonly<Record<string, readonly [left: number, top: number, width: number, height: number]>>;

const order = (boxes: Boxes, isRightToLeft = false): string =>
  positionOrder(
    Object.entries(boxes)
      .toReversed()
      .map(([item, [left, top, width, height]]) => ({
        item,
        box: { left, top, right: left + width, bottom: top + height },
      })),
    isRightToLeft,
  ).join(' ');

const COLUMNS: Boxes = {
  title: [10, 5, 80, 10],
  left: [10, 30, 35, 8],
  leftBody: [10, 38, 35, 40],
  right: [55, 30, 35, 8],
  rightBody: [55, 38, 35, 40],
};

describe('positionOrder', () => {
  it.each<[what: string, boxes: Boxes]>([
    ['a title and columns of heading and body', COLUMNS],
    [
      'cards in two rows',
      {
        a: [0, 0, 20, 5],
        a2: [0, 6, 20, 5],
        b: [30, 0, 20, 5],
        b2: [30, 6, 20, 5],
        c: [0, 40, 20, 5],
        c2: [0, 46, 20, 5],
        d: [30, 40, 20, 5],
        d2: [30, 46, 20, 5],
      },
    ],
    [
      'labels close to their values',
      { name: [0, 0, 20, 5], ada: [21, 0, 30, 5], town: [0, 12, 20, 5], rome: [21, 12, 30, 5] },
    ],
    ['four equal boxes', { a: [0, 0, 20, 20], b: [30, 0, 20, 20], c: [0, 30, 20, 20], d: [30, 30, 20, 20] }],
    ['boxes that overlap a little', { a: [0, 0, 50, 21], b: [0, 20, 50, 21], c: [0, 40, 50, 20] }],
    ['boxes that overlap', { a: [0, 0, 50, 50], b: [20, 20, 50, 50] }],
    ['a column beside rows', { side: [0, 0, 20, 100], a: [40, 0, 50, 20], b: [40, 25, 50, 20] }],
  ])('reads %s', (_what, boxes) => expect(order(boxes)).toBe(Object.keys(boxes).join(' ')));

  it('reads very many boxes from top to bottom', () => {
    const boxes = Array.from({ length: 5000 }, (_, index) => [`${index}`, [index, index, 0.5, 0.5]] as const);
    expect(order(Object.fromEntries(boxes))).toBe(boxes.map(([name]) => name).join(' '));
  });

  it('reads columns from the right in scripts that are written from the right', () => {
    expect(order(COLUMNS, true)).toBe('title right rightBody left leftBody');
  });
});
