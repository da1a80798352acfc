import { expect, it } from '@jest/globals';
import { progressBar } from './progress-bar.js';

it.each([
  [0, '░░░░░░░░░░░░░░░░░░░░   0 %'],
  [42.9, '████████░░░░░░░░░░░░  42 %'],
  [100, '████████████████████ 100 %'],
  [Number.NaN, '░░░░░░░░░░░░░░░░░░░░   0 %'],
])('of %d is %s', (percent, bar) => {
  expect(progressBar(percent)).toBe(bar);
});
