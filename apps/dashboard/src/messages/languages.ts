import type { Language } from '@citewell/contracts/messages';
import { en } from './en.js';
import type { Messages } from './translator.js';

/** The languages of the pages, each with its own name. */
export const LANGUAGES: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  ja: '日本語',
  zh: '简体中文',
};

/** English is in the first load, and each other language is a file of its own. */
export const LOADERS: Readonly<Record<Language, () => Promise<Messages>>> = {
  en: async () => en,
  de: async () => (await import('./de.js')).de,
  fr: async () => (await import('./fr.js')).fr,
  es: async () => (await import('./es.js')).es,
  ja: async () => (await import('./ja.js')).ja,
  zh: async () => (await import('./zh.js')).zh,
};
