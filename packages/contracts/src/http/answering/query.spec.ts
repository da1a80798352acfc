import { expect, it } from '@jest/globals';
import { querySchema } from '../fields.js';

const TOO_LONG =
  /^must have at most 8192 characters when those such as ㌖ \(six\) and ﷺ \(18\) are spelt out$/;

it.each<[text: string, longest: number]>([
  ['a', 8_192],
  ['中', 8_192],
  ['e\u0301', 8_192 / 2],
  ['㌖', Math.floor(8_192 / 6)],
  ['㍿', 8_192 / 4],
  ['ﷺ', Math.floor(8_192 / 18)],
  ['ﬃ', Math.floor(8_192 / 3)],
  ['½', Math.floor(8_192 / 3)],
  ['…', Math.floor(8_192 / 3)],
])('a question of %s has at most %d of them', (text, longest) => {
  expect(querySchema.safeParse(text.repeat(longest)).success).toBe(true);
  expect(querySchema.safeParse(text.repeat(longest + 1)).success).toBe(false);
});

it('says why a short question is too long', () => {
  expect(querySchema.safeParse('㌖'.repeat(1_366)).error?.issues.map(({ message }) => message)).toEqual([
    expect.stringMatching(TOO_LONG),
  ]);
});
