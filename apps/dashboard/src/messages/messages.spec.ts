import type { Language } from '@citewell/contracts/messages';
import { expect, it } from '@jest/globals';
import { en } from './en.js';
import { LANGUAGES, LOADERS } from './languages.js';
import { createTranslator, type MessageKey } from './translator.js';

const KEYS = Object.keys(en) as MessageKey[];
const TRANSLATIONS = (Object.keys(LANGUAGES) as Language[]).filter((language) => language !== 'en');

/** Texts that are the same in English and in the language: names, units, words of both languages. */
const SAME_AS_ENGLISH: Readonly<Record<string, string>> = {
  de: '({ms} ms)|Agent|Feed|Name|Original|Sitemap|Status|Text|Web',
  fr:
    '({ms} ms)|Agent|Agents|Assistant|Condition {number}|Configuration|Conversations|Description|Documents|Instructions|Menu|Original|Page|Pages|' +
    'Passages|Public|Question|Questions|Questions (CSV)|Sources|Type|Web|{count} dimensions|{count} documents|{count} messages',
  es: '({ms} ms)|Original|Web',
  ja: '',
  zh: '',
};

it.each(TRANSLATIONS)('has every message in %s, with its placeholders', async (language) => {
  const messages = await LOADERS[language]();
  expect(Object.keys(messages)).toEqual(KEYS);
  const problems = KEYS.filter((key) => {
    // Where 0 is singular, as in French, the singular names the number, too.
    const counts = key.endsWith('.one') ? [placeholders(`${en[key]}{count}`)] : [];
    const allowed = [placeholders(en[key]), ...counts];
    return messages[key].trim() === '' || !allowed.includes(placeholders(messages[key]));
  });
  expect(problems).toEqual([]);
});

it.each(TRANSLATIONS)('has no English text in %s', async (language) => {
  const messages = await LOADERS[language]();
  const same = new Set(KEYS.map((key) => (messages[key] === en[key] ? en[key] : '')));
  expect([...same].filter(Boolean).toSorted().join('|')).toBe(SAME_AS_ENGLISH[language]);
});

it.each([
  ['en', 0, '0 messages'],
  ['de', 1, '1 Nachricht'],
  ['fr', 0, '0 message'],
  ['fr', 2_000_000, '2\u202f000\u202f000 messages'],
  ['es', 1_000_000, '1.000.000 mensajes'],
  ['ja', 1, 'メッセージ 1 件'],
  ['zh', 1, '1 条消息'],
] as const)('counts in %s: %i', async (language, count, words) => {
  const { counted } = createTranslator(language, await LOADERS[language]());
  expect(counted('conversations.messages', count)).toBe(words);
});

function placeholders(text: string): string {
  return (text.match(/\{\w+\}/g) ?? []).toSorted().join('');
}
