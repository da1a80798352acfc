import type { Language } from '@citewell/contracts/messages';
import { expect, it } from '@jest/globals';
import { records } from './records/en.js';
import { RECORD_LOADERS, type RecordKey } from './record-texts.js';

const KEYS = Object.keys(records) as RecordKey[];
const LANGUAGES = Object.keys(RECORD_LOADERS) as Language[];

/** Texts that are the same in English and in the language. */
const SAME_AS_ENGLISH: Readonly<Record<Language, string>> = {
  en: [...new Set(Object.values<string>(records))].toSorted().join('|'),
  de: 'Agent|Passkey|Person|Tokens|Webhook',
  fr: 'Agent|Conversation|Document|Questions|Session|Webhook',
  es: 'Webhook',
  ja: 'Webhook',
  zh: 'Webhook',
};

it.each(LANGUAGES)('has every text in %s, with its placeholders', async (language) => {
  const texts = await RECORD_LOADERS[language]();
  expect(Object.keys(texts)).toEqual(KEYS);
  const differ = KEYS.filter((key) => placeholders(texts[key]) !== placeholders(records[key]));
  expect(differ).toEqual([]);
});

it.each(LANGUAGES)('has no English text in %s', async (language) => {
  const texts = await RECORD_LOADERS[language]();
  const same = new Set(KEYS.flatMap((key) => (texts[key] === records[key] ? [records[key]] : [])));
  expect([...same].toSorted().join('|')).toBe(SAME_AS_ENGLISH[language]);
});

function placeholders(text: string): string {
  return (text.match(/\{\w+\}/g) ?? []).toSorted().join('');
}
