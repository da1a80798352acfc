import type { Language } from '@citewell/contracts/messages';
import { texts as english } from '../../single-sign-on/texts/en.js';

export type TextKey = keyof typeof english;
export type Texts = Readonly<Record<TextKey, string>>;

/** Loaded with the pages that show them, and not in the first load. */
export const TEXT_LOADERS: Readonly<Record<Language, () => Promise<Texts>>> = {
  en: async () => english,
  de: async () => (await import('../../single-sign-on/texts/de.js')).texts,
  fr: async () => (await import('../../single-sign-on/texts/fr.js')).texts,
  es: async () => (await import('../../single-sign-on/texts/es.js')).texts,
  ja: async () => (await import('../../single-sign-on/texts/ja.js')).texts,
  zh: async () => (await import('../../single-sign-on/texts/zh.js')).texts,
};

export function isTextKey(key: string): key is TextKey {
  return Object.hasOwn(english, key);
}
