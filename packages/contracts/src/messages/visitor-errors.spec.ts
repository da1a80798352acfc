import { expect, it } from '@jest/globals';
import { LANGUAGES } from '../languages.js';
import { VISITOR_SENTENCES, visitorErrorOf } from './visitor-errors.js';

it.each([
  ['NETWORK', null, 'interrupted'],
  ['STREAM_INCOMPLETE', null, 'interrupted'],
  ['RATE_LIMIT', 3, 'busy'],
  ['RATE_LIMIT', 40_000, 'usedUp'],
  ['FORBIDDEN', null, 'notAllowed'],
  ['UNAUTHORIZED', null, 'unavailable'],
  ['INTERNAL', null, 'other'],
  ['toString', null, 'other'],
])('the failure %s with a pause of %s is told as %s', (code, retryAfterSeconds, told) => {
  expect(visitorErrorOf(code, retryAfterSeconds)).toBe(told);
});

it.each(LANGUAGES)('has every sentence in %s', (language) => {
  const sentences = VISITOR_SENTENCES[language];
  expect(Object.keys(sentences)).toEqual(Object.keys(VISITOR_SENTENCES.en));
  const english = Object.values(VISITOR_SENTENCES.en);
  if (language !== 'en')
    expect(Object.values(sentences).filter((text) => text === '' || english.includes(text))).toEqual([]);
});
