import type { Language } from '@citewell/contracts/messages';
import { SIGN_IN_FAILURES } from '@citewell/contracts/schemas';
import { expect, it } from '@jest/globals';
import { TEXT_LOADERS, type TextKey } from './load-texts.js';
import { texts as english } from '../../single-sign-on/texts/en.js';

const KEYS = Object.keys(english) as TextKey[];
const LANGUAGES = (Object.keys(TEXT_LOADERS) as Language[]).filter((language) => language !== 'en');
/** Texts that are the same in English and in the language. */
const SAME = new Set(['Scopes']);

it.each(LANGUAGES)('has every text in %s, with its placeholder, and none in English', async (language) => {
  const texts = await TEXT_LOADERS[language]();
  expect(Object.keys(texts)).toEqual(KEYS);
  const wrong = KEYS.filter(
    (key) =>
      texts[key].includes('{name}') !== english[key].includes('{name}') ||
      (texts[key] === english[key] && !SAME.has(texts[key])),
  );
  expect(wrong).toEqual([]);
});

it('has a sentence for each reason for which a sign-in fails', () => {
  const reasons = KEYS.flatMap((key) => /^failed\.(.+)$/.exec(key)?.[1] ?? []);
  expect(reasons).toEqual([...SIGN_IN_FAILURES]);
});
