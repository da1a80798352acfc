import { describe, expect, it } from '@jest/globals';
import { bootstrapInterval, estimateMean, wilsonInterval } from './interval.js';

/** `ones` ones among `count` values. */
const answers = (ones: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => (index < ones ? 1 : 0));

describe('the interval of a mean', () => {
  it('is the same for the same questions, so that two runs can be compared', () => {
    expect(bootstrapInterval(answers(30, 50))).toEqual(bootstrapInterval(answers(30, 50)));
  });

  it('contains the mean, and is about 1.96 standard errors wide on each side', () => {
    const { value, low, high } = estimateMean(answers(60, 100)) ?? { value: 0, low: 0, high: 0 };
    const standardError = Math.sqrt((0.6 * 0.4) / 100);
    expect(value).toBe(0.6);
    expect(low).toBeCloseTo(0.6 - 1.96 * standardError, 1);
    expect(high).toBeCloseTo(0.6 + 1.96 * standardError, 1);
  });

  it('is narrower with more questions', () => {
    const width = (count: number): number => {
      const [low, high] = bootstrapInterval(answers(count / 2, count));
      return high - low;
    };
    expect(width(400)).toBeLessThan(width(100) * 0.6);
  });

  it('does not claim certainty when all of ten answers are right', () => {
    expect(estimateMean(answers(10, 10))?.low).toBeCloseTo(0.722, 3);
    expect(estimateMean(answers(0, 10))?.high).toBeCloseTo(0.278, 3);
  });

  it('of a share is that of Wilson: 8 of 10 is .49 to .943', () => {
    const { low, high } = wilsonInterval(8, 10);
    expect([low.toFixed(3), high.toFixed(3)]).toEqual(['0.490', '0.943']);
  });

  it('does not exist without questions', () => {
    expect(estimateMean([])).toBeNull();
  });
});
