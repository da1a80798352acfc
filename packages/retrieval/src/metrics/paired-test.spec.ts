import { describe, expect, it } from '@jest/globals';
import { pairedDifference, significantTests } from './paired-test.js';
import { seededRandom } from './interval.js';

const repeated = (value: number, count: number): number[] => Array.from({ length: count }, () => value);

describe('the difference of two configurations', () => {
  it('is not significant if both answer alike, however many questions there are', () => {
    const results = [...repeated(1, 500), ...repeated(0, 500)];
    expect(pairedDifference(results, results)).toMatchObject({
      value: 0,
      low: 0,
      high: 0,
      p: 1,
      equal: 1000,
    });
  });

  it('of five questions is never significant: 2 of 32 assignments of signs are as extreme as five losses', () => {
    expect(pairedDifference(repeated(0, 5), repeated(1, 5))).toMatchObject({
      value: -1,
      p: 2 / 32,
      worse: 5,
    });
  });

  it('of ten losses and no win is significant', () => {
    expect(pairedDifference(repeated(0, 10), repeated(1, 10))?.p).toBeCloseTo(2 / 1024);
  });

  it('compares question by question: 12 losses among 1,000 equal results are significant, means of .012 alone are not', () => {
    const good = repeated(1, 1_000);
    const bad = good.map((result, index) => (index < 12 ? 0 : result));
    expect(pairedDifference(bad, good)).toMatchObject({ worse: 12, better: 0, equal: 988, p: 2 / 4096 });
  });

  it('has a p of at most .05 in few of 40 comparisons of equally good configurations', () => {
    const random = seededRandom(7);
    const results = (): number[] => Array.from({ length: 40 }, () => (random() < 0.7 ? 1 : 0));
    const alarms = Array.from({ length: 40 }, () => pairedDifference(results(), results())?.p ?? 1).filter(
      (p) => p <= 0.05,
    );
    expect(alarms.length).toBeLessThan(6);
  });

  it('needs the same questions', () => {
    expect(() => pairedDifference([1], [])).toThrow('the same questions');
    expect(pairedDifference([], [])).toBeNull();
  });
});

describe('of several tests', () => {
  it.each([
    [
      'the smallest p is compared with .05 / 3, the next with .05 / 2',
      { a: 0.01, b: 0.02, c: 0.2 },
      ['a', 'b'],
    ],
    ['p = .03 alone among three is no alarm', { a: 0.03, b: 0.6, c: 0.9 }, []],
    ['none is significant after the first that is not', { a: 0.02, b: 0.02, c: 0.02 }, []],
    ['one test is compared with .05', { a: 0.04 }, ['a']],
  ])('%s', (_, ps, expected) => {
    const tests = Object.entries(ps).map(([name, p]) => ({ name, p }));
    expect([...significantTests(tests)]).toEqual(expected);
  });
});
