import type { Language } from '@citewell/contracts/messages';
import { AUDIT_ACTIONS, SIGN_IN_FAILURES } from '@citewell/contracts/schemas';
import { expect, it } from '@jest/globals';
import { LANGUAGES, type Loaders, TEXTS, type TextSet } from './languages.js';
import { createTranslator } from './translator.js';

/** Texts that are the same in English and in the language: names, units, words of both languages. */
const SAME_AS_ENGLISH: Readonly<Record<TextSet, Readonly<Partial<Record<Language, string>>>>> = {
  pages: {
    de: '({ms} ms)|Agent|Feed|Name|Original|Sitemap|Status|Text|Web',
    fr:
      '({ms} ms)|Agent|Agents|Condition|Condition {number}|Configuration|Conversations|Description|Documents|Instructions|Menu|Original|Page|Pages|' +
      'Passages|Public|Question|Questions|Questions (CSV)|Source|Sources|Total|Type|Web|{count} dimensions|{count} documents|{count} messages',
    es: '({ms} ms)|Original|Total|Web',
  },
  'audit-and-usage': {
    de: 'Agent|Name|Passkey|Person|Tokens|Webhook|{field}: {from} → {to}|{field}: {value}',
    fr: 'Agent|Conversation|Description|Document|Instructions|Questions|Secret|Session|Webhook',
    es: 'Webhook|no|{field}: {from} → {to}|{field}: {value}',
    ja: 'Webhook',
    zh: 'Webhook',
  },
  changes: {},
  gaps: {},
  'single-sign-on': { de: 'Scopes', es: 'Scopes', fr: 'Scopes', zh: 'Scopes' },
  sources: {
    de: 'Confluence|Notion|Port|STARTTLS|Server|TLS',
    es: 'Confluence|Notion|STARTTLS|TLS',
    fr: 'Confluence|Notion|Port|STARTTLS|TLS',
    ja: 'Confluence|Notion|STARTTLS|TLS',
    zh: 'Confluence|Notion|STARTTLS|TLS',
  },
};

const TRANSLATIONS = (Object.keys(TEXTS) as TextSet[]).flatMap((set) =>
  (Object.keys(LANGUAGES) as Language[])
    .filter((language) => language !== 'en')
    .map((language) => [set, language] as const),
);

it.each(TRANSLATIONS)('has every text of %s in %s, with its placeholders', async (set, language) => {
  const [english, texts] = [await load(set, 'en'), await load(set, language)];
  expect(texts.map(([key]) => key)).toEqual(english.map(([key]) => key));
  const problems = texts.filter(([key, text], index) => {
    const [, original] = english[index]!;
    // Where 0 is singular, as in French, the singular names the number, too.
    const counts = key.endsWith('.one') ? [placeholders(`${original}{count}`)] : [];
    return text.trim() === '' || ![placeholders(original), ...counts].includes(placeholders(text));
  });
  expect(problems).toEqual([]);
});

it.each(TRANSLATIONS)('has no English text of %s in %s', async (set, language) => {
  const english = new Map(await load(set, 'en'));
  const same = (await load(set, language)).filter(([key, text]) => english.get(key) === text);
  const texts = [...new Set(same.map(([, text]) => text))];
  expect(texts.toSorted().join('|')).toBe(SAME_AS_ENGLISH[set][language] ?? '');
});

it('has a sentence for each reason for which a sign-in fails', async () => {
  const texts = await load('single-sign-on', 'en');
  const reasons = texts.flatMap(([key]) => /^failed\.(.+)$/.exec(key)?.[1] ?? []);
  expect(reasons).toEqual([...SIGN_IN_FAILURES]);
});

it('names every action of the audit log, and every kind of target', async () => {
  const keys = (await load('audit-and-usage', 'en')).map(([key]) => key);
  const kinds = Object.entries(AUDIT_ACTIONS);
  const actions = kinds.flatMap(([kind, verbs]) => verbs.map((verb) => `action.${kind}.${verb}`));
  expect(keys.filter((key) => key.startsWith('action.')).toSorted()).toEqual(actions.toSorted());
  const named = keys.filter((key) => key.startsWith('kind.'));
  expect(named.toSorted()).toEqual(kinds.map(([kind]) => `kind.${kind}`).toSorted());
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
  const { default: messages } = await TEXTS.pages[language]();
  const { counted } = createTranslator(language, messages);
  expect(counted('conversations.messages', count)).toBe(words);
});

async function load(set: TextSet, language: Language): Promise<[key: string, text: string][]> {
  const loaders: Loaders<string> = TEXTS[set];
  return Object.entries((await loaders[language]()).default);
}

function placeholders(text: string): string {
  return (text.match(/\{\w+\}/g) ?? []).toSorted().join('');
}
