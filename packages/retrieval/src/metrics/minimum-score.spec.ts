import { describe, expect, it } from '@jest/globals';
import { minimumScoreCurve, proposeMinimumScore, rocOf } from './minimum-score.js';

const repeated = (value: number, count: number): number[] => Array.from({ length: count }, () => value);

describe('the minimum score', () => {
  it('refuses what has a lower score: more of both with a higher minimum', () => {
    const curve = minimumScoreCurve({ answerable: [0.4, 0.9], unanswerable: [0.2, 0.6] });
    const at = (minScore: number) => curve.find((point) => point.minScore === minScore);
    expect(at(0)).toMatchObject({ refused: 0, recognised: 0 });
    expect(at(0.4)).toMatchObject({ refused: 0, recognised: 0.5 });
    expect(at(0.41)).toMatchObject({ refused: 0.5, recognised: 0.5 });
    expect(at(1)).toMatchObject({ refused: 1, recognised: 1 });
  });

  it('is proposed where the most unanswerable questions are recognised and at most 5 % of the others refused', () => {
    const scores = {
      answerable: [0.3, ...repeated(0.8, 19)],
      unanswerable: [...repeated(0.1, 6), ...repeated(0.55, 3), 0.9],
    };
    // Each from .56 to .8 recognises 9 of 10, and one of 20 is refused.
    expect(proposeMinimumScore(scores)).toEqual({ minScore: 0.68, refused: 0.05, recognised: 0.9 });
  });

  it('is in the middle between both kinds of questions if nothing is near', () => {
    const scores = { answerable: repeated(0.9, 20), unanswerable: repeated(0.1, 10) };
    expect(proposeMinimumScore(scores)).toEqual({ minScore: 0.5, refused: 0, recognised: 1 });
  });

  it.each([
    ['19 answerable', repeated(0.9, 19), repeated(0.1, 10)],
    ['9 unanswerable', repeated(0.9, 20), repeated(0.1, 9)],
  ])('is not proposed for %s questions', (_, answerable, unanswerable) => {
    expect(proposeMinimumScore({ answerable, unanswerable })).toBeNull();
  });
});

it('the area under the ROC curve is the share of pairs in the right order', () => {
  expect(rocOf([0.9, 0.5], [0.5, 0.1]).area).toBe(3.5 / 4);
});
