import { describe, expect, it } from '@jest/globals';
import { ALIKE, likeness } from './alike-questions.js';
import { AnalyzedQuestion } from './analyzed-question.js';

describe('likeness', () => {
  const of = (a: string, b: string, similarity?: number): number =>
    likeness(new AnalyzedQuestion(a), new AnalyzedQuestion(b), similarity);

  it.each([
    ['the same words', 'How long is the warranty of the pump?', 'pump warranty', undefined, true],
    [
      'one common word of many',
      'How do I clean the filter?',
      'Where do I buy a filter for the pump?',
      undefined,
      false,
    ],
    ['other words of the same meaning', 'How many days of vacation do I get?', 'annual leave', 1, true],
    ['other words of another meaning', 'How many days of vacation do I get?', 'parking', 0.2, false],
    ['common words of another meaning', 'price of the plan', 'price of the pump', 0.3, false],
    ['other numbers', 'What does error E42 mean?', 'What does error E17 mean?', 0.95, false],
    ['a number and none', 'What is the pressure of the P200?', 'What is the pressure?', 0.8, true],
    ['no words', '???', '!', undefined, false],
  ] as const)('is compared with the threshold: %s', (_, a, b, similarity, expected) => {
    expect(of(a, b, similarity) >= ALIKE).toBe(expected);
    expect(of(b, a, similarity)).toBeCloseTo(of(a, b, similarity));
  });
});
