import { en } from './en.js';
import type { Messages } from './translator.js';

/** The languages of the pages, each with its own name. */
export const LANGUAGES = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  ja: '日本語',
  zh: '简体中文',
} as const;
export type Language = keyof typeof LANGUAGES;

/** English is in the first load, and each other language is a file of its own. */
export const LOADERS: Readonly<Record<Language, () => Promise<Messages>>> = {
  en: async () => en,
  de: async () => (await import('./de.js')).de,
  fr: async () => (await import('./fr.js')).fr,
  es: async () => (await import('./es.js')).es,
  ja: async () => (await import('./ja.js')).ja,
  zh: async () => (await import('./zh.js')).zh,
};

/**
 * The first tag whose language the pages have, whatever its region; otherwise English. Readers of traditional Chinese
 * (`zh-TW`, `zh-Hant`) get simplified Chinese: their browsers also ask for `zh` before English.
 */
export function chooseLanguage(tags: readonly string[]): Language {
  for (const tag of tags) {
    const language = tag.toLowerCase().split('-')[0] ?? '';
    if (Object.hasOwn(LANGUAGES, language)) return language as Language;
  }
  return 'en';
}
