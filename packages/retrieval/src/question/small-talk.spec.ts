import { expect, it } from '@jest/globals';
import { isNegated } from './negation.js';
import * as smallTalk from './small-talk.js';

const CJK = /[\p{Script=Han}\p{Script=Hiragana}]/u;

// Idioms such as 不好意思 are longer words. Those that only negate may not be cut.
it.each(Object.entries(smallTalk))('has no word that negates in %s', (_, words) => {
  const negating = words.filter((word) => isNegated(word) && (!CJK.test(word) || word === '没有'));
  expect(negating).toEqual([]);
});
