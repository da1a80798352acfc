import type { Language } from '@citewell/contracts/messages';
import english from './en.json';

/** The languages of the pages, each with its own name. */
export const LANGUAGES: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  ja: '日本語',
  zh: '简体中文',
};

/**
 * The sets of texts. Only the English texts of `pages` are in the first load. Each other file is loaded on demand.
 * The imports have no attributes: the development server of Vite does not remove them from dynamic imports.
 */
export const TEXTS = {
  pages: withSameKeys({
    en: async () => ({ default: english }),
    de: () => import('./de.json'),
    fr: () => import('./fr.json'),
    es: () => import('./es.json'),
    ja: () => import('./ja.json'),
    zh: () => import('./zh.json'),
  }),
  'audit-and-usage': withSameKeys({
    en: () => import('./audit-and-usage/en.json'),
    de: () => import('./audit-and-usage/de.json'),
    fr: () => import('./audit-and-usage/fr.json'),
    es: () => import('./audit-and-usage/es.json'),
    ja: () => import('./audit-and-usage/ja.json'),
    zh: () => import('./audit-and-usage/zh.json'),
  }),
  changes: withSameKeys({
    en: () => import('./changes/en.json'),
    de: () => import('./changes/de.json'),
    fr: () => import('./changes/fr.json'),
    es: () => import('./changes/es.json'),
    ja: () => import('./changes/ja.json'),
    zh: () => import('./changes/zh.json'),
  }),
  gaps: withSameKeys({
    en: () => import('./gaps/en.json'),
    de: () => import('./gaps/de.json'),
    fr: () => import('./gaps/fr.json'),
    es: () => import('./gaps/es.json'),
    ja: () => import('./gaps/ja.json'),
    zh: () => import('./gaps/zh.json'),
  }),
  'single-sign-on': withSameKeys({
    en: () => import('./single-sign-on/en.json'),
    de: () => import('./single-sign-on/de.json'),
    fr: () => import('./single-sign-on/fr.json'),
    es: () => import('./single-sign-on/es.json'),
    ja: () => import('./single-sign-on/ja.json'),
    zh: () => import('./single-sign-on/zh.json'),
  }),
  sources: withSameKeys({
    en: () => import('./sources/en.json'),
    de: () => import('./sources/de.json'),
    fr: () => import('./sources/fr.json'),
    es: () => import('./sources/es.json'),
    ja: () => import('./sources/ja.json'),
    zh: () => import('./sources/zh.json'),
  }),
};

export type TextSet = keyof typeof TEXTS;
export type TextKey<Name extends TextSet> = (typeof TEXTS)[Name] extends Loaders<infer Key> ? Key : never;

export type Loaders<Key extends string> = Readonly<
  Record<Language, () => Promise<{ default: Readonly<Record<Key, string>> }>>
>;

/** Compiles only if all languages have the same keys, because `Key` is inferred from all of them together. */
function withSameKeys<Key extends string>(loaders: Loaders<Key>): Loaders<Key> {
  return loaders;
}
